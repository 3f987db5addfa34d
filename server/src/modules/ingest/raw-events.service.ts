import {
  createRawEventTable,
  msOfId,
  rawEventColumns,
  rawEventKey,
  rawEventTable,
  weekAt,
} from '../../kernel/store/raw-event-tables.ts'
import type { Reader, SqlTx, Tx } from '../../kernel/store/sql.ts'

/** Members that all events of a batch share. */
export interface RawBatch {
  readonly org: number
  /** Empty for operations of administrators. */
  readonly browserId: string
  /** Employee of the browser's credential; empty for operations of administrators. */
  readonly employeeId: string
  /** Position in the order of batches: later batches that touch the same records have higher numbers. */
  readonly number: number
  readonly receivedMs: number
  readonly address: string | null
  readonly userAgent: string | null
}

/** Stored event. The text is the accepted JSON. */
export interface RawEvent {
  readonly id: string
  readonly text: string
}

/** Batch as read by a replay, with its events in order. */
export interface StoredBatch extends RawBatch {
  readonly events: readonly RawEvent[]
}

const byWeek = <T extends { id: string }>(events: readonly T[]): Map<number, T[]> =>
  Map.groupBy(events, ({ id }) => weekAt(msOfId(id)))

/** Returns the weeks that have a table. */
export const rawEventWeeks = async (db: Reader): Promise<number[]> =>
  (await db.all<{ week: number }>('SELECT week FROM raw_event_weeks ORDER BY week')).map(({ week }) => week)

/** Returns the IDs that this browser has reported before. */
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

/** Stores the events of a batch in the given order. None of them may be stored already. */
export async function insertRawEvents(tx: Tx, batch: RawBatch, events: readonly RawEvent[]): Promise<void> {
  if (events.length === 0) return
  const placed = events.map((event, place) => ({ ...event, place }))
  const weeks = byWeek(placed)
  await createWeekTables(
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

async function createWeekTables(tx: Tx, weeks: readonly number[], nowMs: number): Promise<void> {
  const missing = async () => {
    const existing = new Set(await rawEventWeeks(tx))
    return weeks.filter((week) => !existing.has(week))
  }
  if ((await missing()).length === 0) return
  await tx.lock('raw event weeks')
  for (const week of await missing()) {
    await createRawEventTable(tx, week)
    await tx.insert('raw_event_weeks', ['week', 'creation_timestamp'], [[week, Math.floor(nowMs / 1000)]])
  }
}

/**
 * Stores an operation that changed the inventory without agent events, in order with the batches, for replays
 * to repeat it. Call it after locking all records that the operation changes.
 *
 * @param id new time-ordered ID
 * @param id a new time-ordered id
 */
export async function insertRawOperation(
  tx: Tx,
  org: number,
  { id, operation, nowMs }: { id: string; operation: object; nowMs: number },
): Promise<void> {
  const [number = 0] = await tx.takeNumbers(1)
  const batch = {
    org,
    number,
    receivedMs: nowMs,
    browserId: '',
    employeeId: '',
    address: null,
    userAgent: null,
  }
  await insertRawEvents(tx, batch, [{ id, text: JSON.stringify(operation) }])
}

/**
 * Drops the tables of the weeks that ended before a time.
 *
 * @returns the number of dropped tables
 */
export async function dropRawEventsBefore(tx: SqlTx, ms: number): Promise<number> {
  await tx.lock('raw event weeks')
  const old = (await rawEventWeeks(tx)).filter((week) => week < weekAt(ms))
  for (const week of old) {
    await tx.run(`DROP TABLE ${rawEventTable(week)}`)
    await tx.run('DELETE FROM raw_event_weeks WHERE week = ?', [week])
  }
  return old.length
}
