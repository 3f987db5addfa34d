import {
  createRawEventTable,
  msOfId,
  rawEventColumns,
  rawEventKey,
  rawEventTable,
  weekAt,
} from '../../kernel/store/raw-event-tables.ts'
import type { Reader, SqlTx, Tx } from '../../kernel/store/sql.ts'

/** What the events of one batch have in common. */
export interface RawBatch {
  readonly org: number
  /** Empty for what administrators did. */
  readonly browserId: string
  /** The employee it was observed with; empty for what administrators did. */
  readonly employeeId: string
  /** Its place in the order of batches: a later one that touches the same records has a higher number. */
  readonly number: number
  readonly receivedMs: number
  readonly address: string | null
  readonly userAgent: string | null
}

/** An event as it is kept: its text is the JSON that was accepted. */
export interface RawEvent {
  readonly id: string
  readonly text: string
}

/** A batch as replay reads it, its events in their order. */
export interface KeptBatch extends RawBatch {
  readonly events: readonly RawEvent[]
}

const byWeek = <T extends { id: string }>(events: readonly T[]): Map<number, T[]> =>
  Map.groupBy(events, ({ id }) => weekAt(msOfId(id)))

/** The weeks that have a table. */
export const rawEventWeeks = async (db: Reader): Promise<number[]> =>
  (await db.all<{ week: number }>('SELECT week FROM raw_event_weeks ORDER BY week')).map(({ week }) => week)

/** Which of the ids this browser has reported before. */
export async function knownEventIds(
  tx: Tx,
  org: number,
  browserId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>()
  if (ids.length === 0) return known
  const weeks = new Set(await rawEventWeeks(tx))
  for (const [week, events] of byWeek(ids.map((id) => ({ id })))) {
    if (!weeks.has(week)) continue
    const source = tx.dialect.seekByValues(rawEventTable(week), 'id', rawEventKey(week))
    const rows = await tx.all<{ id: string }>(`SELECT t.id AS id FROM ${source} WHERE t.browser_id = ?`, [
      JSON.stringify(events.map(({ id }) => id)),
      org,
      browserId,
    ])
    for (const { id } of rows) known.add(id)
  }
  return known
}

/** Keeps events of one batch, in the order given; none of them may be there. */
export async function insertRawEvents(tx: Tx, batch: RawBatch, events: readonly RawEvent[]): Promise<void> {
  if (events.length === 0) return
  const placed = events.map((event, place) => ({ ...event, place }))
  const weeks = byWeek(placed)
  await makeWeeks(
    tx,
    [...weeks.keys()].sort((one, other) => one - other),
    batch.receivedMs,
  )
  for (const [week, rows] of weeks) {
    await tx.insert(
      rawEventTable(week),
      rawEventColumns,
      rows.map(({ id, place, text }) => [
        batch.org,
        id,
        batch.browserId,
        batch.employeeId,
        batch.number,
        place,
        batch.receivedMs,
        batch.address,
        batch.userAgent,
        text,
      ]),
    )
  }
}

async function makeWeeks(tx: Tx, weeks: readonly number[], nowMs: number): Promise<void> {
  const missing = async () => {
    const there = new Set(await rawEventWeeks(tx))
    return weeks.filter((week) => !there.has(week))
  }
  if ((await missing()).length === 0) return
  await tx.lock('raw event weeks')
  for (const week of await missing()) {
    await createRawEventTable(tx, week)
    await tx.insert('raw_event_weeks', ['week', 'creation_timestamp'], [[week, Math.floor(nowMs / 1000)]])
  }
}

/**
 * Keeps what was done to the inventory otherwise than by events, in its place among the batches, so that it is done
 * again when they are replayed. Call it when all that it changes is locked.
 *
 * @param id a new time-ordered id
 */
export async function insertRawAct(
  tx: Tx,
  org: number,
  { id, act, nowMs }: { id: string; act: object; nowMs: number },
): Promise<void> {
  const [number = 0] = await tx.takeNumbers(1)
  const nobody = { browserId: '', employeeId: '', address: null, userAgent: null }
  await insertRawEvents(tx, { org, number, receivedMs: nowMs, ...nobody }, [
    { id, text: JSON.stringify(act) },
  ])
}

/** Drops the tables of the weeks that ended before a time, and says how many. */
export async function dropRawEventsBefore(tx: SqlTx, ms: number): Promise<number> {
  await tx.lock('raw event weeks')
  const old = (await rawEventWeeks(tx)).filter((week) => week < weekAt(ms))
  for (const week of old) {
    await tx.run(`DROP TABLE ${rawEventTable(week)}`)
    await tx.run('DELETE FROM raw_event_weeks WHERE week = ?', [week])
  }
  return old.length
}
