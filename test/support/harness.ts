import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../../server/src/kernel/events/unit-of-work.ts'
import { memoryRateLimiter } from '../../server/src/kernel/http/rate-limit/rate-limit.ts'
import { type FakeClock, fakeClock, unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { newApiKey } from '../../server/src/kernel/lib/secrets/api-key.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { deriveKeys } from '../../server/src/kernel/lib/secrets/secret.ts'
import { addOrganization } from '../../server/src/kernel/organizations/organizations.ts'
import { openStore } from '../../server/src/kernel/store/lifecycle/open.ts'
import type { Db } from '../../server/src/kernel/store/sql.ts'
import { type AppOptions, buildApp } from '../../server/src/main/app.ts'
import { insertApiKey, type Permission } from '../../server/src/modules/api-keys/api-keys.service.ts'
import { freshStorePlace, type StorePlace } from './database.ts'
import type { StoreName } from './stores.ts'

/** What a caller has: an organization and a key of it. */
export interface Caller {
  org: number
  key: string
  keyId: string
}

/** A JSON answer, to look into without ceremony. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type JsonValue = any

export interface HarnessResponse<T = JsonValue> {
  status: number
  headers: Readonly<Record<string, string>>
  body: T
  text: string
}

/** The whole server over a real store that nobody else uses, with a clock that stands still. */
export interface Harness {
  app: FastifyInstance
  db: Store
  /** Where the embedded store keeps its files. */
  dataDir: string
  clock: FakeClock
  /** Adds an organization. */
  addOrganization(name: string): Promise<number>
  /** Adds an organization that nobody else uses, and makes a key of it. */
  addCaller(permission?: Permission): Promise<Caller>
  /** Makes a key. The holder is one of its own unless told, so that rate limits do not meet. */
  addKey(
    org: number,
    permission?: Permission,
    more?: { holder?: string; expiryTimestamp?: number },
  ): Promise<Caller>
  /** Sends a request as a caller, or without a key; lets the clock run 1 s, so that no limit is met. */
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
  /** The body as it is, when it is not to be made of `body`. */
  payload?: string | Buffer
  headers?: Record<string, string>
  /** The clock stands still: for tests of the rate limit. */
  still?: boolean
}

export interface HarnessOptions {
  /** Where the store is, which whoever made it removes; a place of its own unless told. */
  place?: StorePlace['options']
  recordsMember?: string
  trustProxy?: boolean
  /** Whatever else is to differ from the usual test server. */
  app?: Partial<AppOptions>
  /** The store as the server is to see it. */
  storeSeen?: (db: Db) => Db
}

/**
 * A server for all tests of the file or `describe` that calls this: it is started before the first of them and
 * closed after the last.
 */
export function useHarness(store: StoreName, options: HarnessOptions = {}): Harness {
  const harness = {} as Harness
  beforeAll(async () => {
    Object.assign(harness, await startHarness(store, options))
  })
  afterAll(() => harness.close())
  return harness
}

/** Starts the server on a store of its own. Close it when done. */
export async function startHarness(store: StoreName, options: HarnessOptions = {}): Promise<Harness> {
  const clock = fakeClock()
  const { place } = options
  const { options: at, drop } = place ? { options: place, drop: () => {} } : await freshStorePlace(store)
  const { dataDir } = at
  const db = await openStore({ ...at, connections: 4, clock }, unixSeconds(clock))
  const rateLimit = { sustained: 10, burst: 10 }
  const app = await buildApp({
    db: options.storeSeen?.(db) ?? db,
    keys: deriveKeys(Buffer.alloc(32, 7)),
    clock,
    log: pino({ level: 'silent' }),
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
    ...options.app,
  })
  const organization = async (name: string) =>
    (await db.inTransaction((tx) => addOrganization(tx, newId(clock.nowMs()), name, unixSeconds(clock)))).no
  return {
    app,
    db,
    dataDir,
    clock,
    addOrganization: organization,
    addCaller: async (permission) =>
      addKey(db, clock, await organization(newId(clock.nowMs())), permission ?? 'FULL_ACCESS', {}),
    addKey: (org, permission = 'FULL_ACCESS', more = {}) => addKey(db, clock, org, permission, more),
    call: (caller, method, url, more) => call(app, clock, caller, method, url, more),
    close: async () => {
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
