import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Config } from '../../kernel/config/config.ts'
import { idSource } from '../../kernel/lib/secrets/id.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { listOrganizations } from '../../kernel/organizations/organizations.ts'
import { openMasterKey } from '../../kernel/store/lifecycle/master-key.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { buildApp } from '../../main/app.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { runDailyJobs } from '../maintenance/daily.ts'
import { settingsWatch } from '../settings/settings-watch.ts'

/** Request to the service. */
export interface DemoRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** IP address of the client. */
  readonly address?: string
  readonly body?: unknown
}

/** Response with its parsed body; undefined if empty. */
interface DemoAnswer {
  readonly status: number
  readonly body: unknown
}

/** The complete service in this process, with its own clock and without a port. */
export interface DemoService {
  /** Sets the clock. */
  setTime(seconds: number): void
  /**
   * @throws Error for any response except success: a simulated request must be valid
   */
  send(request: DemoRequest): Promise<DemoAnswer>
  /** Runs the daily jobs. */
  passDay(): Promise<void>
  close(): Promise<void>
}

const rateLimit = { sustained: 1_000_000, burst: 1_000_000 }

/** Limiter that allows everything: only the demo calls this service. */
const unlimited = {
  take: () => ({ allowed: true, remaining: rateLimit.burst, retryAfterMs: 0 }),
  healthy: () => true,
  close: async () => undefined,
}

/**
 * Starts the service as for serving, with four exceptions: its clock is set by the caller, its IDs follow
 * from a seed, it has no rate limits, and leaked passwords count as enabled, because simulated agents look
 * them up.
 */
export async function demoService(db: Db, config: Config, seed: number): Promise<DemoService> {
  let nowMs = 0
  // Daily jobs run for all organizations. Other organizations must not be affected by the simulated time.
  const isOnlyOrganization = (await listOrganizations(db)).length === 1
  const settingsOf = orgSettingsReader()
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const idAt = idSource(seededRandom(seed + 3).byte)
  const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
  const keys = deriveKeys(master)
  const log = pino({ level: 'warn' }, process.stderr)
  const settings = await settingsWatch({ db, config, key: keys.consoleSecrets, log })
  const app = await buildApp({
    // Reports are not handed to another thread: nobody else waits, and the threads would wait for each other.
    db: { ...db, workers: undefined },
    keys,
    clock,
    makeId: () => idAt(nowMs),
    log,
    rateLimiter: unlimited,
    rateLimit,
    agentLimits: { requests: unlimited, enrollments: unlimited },
    publicUrl: config.publicUrl,
    recordsMember: 'result',
    enrollmentLinkDays: config.enrollmentLinkDays,
    dataDir: config.data,
    rangeUrl: 'https://range.example/',
    agentHeartbeatSeconds: config.agentHeartbeatSeconds,
    rawEventDays: config.rawEventDays,
    trustProxy: false,
    settings,
  })
  return {
    setTime: (seconds) => {
      nowMs = Math.max(nowMs, seconds * 1000)
    },
    send: (request) => sendRequest(app, request),
    passDay: async () => {
      if (isOnlyOrganization) await runDailyJobs({ db, clock, settingsOf, rawEventDays: config.rawEventDays })
    },
    close: async () => {
      await settings.stop()
      await app.close()
    },
  }
}

async function sendRequest(
  app: FastifyInstance,
  { method, path, headers, address, body }: DemoRequest,
): Promise<DemoAnswer> {
  const answer = await app.inject({
    method,
    url: path,
    ...(address === undefined ? {} : { remoteAddress: address }),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const { statusCode: status, payload } = answer
  if (status !== 200 && status !== 304) throw new Error(`${method} ${path} answered ${status}: ${payload}`)
  return { status, body: payload === '' ? undefined : JSON.parse(payload) }
}
