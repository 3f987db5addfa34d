import type { Collection } from '@muster/contract/api/collection'
import { employees } from '@muster/contract/records/employee'
import { facetCounter } from '../../kernel/query/facet-filters.ts'
import { firstSequenceOf } from '../../kernel/store/sequence.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { indexOf, scanIndexOf, snakeCase, type Table, tableOf } from '../../kernel/store/tables.ts'

/** Condition that a member has a value. */
export interface MemberValue {
  readonly member: string
  readonly value: string | boolean
}

/** Rows per statement, to let other reads of the thread run in between. */
const chunkRows = 20_000

const storedValue = ({ value }: MemberValue): string | number =>
  typeof value === 'boolean' ? Number(value) : value

const indexFor = (table: Table, { member }: MemberValue): string => indexOf(table, snakeCase(member))

/**
 * Counts the records created in each of several consecutive windows. Reads only a narrow index of these windows.
 *
 * @param bounds UNIX seconds: each value but the last starts a window that ends before the next value
 * @param having counts only records with this value
 */
export async function countCreated(
  db: Reader,
  collection: Collection,
  org: number,
  bounds: readonly number[],
  having?: MemberValue,
): Promise<number[]> {
  const table = tableOf(collection)
  const index = db.dialect.indexedBy(having ? indexFor(table, having) : scanIndexOf(table))
  const also = having ? `${snakeCase(having.member)} = ?` : 'unlisted = 0'
  const windows = bounds.slice(0, -1)
  const counted = windows.map(
    (_, at) =>
      `SELECT ${at} AS place, count(*) AS count FROM ${table.name}${index} WHERE org = ? AND ${also} AND seq >= ? AND seq < ?`,
  )
  const params = windows.flatMap((from, at) => [
    org,
    ...(having ? [storedValue(having)] : []),
    firstSequenceOf(from),
    firstSequenceOf(bounds[at + 1] ?? from),
  ])
  const rows = await db.all<{ place: number; count: number }>(counted.join(' UNION ALL '), params)
  const counts = windows.map(() => 0)
  for (const { place, count } of rows) counts[place] = count
  return counts
}

/** Counts the licensed employees, and those of them with an active browser. */
export async function countCovered(db: Reader, org: number): Promise<{ licensed: number; covered: number }> {
  const { dialect } = db
  const source = `SELECT org, id, seq FROM employees${dialect.indexedBy('employees_by_licensed')}
    WHERE org = ? AND licensed = 1 AND unlisted = 0 AND seq > ? ORDER BY seq LIMIT ${chunkRows / 4}`
  const also = `EXISTS (SELECT 1 FROM browsers AS b${dialect.indexedBy('browsers_active_employee')}
    WHERE b.org = t.org AND b.employee_id = t.id AND b.is_active = 1)`
  const licensed = await facetCounter(db, org)(employees, { licensed: true })
  return { licensed, covered: await countInChunks(db, source, also, [org], []) }
}

/** Counts the rows of `source` that satisfy `also`. The last parameter of `source` is the `seq` to continue after. */
async function countInChunks(
  db: Reader,
  source: string,
  also: string,
  before: readonly (string | number)[],
  after: readonly (string | number)[],
): Promise<number> {
  const sql = `SELECT count(*) AS scanned, count(*) FILTER (WHERE ${also}) AS found, max(t.seq) AS last FROM (${source}) AS t`
  let found = 0
  let lastSeq = 0
  for (;;) {
    const row = await db.get<{ scanned: number; found: number; last: number | null }>(sql, [
      ...after,
      ...before,
      lastSeq,
    ])
    if (!row || row.last === null) return found
    found += row.found
    lastSeq = row.last
  }
}

/** Counts the active browsers of licensed employees, in chunks. */
export function countLicensedBrowsers(db: Reader, org: number): Promise<number> {
  const { dialect } = db
  const source = `SELECT org, employee_id, seq FROM browsers${dialect.indexedBy('browsers_by_is_active')}
    WHERE org = ? AND is_active = 1 AND seq > ? ORDER BY seq LIMIT ${chunkRows}`
  const also = `EXISTS (SELECT 1 FROM employees AS e${dialect.indexedBy('employees_id')}
    WHERE e.org = t.org AND e.id = t.employee_id AND e.licensed = 1)`
  return countInChunks(db, source, also, [org], [])
}

/** Counts the stolen credentials of an organization, and their distinct addresses. */
export async function countStolenCredentials(
  db: Reader,
  org: number,
): Promise<{ count: number; addresses: number }> {
  const sql =
    'SELECT count(*) AS count, count(DISTINCT address_hmac) AS addresses FROM stolen_credentials WHERE org = ?'
  return (await db.get<{ count: number; addresses: number }>(sql, [org])) ?? { count: 0, addresses: 0 }
}
