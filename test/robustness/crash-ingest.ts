import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../server/src/kernel/lib/clock.ts'
import { eventMaker } from '../support/agent-events.ts'
import { browserFacts } from '../support/agents.ts'
import { createKey, type MusterProcess, startMuster } from '../support/muster-process.ts'
import { until } from '../support/until.ts'
import { soundness } from './crash-round.ts'

/** Result of killing a server while browsers report. */
export interface IngestCrash {
  /** Milliseconds after the first acknowledged batch. */
  readonly killedAfterMs: number
  /** Number of events acknowledged before the kill. */
  readonly acknowledged: number
  /** Acknowledged events that are not stored, or not in the inventory. */
  readonly lost: readonly string[]
  /** Number of events sent again after the restart; and events that are stored twice or have created two records. */
  readonly repeated: number
  readonly doubled: readonly string[]
  readonly integrity: string
}

/** Batch of events. Each event is a login to its own account, whose name is the mark. */
interface SentBatch {
  readonly marks: readonly string[]
  readonly events: readonly object[]
}

const browsersReporting = 4
const eventsPerBatch = 25
const make = eventMaker(systemClock)

/**
 * Starts a server on an empty folder, reports, kills and restarts it, sends open batches again, and inspects the
 * store.
 */
export async function ingestCrash(killedAfterMs: number): Promise<IngestCrash> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-crash-'))
  const settings = {
    MUSTER_DATA: folder,
    MUSTER_RATE_LIMIT_SUSTAINED: '1000000',
    MUSTER_RATE_LIMIT_BURST: '1000000',
  }
  const file = join(folder, 'muster.db')
  let server: MusterProcess | undefined
  try {
    server = await startMuster(settings)
    const { key } = await createKey(settings, 'ada@example.com')
    const { address } = server
    const credentials: string[] = []
    for (let at = 0; at < browsersReporting; at++) credentials.push(await enroll(address, key))
    const acknowledged: SentBatch[] = []
    const open = new Map<string, SentBatch>()
    const reporting = credentials.map((credential) =>
      reportUntilRefused(address, credential, acknowledged, open),
    )
    await until('first batch', () => (acknowledged.length > 0 ? true : undefined))
    await wait(killedAfterMs)
    await server.kill()
    await Promise.all(reporting)
    const integrity = soundness(file)
    const marks = acknowledged.flatMap((batch) => batch.marks)
    const lost = notOnce(file, marks)

    server = await startMuster(settings)
    for (const [credential, batch] of open) await send(server.address, credential, batch)
    const all = [...marks, ...[...open.values()].flatMap((batch) => batch.marks)]
    await server.stop()
    server = undefined
    return {
      killedAfterMs,
      acknowledged: marks.length,
      lost,
      repeated: open.size * eventsPerBatch,
      doubled: notOnce(file, all),
      integrity,
    }
  } finally {
    await server?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function enroll(address: string, key: string): Promise<string> {
  const post = async (path: string, body?: object) => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as { id: string; enrollmentLink: string; credential: string }
  }
  const { id } = await post('/v1/employees', { email: `${randomUUID()}@example.com`, licensed: true })
  const { enrollmentLink } = await post(`/v1/employees/${id}/enrollmentLink`)
  const token = enrollmentLink.split('/').at(-1)
  return (await post('/agent/v1/enrol', { token, browser: browserFacts() })).credential
}

function newBatch(): SentBatch {
  const marks = Array.from({ length: eventsPerBatch }, () => randomUUID())
  return { marks, events: marks.map((mark) => make.login({ email: `${mark}@example.com` })) }
}

async function reportUntilRefused(
  address: string,
  credential: string,
  acknowledged: SentBatch[],
  open: Map<string, SentBatch>,
): Promise<void> {
  for (;;) {
    const batch = newBatch()
    open.set(credential, batch)
    const taken = await send(address, credential, batch).then(
      () => true,
      () => false,
    )
    if (!taken) return
    acknowledged.push(batch)
    open.delete(credential)
  }
}

/**
 * Sends a batch, and waits when rate limited. @throws Error if the server does not respond
 */
async function send(address: string, credential: string, { events }: SentBatch): Promise<void> {
  for (;;) {
    const response = await fetch(`${address}/agent/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    })
    const text = await response.text()
    if (response.status === 200) return
    if (response.status !== 429) throw new Error(`${response.status} ${text}`)
    await wait(50)
  }
}

/** Returns the marks that are not exactly once in the raw events, and once as an account with one user. */
function notOnce(file: string, marks: readonly string[]): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const weeks = database.prepare('SELECT week FROM raw_event_weeks').all() as { week: number }[]
    const kept = weeks.flatMap(({ week }) =>
      countBy(database, `SELECT event AS text FROM raw_events_${week}`),
    )
    const accounts = countBy(
      database,
      'SELECT a.record AS text FROM accounts a JOIN used_by u ON u.org = a.org AND u.account_id = a.id',
    )
    const keptCount = tally(kept)
    const accountCount = tally(accounts)
    return marks.filter((mark) => keptCount.get(mark) !== 1 || accountCount.get(mark) !== 1)
  } finally {
    database.close()
  }
}

const countBy = (database: DatabaseSync, sql: string): string[] =>
  (database.prepare(sql).all() as { text: string }[]).flatMap(
    ({ text }) => (JSON.parse(text) as { email?: string }).email?.replace('@example.com', '') ?? [],
  )

function tally(marks: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  return counts
}
