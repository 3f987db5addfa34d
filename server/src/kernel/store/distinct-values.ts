import type { Collection } from '@muster/contract/api/collection'
import type { Param, Reader } from './sql.ts'
import { hiddenRecordsFilterOf, indexOf, type Side, scanIndexOf, type Table, tableOf } from './tables.ts'
import { columnValue, sideValue } from './values.ts'

/** Values per statement. Each costs one index lookup. */
const valuesPerRead = 1000

/** Maximum number of values that are read for one response. */
const maximumValues = 20_000

/** Index that has the values of a member. */
interface Source {
  readonly table: Table
  readonly from: string
  readonly column: string
  readonly side: Side | undefined
}

function sourceOf(db: Reader, collection: Collection, member: string): Source {
  const table = tableOf(collection)
  const side = table.sides.find((one) => one.member === member)
  if (side) return { table, from: side.table, column: 'value', side }
  const column = table.columns.find((one) => one.member === member && one.search === 'exact')
  if (!column) throw new Error(`${collection.name} has no index of the values of ${member}`)
  const from = table.name + db.dialect.indexedBy(indexOf(table, column.name))
  return { table, from, column: column.name, side: undefined }
}

/**
 * Reads the distinct values of a member in order, in parts. The member must have an equality filter. Each value is found by
 * a lookup of the next greater one, so the cost depends on the number of values, not of rows.
 */
export async function* distinctValues(
  db: Reader,
  org: number,
  collection: Collection,
  member: string,
): AsyncGenerator<readonly string[]> {
  const source = sourceOf(db, collection, member)
  const { from, column } = source
  const next = (bound: string) => `SELECT min(${column}) FROM ${from} WHERE org = ? AND ${column} ${bound}`
  for (let after: string | undefined, left = maximumValues; left > 0; left -= valuesPerRead) {
    const sql = `WITH RECURSIVE found (value) AS (
      ${next(after === undefined ? `>= ''` : '> ?')}
      UNION ALL
      SELECT (${next('> found.value')}) FROM found WHERE found.value IS NOT NULL
    ) SELECT value FROM found WHERE value IS NOT NULL LIMIT ${valuesPerRead}`
    const params: Param[] = [org, ...(after === undefined ? [] : [after]), org]
    const values = (await db.all<{ value: string }>(sql, params)).map(({ value }) => value)
    if (values.length > 0)
      yield await Promise.all(values.map((value) => originalText(db, org, source, member, value)))
    if (values.length < valuesPerRead) return
    after = values.at(-1)
  }
}

/** Returns the text of an indexed value. A long text is indexed by its hash and is read from a record. */
async function originalText(
  db: Reader,
  org: number,
  { table, column, side }: Source,
  member: string,
  value: string,
): Promise<string> {
  if (!value.startsWith('sha256:')) return value
  const sql = side
    ? `SELECT t.record AS record FROM ${side.table} s JOIN ${table.name} t ON t.org = s.org AND t.seq = s.seq WHERE s.org = ? AND s.value = ? LIMIT 1`
    : `SELECT record FROM ${table.name} WHERE org = ? AND ${column} = ? LIMIT 1`
  const row = await db.get<{ record: string }>(sql, [org, value])
  const held = [(JSON.parse(row?.record ?? '{}') as Record<string, unknown>)[member]].flat()
  const indexed = (text: unknown) =>
    side
      ? sideValue(side, String(text))
      : columnValue({ name: column, member, type: 'text', search: 'exact', nullable: true }, text)
  return String(held.find((text) => indexed(text) === value) ?? value)
}

/** Counts the listed records with a value of a member, from an index alone where no record is hidden. */
export async function countValue(
  db: Reader,
  org: number,
  collection: Collection,
  member: string,
  value: string,
): Promise<number> {
  const { table, from, column, side } = sourceOf(db, collection, member)
  const declared = table.columns.find((one) => one.member === member)
  const indexed = side ? sideValue(side, value) : declared ? columnValue(declared, value) : value
  const count = async (sql: string) => (await db.get<{ count: number }>(sql, [org, indexed]))?.count ?? 0
  const all = await count(`SELECT count(*) AS count FROM ${from} WHERE org = ? AND ${column} = ?`)
  if (hiddenRecordsFilterOf(collection) === '') return all
  const having = side
    ? `EXISTS (SELECT 1 FROM ${side.table} s WHERE s.org = t.org AND s.seq = t.seq AND s.value = ? LIMIT 1 OFFSET 0)`
    : `t.${column} = ?`
  const hidden = `${table.name} t${db.dialect.indexedBy(scanIndexOf(table))} WHERE t.org = ? AND t.unlisted = 1`
  return all - (await count(`SELECT count(*) AS count FROM ${hidden} AND ${having}`))
}
