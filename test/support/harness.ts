import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { type Environment, loadConfig } from '../../server/src/kernel/config/config.ts'
import type { Store } from '../../server/src/kernel/events/unit-of-work.ts'
import { memoryRateLimiter } from '../../server/src/kernel/http/rate-limit/rate-limit.ts'
import { type FakeClock, fakeClock, unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { newApiKey } from '../../server/src/kernel/lib/secrets/api-key.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { type DerivedKeys, deriveKeys } from '../../server/src/kernel/lib/secrets/secret.ts'
import { addOrganization } from '../../server/src/kernel/organizations/organizations.ts'
import { openStore } from '../../server/src/kernel/store/lifecycle/open.ts'
import type { Db } from '../../server/src/kernel/store/sql.ts'
import { type AppOptions, buildApp } from '../../server/src/main/app.ts'
import { insertApiKey, type Permission } from '../../server/src/modules/api-keys/api-keys.service.ts'
import { type SettingsWatch, settingsWatch } from '../../server/src/modules/settings/settings-watch.ts'
import { freshStorePlace, type StorePlace } from './database.ts'
import type { StoreName } from './stores.ts'

/** Organization with an API key. */
export interface Caller {
  org: number
  key: string
  keyId: string
}

/** JSON response, untyped for tests. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type JsonValue = any

export interface HarnessResponse<T = JsonValue> {
  status: number
  headers: Readonly<Record<string, string>>
  body: T
  text: string
}

/** Complete server on its own store, with a clock that moves only on request. */
export interface Harness {
  app: FastifyInstance
  db: Store
  /** Folder of the SQLite files. */
  dataDir: string
  clock: FakeClock
  settings: SettingsWatch
  keys: DerivedKeys
  log: Logger
  /** Adds an organization. */
  addOrganization(name: string): Promise<number>
  /** Adds an organization with a key. */
  addCaller(permission?: Permission): Promise<Caller>
  /** Adds a key, by default with its own holder, so rate limits are separate. */
  addKey(
    org: number,
    permission?: Permission,
    more?: { holder?: string; expiryTimestamp?: number },
  ): Promise<Caller>
  /** Sends a request with the caller's key, or without one. Advances the clock by 1 s to avoid rate limits. */
  call<T = JsonValue>(
    caller: Caller | null,
    method: string,
    url: string,
    more?: CallOptions,
  ): Promise<HarnessResponse<T>>
  close(): Promise<void>
}

export interface CallOptions {
  body?: unknown
  /** Raw body in place of `body`. */
  payload?: string | Buffer
  headers?: Record<string, string>
  /** Does not advance the clock, for tests of rate limits. */
  still?: boolean
}

export interface HarnessOptions {
  /** Location of the store, which its creator removes; by default its own. */
  place?: StorePlace['options']
  recordsMember?: string
  trustProxy?: boolean
  /** Settings of the operator, as environment variables. */
  env?: Environment
  /** Other options of the server. */
  app?: Partial<AppOptions>
  /** Wraps the store that the server uses. */
  storeSeen?: (db: Db) => Db
}

/** Starts a server before the first test of the calling file or `describe`, and closes it after the last. */
export function useHarness(store: StoreName, options: HarnessOptions = {}): Harness {
  const harness = {} as Harness
  beforeAll(async () => {
    Object.assign(harness, await startHarness(store, options))
  })
  afterAll(() => harness.close())
  return harness
}

/** Starts the server on its own store. Close it when done. */
export async function startHarness(store: StoreName, options: HarnessOptions = {}): Promise<Harness> {
  const clock = fakeClock()
  const { place } = options
  const { options: at, drop } = place ? { options: place, drop: () => {} } : await freshStorePlace(store)
  const { dataDir } = at
  const db = await openStore({ ...at, connections: 4, clock }, unixSeconds(clock))
  const rateLimit = { sustained: 10, burst: 10 }
  const keys = deriveKeys(Buffer.alloc(32, 7))
  const log = pino({ level: 'silent' })
  const config = loadConfig({ env: options.env ?? {}, flags: { data: dataDir }, cwd: dataDir })
  const settings = await settingsWatch({ db, config, key: keys.consoleSecrets, log })
  const app = await buildApp({
    db: options.storeSeen?.(db) ?? db,
    keys,
    clock,
    log,
    rateLimiter: memoryRateLimiter({ ...rateLimit, clock }),
    rateLimit,
    publicUrl: 'https://muster.test',
    recordsMember: options.recordsMember ?? 'the service',
    enrollmentLinkDays: 14,
    dataDir,
    rangeUrl: undefined,
    agentHeartbeatSeconds: 300,
    rawEventDays: 90,
    trustProxy: options.trustProxy ?? false,
    settings,
    ...options.app,
  })
  const organization = async (name: string) =>
    (await db.inTransaction((tx) => addOrganization(tx, newId(clock.nowMs()), name, unixSeconds(clock)))).no
  return {
    app,
    db,
    dataDir,
    clock,
    settings,
    keys,
    log,
    addOrganization: organization,
    addCaller: async (permission) =>
      addKey(db, clock, await organization(newId(clock.nowMs())), permission ?? 'FULL_ACCESS', {}),
    addKey: (org, permission = 'FULL_ACCESS', more = {}) => addKey(db, clock, org, permission, more),
    call: (caller, method, url, more) => call(app, clock, caller, method, url, more),
    close: async () => {
      await settings.stop()
      await app.close()
      await db.close()
      await drop()
    },
  }
}

async function addKey(
  db: Db,
  clock: FakeClock,
  org: number,
  permission: Permission,
  more: { holder?: string; expiryTimestamp?: number },
): Promise<Caller> {
  const { key, start, hash } = newApiKey()
  const id = newId(clock.nowMs())
  await db.inTransaction((tx) =>
    insertApiKey(tx, {
      org,
      id,
      name: 'test',
      holder: more.holder ?? `${id}@example.com`,
      permission,
      start,
      hash,
      creationTimestamp: unixSeconds(clock),
      expiryTimestamp: more.expiryTimestamp ?? null,
      lastUsedTimestamp: null,
      revokedTimestamp: null,
      replacedBy: null,
    }),
  )
  return { org, key, keyId: id }
}

async function call(
  app: FastifyInstance,
  clock: FakeClock,
  caller: Caller | null,
  method: string,
  url: string,
  more: CallOptions = {},
): Promise<HarnessResponse> {
  if (!more.still) clock.advanceMs(1000)
  const payload = more.payload ?? (more.body === undefined ? undefined : JSON.stringify(more.body))
  const headers = {
    ...(caller ? { 'x-api-key': caller.key } : {}),
    ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...more.headers,
  }
  const request = { method, url, headers, ...(payload === undefined ? {} : { payload }) } as InjectOptions
  const response = await app.inject(request)
  const type = String(response.headers['content-type'] ?? '')
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    body: type.includes('json') && response.body !== '' ? JSON.parse(response.body) : undefined,
    text: response.body,
  }
}
