import { rawEventTable } from '../../kernel/store/raw-event-tables.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { rawEventWeeks, type StoredBatch } from './raw-events.service.ts'

/** Events of a week per read, plus the rest of the last batch. */
const rowsPerRead = 500

interface Row extends Omit<StoredBatch, 'events' | 'org'> {
  readonly id: string
  readonly place: number
  readonly text: string
}

const columns = `batch AS number, place, id, browser_id AS "browserId", employee_id AS "employeeId",
  received_ms AS "receivedMs", address, user_agent AS "userAgent", event AS text`

/** Reads all batches of an organization in order, in chunks of whole batches. */
export async function* readRawBatches(reader: Reader, org: number): AsyncGenerator<StoredBatch[]> {
  const tables = (await rawEventWeeks(reader)).map(rawEventTable)
  for (let after = -1; ; ) {
    const until = await lastBatchOfChunk(reader, tables, org, after)
    const rows: Row[] = []
    for (const table of tables) {
      const sql = `SELECT ${columns} FROM ${table} WHERE org = ? AND batch > ? AND batch <= ?`
      rows.push(...(await reader.all<Row>(sql, [org, after, until])))
    }
    if (rows.length > 0) yield batchesOf(org, rows)
    if (until === Number.MAX_SAFE_INTEGER) return
    after = until
  }
}

/**
 * Returns the number of the last batch of the next chunk, so that a bounded number of rows per table belongs
 * to it.
 */
async function lastBatchOfChunk(
  reader: Reader,
  tables: readonly string[],
  org: number,
  after: number,
): Promise<number> {
  const ends = [Number.MAX_SAFE_INTEGER]
  for (const table of tables) {
    const sql = `SELECT batch FROM ${table} WHERE org = ? AND batch > ? ORDER BY org, batch LIMIT 1 OFFSET ${rowsPerRead}`
    const row = await reader.get<{ batch: number }>(sql, [org, after])
    if (row) ends.push(row.batch)
  }
  return Math.min(...ends)
}

function batchesOf(org: number, rows: readonly Row[]): StoredBatch[] {
  const sorted = rows.toSorted((one, other) => one.number - other.number || one.place - other.place)
  return [...Map.groupBy(sorted, ({ number }) => number).values()].map((events) => {
    const [{ number, browserId, employeeId, receivedMs, address, userAgent }] = events as [Row, ...Row[]]
    return {
      org,
      number,
      browserId,
      employeeId,
      receivedMs,
      address,
      userAgent,
      events: events.map(({ id, text }) => ({ id, text })),
    }
  })
}
