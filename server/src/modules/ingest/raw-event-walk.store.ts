import { rawEventTable } from '../../kernel/store/raw-event-tables.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { type KeptBatch, rawEventWeeks } from './raw-events.service.ts'

/** So many events of a week are read at once, and the rest of the last batch. */
const rowsPerRead = 500

interface Row extends Omit<KeptBatch, 'events' | 'org'> {
  readonly id: string
  readonly place: number
  readonly text: string
}

const columns = `batch AS number, place, id, browser_id AS "browserId", employee_id AS "employeeId",
  received_ms AS "receivedMs", address, user_agent AS "userAgent", event AS text`

/** All batches of an organization in their order, some at a time: a batch is never parted. */
export async function* walkRawBatches(reader: Reader, org: number): AsyncGenerator<KeptBatch[]> {
  const tables = (await rawEventWeeks(reader)).map(rawEventTable)
  for (let after = -1; ; ) {
    const until = await endOfPart(reader, tables, org, after)
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

/** The last batch of the next part: of each table no more than a bounded number of batches are before it. */
async function endOfPart(
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

function batchesOf(org: number, rows: readonly Row[]): KeptBatch[] {
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
