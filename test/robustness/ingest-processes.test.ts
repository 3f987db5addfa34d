import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnrollmentAnswer } from '@muster/contract/agent/agent-enrollment'
import type { BatchAnswer } from '@muster/contract/agent/agent-event'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../server/src/kernel/lib/clock.ts'
import { aPassword, eventMaker } from '../support/agent-events.ts'
import { browserFacts } from '../support/agents.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { createKey, type MusterProcess, type Settings, startMuster } from '../support/muster-process.ts'

/** Eight processes on one PostgreSQL receive browser reports like a single one. */

const processes = 8
const folder = mkdtempSync(join(tmpdir(), 'muster-ingest-processes-'))
let database: FreshDatabase
let servers: MusterProcess[] = []
let key = ''
const events = eventMaker(systemClock)

beforeAll(async () => {
  database = await freshDatabase()
  const settings: Settings = {
    MUSTER_DATA: folder,
    MUSTER_DATABASE_URL: database.url,
    // The rate limit is not under test here.
    MUSTER_RATE_LIMIT_BURST: '1000',
    MUSTER_SECRET_KEY: randomBytes(32).toString('base64url'),
  }
  servers = await Promise.all(
    Array.from({ length: processes }, (_, at) =>
      startMuster({ ...settings, MUSTER_DATA: join(folder, String(at)) }),
    ),
  )
  key = (await createKey(settings, 'ada@example.com')).key
}, 300_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()))
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask<T>(
  server: MusterProcess | undefined,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<T> {
  const sent =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
  const response = await fetch(`${server?.address}${path}`, sent)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}

const api = <T>(path: string, body?: unknown): Promise<T> =>
  ask<T>(servers[0], path, { 'x-api-key': key }, body)

/** Counts the records of a list, in its only member besides `paging`. */
async function count(path: string): Promise<number> {
  const page = await api<Record<string, unknown>>(`${path}${path.includes('?') ? '&' : '?'}limit=1000`)
  return Object.values(page).find((value) => Array.isArray(value))?.length ?? -1
}

async function enrolled(email: string): Promise<EnrollmentAnswer> {
  const { id } = await api<{ id: string }>('/v1/employees', { email })
  const { enrollmentLink } = await api<{ enrollmentLink: string }>(`/v1/employees/${id}/enrollmentLink`, {})
  const token = enrollmentLink.split('/').at(-1)
  return ask<EnrollmentAnswer>(servers[1], '/agent/v1/enrol', {}, { token, browser: browserFacts() })
}

const send = (server: MusterProcess, { credential }: EnrollmentAnswer, batch: readonly unknown[]) =>
  ask<BatchAnswer>(server, '/agent/v1/events', { authorization: `Bearer ${credential}` }, { events: batch })

test('the same batch, sent by eight processes at once, counts once', async () => {
  const browser = await enrolled(`${randomUUID()}@example.com`)
  const hosts = ['zapier.com', 'www.dropbox.com', 'intranet.example.net']
  const batch = Array.from({ length: 60 }, (_, at) =>
    events.login({
      loginUrl: `https://${hosts[at % 3]}/login`,
      email: `once${at % 20}@example.com`,
      password: aPassword({ weakReasons: ['TOO_SHORT'] }),
    }),
  )
  const answers = await Promise.all(servers.map((server) => send(server, browser, batch)))
  expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(60)
  expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(60 * (processes - 1))
  expect(await count('/v1/accounts?email=once')).toBe(40)
  expect(await count('/v1/accountsOther?email=once')).toBe(20)
  expect(await count('/v1/apps')).toBe(2)
  expect(await count('/v1/findings?type=WEAK_PASSWORD')).toBe(40)
})

test('concurrent first logins of eight browsers to an account, each through its own process, create one account', async () => {
  const browsers: EnrollmentAnswer[] = []
  for (let at = 0; at < processes; at++) browsers.push(await enrolled(`${randomUUID()}@example.com`))
  for (let round = 0; round < 5; round++) {
    const email = `shared${round}@example.com`
    await Promise.all(
      servers.map((server, at) => {
        const browser = browsers[at]
        if (!browser) throw new Error('fewer browsers than processes')
        const batch = [
          events.login({ email, loginUrl: 'https://app.asana.com/login' }),
          events.login({ email, loginUrl: `https://new${round}.example.org/` }),
        ]
        // In different orders.
        return send(server, browser, at % 2 ? batch : batch.reverse())
      }),
    )
    expect(await count(`/v1/accounts?email=${email}`)).toBe(1)
    expect(await count(`/v1/accountsOther?email=${email}`)).toBe(1)
    const page = await api<Record<string, unknown>>(`/v1/accounts?email=${email}`)
    const [account] = (Object.values(page).find(Array.isArray) ?? []) as { id: string }[]
    expect(await count(`/v1/accounts/${account?.id}/usedBy`)).toBe(processes)
    expect(await count(`/v1/findings?type=SHARED_ACCOUNT&accountId=${account?.id}`)).toBe(1)
  }
}, 300_000)
