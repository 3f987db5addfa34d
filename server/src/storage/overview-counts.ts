import type { Collection } from '@muster/contract/collection'
import { employees } from '@muster/contract/employee'
import { firstSequenceOf } from './sequence.ts'
import type { Reader } from './sql.ts'
import { indexOf, snakeCase, type Table, tableOf, walkIndexOf } from './tables.ts'

/** A member of a record and the value that it has. */
export interface Having {
  readonly member: string
  readonly value: string | boolean
}

/** Rows that one statement looks at, so that other reads of the thread come in between. */
const stretchRows = 20_000

const shown = ({ value }: Having): string | number => (typeof value === 'boolean' ? Number(value) : value)

const indexFor = (table: Table, { member }: Having): string => indexOf(table, snakeCase(member))

/**
 * How many records were created in each of a row of windows, which reads no more than a narrow index of those.
 *
 * @param bounds UNIX seconds: each but the last begins a window that ends before the next
 * @param having only these records
 */
export async function countCreated(
  db: Reader,
  collection: Collection,
  org: number,
  bounds: readonly number[],
  having?: Having,
): Promise<number[]> {
  const table = tableOf(collection)
  const index = db.dialect.indexedBy(having ? indexFor(table, having) : walkIndexOf(table))
  const also = having ? `${snakeCase(having.member)} = ?` : 'unlisted = 0'
  const windows = bounds.slice(0, -1)
  const counted = windows.map(
    (_, at) =>
      `SELECT ${at} AS place, count(*) AS count FROM ${table.name}${index} WHERE org = ? AND ${also} AND seq >= ? AND seq < ?`,
  )
  const params = windows.flatMap((from, at) => [
    org,
    ...(having ? [shown(having)] : []),
    firstSequenceOf(from),
    firstSequenceOf(bounds[at + 1] ?? from),
  ])
  const rows = await db.all<{ place: number; count: number }>(counted.join(' UNION ALL '), params)
  const counts = windows.map(() => 0)
  for (const { place, count } of rows) counts[place] = count
  return counts
}

/** How many records have a value, by its index. */
export async function countHaving(
  db: Reader,
  collection: Collection,
  org: number,
  having: Having,
): Promise<number> {
  const table = tableOf(collection)
  const index = db.dialect.indexedBy(indexFor(table, having))
  const sql = `SELECT count(*) AS count FROM ${table.name}${index} WHERE org = ? AND ${snakeCase(having.member)} = ?`
  return (await db.get<{ count: number }>(sql, [org, shown(having)]))?.count ?? 0
}

/** How many records have both of two values, by both indexes and a stretch at a time. */
export async function countHavingBoth(
  db: Reader,
  collection: Collection,
  org: number,
  one: Having,
  other: Having,
): Promise<number> {
  const table = tableOf(collection)
  const { dialect } = db
  const source = `SELECT org, seq FROM ${table.name}${dialect.indexedBy(indexFor(table, one))}
    WHERE org = ? AND ${snakeCase(one.member)} = ? AND seq > ? ORDER BY seq LIMIT ${stretchRows}`
  const also = `EXISTS (SELECT 1 FROM ${table.name} AS o${dialect.indexedBy(indexFor(table, other))}
    WHERE o.org = t.org AND o.${snakeCase(other.member)} = ? AND o.seq = t.seq)`
  return inStretches(db, source, also, [org, shown(one)], [shown(other)])
}

/** How many licensed employees there are, and how many of them have an active browser. */
export async function countCovered(db: Reader, org: number): Promise<{ licensed: number; covered: number }> {
  const { dialect } = db
  const source = `SELECT org, id, seq FROM employees${dialect.indexedBy('employees_by_licensed')}
    WHERE org = ? AND licensed = 1 AND unlisted = 0 AND seq > ? ORDER BY seq LIMIT ${stretchRows / 4}`
  const also = `EXISTS (SELECT 1 FROM browsers AS b${dialect.indexedBy('browsers_by_employee_id')}
    WHERE b.org = t.org AND b.employee_id = t.id AND b.is_active = 1)`
  const licensed = await countHaving(db, employees, org, { member: 'licensed', value: true })
  return { licensed, covered: await inStretches(db, source, also, [org], []) }
}

/** Counts the rows of `source` that meet `also`; `source` ends with its place in the order of `seq`. */
async function inStretches(
  db: Reader,
  source: string,
  also: string,
  before: readonly (string | number)[],
  after: readonly (string | number)[],
): Promise<number> {
  const sql = `SELECT count(*) AS looked, count(*) FILTER (WHERE ${also}) AS found, max(t.seq) AS last FROM (${source}) AS t`
  let found = 0
  let place = 0
  for (;;) {
    const row = await db.get<{ looked: number; found: number; last: number | null }>(sql, [
      ...after,
      ...before,
      place,
    ])
    if (!row || row.last === null) return found
    found += row.found
    place = row.last
  }
}

/** How many accounts have a password that was seen. */
export async function countPasswordAccounts(db: Reader, org: number): Promise<number> {
  const index = db.dialect.indexedBy('accounts_by_password_id')
  const sql = `SELECT count(*) AS count FROM accounts${index} WHERE org = ? AND password_id IS NOT NULL`
  return (await db.get<{ count: number }>(sql, [org]))?.count ?? 0
}

/** What is known of second factors of the accounts that were used last, `most` of them. */
export async function countSecondFactors(
  db: Reader,
  org: number,
  most: number,
): Promise<{ looked: number; registered: number; missing: number }> {
  const { dialect } = db
  const index = dialect.indexedBy('accounts_by_last_used_timestamp')
  const holds = dialect.holds('record')
  const sql = `SELECT count(*) AS looked, count(*) FILTER (WHERE ${holds}) AS registered, count(*) FILTER (WHERE ${holds}) AS missing
    FROM (SELECT record FROM accounts${index} WHERE org = ? AND last_used_timestamp IS NOT NULL
      ORDER BY last_used_timestamp DESC, seq DESC LIMIT ${most}) AS t`
  // Within the texts of a record, quotation marks are escaped: nothing else in it reads like its member.
  const params = ['"mfaRegistered":true', '"mfaRegistered":false', org]
  const row = await db.get<{ looked: number; registered: number; missing: number }>(sql, params)
  return row ?? { looked: 0, registered: 0, missing: 0 }
}

/** How many stolen credentials an organisation has, and of how many addresses. */
export async function countStolenCredentials(
  db: Reader,
  org: number,
): Promise<{ count: number; addresses: number }> {
  const sql =
    'SELECT count(*) AS count, count(DISTINCT address_hmac) AS addresses FROM stolen_credentials WHERE org = ?'
  return (await db.get<{ count: number; addresses: number }>(sql, [org])) ?? { count: 0, addresses: 0 }
}
