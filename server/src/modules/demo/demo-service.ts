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
import { termsReader } from '../agents/org-terms.ts'
import { runDailyJobs } from '../maintenance/daily.ts'

/** A request to the service, as somebody sends it. */
export interface DemoRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The address that it comes from. */
  readonly address?: string
  readonly body?: unknown
}

/** An answer with its body, parsed; undefined where there is none. */
export interface DemoAnswer {
  readonly status: number
  readonly body: unknown
}

/** The whole service in this process, in a time of its own, without a port. */
export interface DemoService {
  /** Lets it be then. */
  setTime(seconds: number): void
  /** @throws Error for any answer but a good one: what is made up must be in order */
  ask(request: DemoRequest): Promise<DemoAnswer>
  /** Does what is due once a day. */
  passDay(): Promise<void>
  close(): Promise<void>
}

const figures = { sustained: 1_000_000, burst: 1_000_000 }

/** Refuses nobody: the demo calls the service in its own process, and no port is open. */
const unlimited = {
  take: () => ({ allowed: true, remaining: figures.burst, retryAfterMs: 0 }),
  healthy: () => true,
  close: async () => undefined,
}

/**
 * Starts the service as it is started to serve, but for four things: its clock is set by hand, its ids follow from a
 * seed, it has no rate limits, and it says that leaked passwords can be looked up, as the simulated agents have done.
 */
export async function demoService(db: Db, config: Config, seed: number): Promise<DemoService> {
  let nowMs = 0
  // What is due by the passing of time is done for all organizations; to others than this one no time passes.
  const alone = (await listOrganizations(db)).length === 1
  const termsOf = termsReader()
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const idAt = idSource(seededRandom(seed + 3).byte)
  const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
  const app = await buildApp({
    db,
    keys: deriveKeys(master),
    clock,
    makeId: () => idAt(nowMs),
    log: pino({ level: 'warn' }, process.stderr),
    rateLimiter: unlimited,
    rateLimit: figures,
    agentLimits: { requests: unlimited, enrollments: unlimited },
    publicUrl: config.publicUrl,
    recordsMember: 'result',
    enrollmentLinkDays: config.enrollmentLinkDays,
    dataDir: config.data,
    rangeUrl: 'https://range.example/',
    agentHeartbeatSeconds: config.agentHeartbeatSeconds,
    rawEventDays: config.rawEventDays,
    trustProxy: false,
  })
  return {
    setTime: (seconds) => {
      nowMs = Math.max(nowMs, seconds * 1000)
    },
    ask: (request) => ask(app, request),
    passDay: async () => {
      if (alone) await runDailyJobs({ db, clock, termsOf, rawEventDays: config.rawEventDays })
    },
    close: () => app.close(),
  }
}

async function ask(
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
