import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import { expect, inject, onTestFinished, test } from 'vitest'
import { environmentName, settingNames } from '../../server/src/kernel/config/config-settings.ts'
import type { StreamSettings } from '../../server/src/modules/streams/stream-declarations.ts'
import postgres from '../../server/vendor/postgres/src/index.js'
import { freshDatabase } from '../support/database.ts'
import { createKey, runMuster, type Settings, startMuster } from '../support/muster-process.ts'
import { rsyslog } from '../support/rsyslog.ts'
import { newSinkStates, sinkKinds } from '../support/sink-kinds.ts'
import { startSinkReceiver } from '../support/sink-receiver.ts'
import { STORES } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { writeUntilRefused } from './crash-webhooks.ts'

/** Receiver of a killed server. */
interface CrashReceiver {
  readonly settings: Partial<StreamSettings>
  /** Number of received requests. */
  requests(): number
  /** IDs of received events, as often as they came. */
  ids(): Promise<readonly string[]>
}

/** Times that the server is killed. */
const kills = 4

const environmentOf = (settings: Partial<StreamSettings>): Settings =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = (settings as Record<string, unknown>)[name]
      return value === undefined ? [] : [[environmentName(name), String(value)]]
    }),
  )

/** Starts a receiver for each kind of HTTP sink. Every sixth request to one fails, in turn in each of the usual ways. */
async function startHttpReceivers(): Promise<Record<string, CrashReceiver>> {
  const { 'Splunk without acknowledgment': _, ...kinds } = sinkKinds
  const started = Object.entries(kinds).map(async ([name, { behavior, settings }]) => {
    const behave = behavior(newSinkStates())
    let count = 0
    const receiver = await startSinkReceiver((request, stored) => {
      count += 1
      // Stored events count, although the server does not learn that they arrived.
      const answer = behave(request, stored)
      const fault = (['reset', 'cut', { status: 503 }, { status: 413 }] as const)[Math.floor(count / 6) % 4]
      return count % 6 === 0 && fault ? fault : answer
    })
    onTestFinished(() => receiver.close())
    return [
      name,
      {
        settings: settings(receiver.url),
        requests: () => receiver.requests.length,
        ids: async () => receiver.ids,
      },
    ] as const
  })
  return Object.fromEntries(await Promise.all(started))
}

function redisReceiver(): CrashReceiver {
  const redis = new Redis(inject('redisUrl'))
  onTestFinished(() => redis.disconnect())
  const key = `crash:${randomUUID()}`
  const settings = { eventsRedisUrl: inject('redisUrl'), eventsRedisStream: key, eventsRedisMaxLength: 0 }
  const ids = async () =>
    (await redis.xrange(key, '-', '+')).map(([, fields]) => fields[fields.indexOf('id') + 1] ?? '')
  return { settings, requests: () => 0, ids }
}

async function syslogReceiver(): Promise<CrashReceiver> {
  const receiver = await rsyslog('tcp')
  onTestFinished(() => receiver.close())
  await receiver.start()
  const ids = async () => receiver.messages().flatMap((message) => / id="([^"]+)"/.exec(message)?.[1] ?? [])
  return { settings: { eventsSyslogUrl: `tcp://127.0.0.1:${receiver.port}` }, requests: () => 0, ids }
}

function fileReceiver(folder: string): CrashReceiver {
  const ids = async () =>
    readdirSync(folder).flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .flatMap((line) => (line.endsWith('}') ? [(JSON.parse(line) as { id: string }).id] : [])),
    )
  return { settings: { eventsFile: join(folder, 'events.jsonl') }, requests: () => 0, ids }
}

for (const store of STORES)
  test(`a killed server on ${store} loses no event of any sink or batch, and repeats only equal IDs`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-sinks-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const database = store === 'postgres' ? await freshDatabase() : undefined
    onTestFinished(() => database?.drop())
    const batches = await startReceiver()
    onTestFinished(() => batches.close())
    const webhook: CrashReceiver = {
      settings: {},
      requests: () => batches.requests.length,
      ids: async () =>
        batches.requests.flatMap(({ body }) => (JSON.parse(body) as { id: string }[]).map(({ id }) => id)),
    }
    const receivers: Readonly<Record<string, CrashReceiver>> = {
      ...(await startHttpReceivers()),
      Redis: redisReceiver(),
      syslog: await syslogReceiver(),
      file: fileReceiver(mkdtempSync(join(folder, 'events-'))),
      'webhook with batches': webhook,
    }
    const settings: Settings = {
      ...Object.assign({}, ...Object.values(receivers).map((one) => environmentOf(one.settings))),
      ...(database && { MUSTER_DATABASE_URL: database.url }),
      MUSTER_DATA: join(folder, 'data'),
      MUSTER_EVENTS_OBJECTS: 'EMPLOYEE',
      MUSTER_WEBHOOKS_ALLOW_PRIVATE: '1',
      MUSTER_RATE_LIMIT_SUSTAINED: '1000000',
      MUSTER_RATE_LIMIT_BURST: '1000000',
    }
    /** Events of the store, and of those the ones that wait for a receiver. */
    const stored = async (isWaiting: boolean): Promise<string[]> => {
      const sql = isWaiting
        ? `SELECT event_id AS id FROM webhook_deliveries WHERE state = 'PENDING' LIMIT 1`
        : 'SELECT id FROM events ORDER BY id'
      if (!database) {
        const file = new DatabaseSync(join(folder, 'data', 'muster.db'), { readOnly: true })
        const rows = file.prepare(sql).all() as { id: string }[]
        file.close()
        return rows.map(({ id }) => id)
      }
      const client = postgres(database.url, { max: 1, onnotice: () => {} })
      const rows = await client.unsafe<{ id: string }[]>(sql)
      await client.end()
      return rows.map(({ id }) => id)
    }

    let server = await startMuster(settings)
    onTestFinished(() => server.kill())
    const { key } = await createKey(settings, 'ada@example.com')
    const add = ['webhooks', 'add', '--url', batches.url, '--objects', 'EMPLOYEE', '--batch', '20']
    expect((await runMuster(add, settings)).code).toBe(0)
    const requests = () => Object.values(receivers).reduce((sum, one) => sum + one.requests(), 0)
    for (let round = 0; round < kills; round += 1) {
      const { address } = server
      const writing = [0, 1].map(() => writeUntilRefused(address, key))
      const enough = requests() + randomInt(5, 60)
      await until('requests', () => requests() >= enough)
      await server.kill()
      await Promise.all(writing)
      server = await startMuster(settings)
    }
    await until('the end of all deliveries', async () => (await stored(true)).length === 0, 120_000)
    const events = await stored(false)
    expect(events.length).toBeGreaterThan(kills)
    let repeats = 0
    for (const [name, { ids }] of Object.entries(receivers)) {
      const received = await ids()
      expect([name, [...new Set(received)].toSorted()]).toEqual([name, events])
      repeats += received.length - events.length
    }
    expect(repeats).toBeGreaterThan(0)
  }, 300_000)
