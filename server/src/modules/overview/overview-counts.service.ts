import type { Collection } from '@muster/contract/collection'
import { employees } from '@muster/contract/employee'
import { mfaStates } from '../../kernel/store/derived-columns.ts'
import { firstSequenceOf } from '../../kernel/store/sequence.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { indexOf, scanIndexOf, snakeCase, type Table, tableOf } from '../../kernel/store/tables.ts'

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
  const index = db.dialect.indexedBy(having ? indexFor(table, having) : scanIndexOf(table))
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

/** Counts the listed records that have a value, by its index. */
export async function countHaving(
  db: Reader,
  collection: Collection,
  org: number,
  having: Having,
): Promise<number> {
  const table = tableOf(collection)
  const index = db.dialect.indexedBy(indexFor(table, having))
  const sql = `SELECT count(*) AS count FROM ${table.name} AS t${index}
    WHERE t.org = ? AND t.${snakeCase(having.member)} = ? AND ${db.dialect.hiddenFlag} = 0`
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
  return withChunkRows(db, source, also, [org, shown(one)], [shown(other)])
}

/** How many licensed employees there are, and how many of them have an active browser. */
export async function countCovered(db: Reader, org: number): Promise<{ licensed: number; covered: number }> {
  const { dialect } = db
  const source = `SELECT org, id, seq FROM employees${dialect.indexedBy('employees_by_licensed')}
    WHERE org = ? AND licensed = 1 AND unlisted = 0 AND seq > ? ORDER BY seq LIMIT ${stretchRows / 4}`
  const also = `EXISTS (SELECT 1 FROM browsers AS b${dialect.indexedBy('browsers_by_employee_id')}
    WHERE b.org = t.org AND b.employee_id = t.id AND b.is_active = 1)`
  const licensed = await countHaving(db, employees, org, { member: 'licensed', value: true })
  return { licensed, covered: await withChunkRows(db, source, also, [org], []) }
}

/** Counts the rows of `source` that meet `also`; `source` ends with its place in the order of `seq`. */
async function withChunkRows(
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

/** Counts all accounts by what is known of their second factor. */
export async function countSecondFactors(
  db: Reader,
  org: number,
): Promise<{ registered: number; missing: number; unknown: number }> {
  const index = db.dialect.indexedBy('accounts_by_mfa')
  const sql = `SELECT mfa, count(*) AS count FROM accounts${index} WHERE org = ? GROUP BY mfa`
  const rows = await db.all<{ mfa: number | null; count: number }>(sql, [org])
  const of = (state: number) => rows.find(({ mfa }) => mfa === state)?.count ?? 0
  const [registered, missing] = [of(mfaStates.REGISTERED), of(mfaStates.NOT_REGISTERED)]
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  return { registered, missing, unknown: all - registered - missing }
}

/** How many stolen credentials an organization has, and of how many addresses. */
export async function countStolenCredentials(
  db: Reader,
  org: number,
): Promise<{ count: number; addresses: number }> {
  const sql =
    'SELECT count(*) AS count, count(DISTINCT address_hmac) AS addresses FROM stolen_credentials WHERE org = ?'
  return (await db.get<{ count: number; addresses: number }>(sql, [org])) ?? { count: 0, addresses: 0 }
}
