import type { Collection, RecordOf } from '@muster/contract/collection'
import type { Reader } from './sql.ts'
import { indexOf, snakeCase, tableOf } from './tables.ts'

/**
 * Records by the values of an indexed column (of a filter, or a private one), in the order of creation, without a claim
 * to change them: others may read and change them meanwhile.
 */
export async function peekRecords<C extends Collection>(
  reader: Reader,
  collection: C,
  org: number,
  member: string,
  values: readonly string[],
): Promise<RecordOf<C>[]> {
  if (values.length === 0) return []
  const table = tableOf(collection)
  const column = snakeCase(member)
  const source = reader.dialect.seek(table.name, column, indexOf(table, column))
  const rows = await reader.all<{ seq: number; record: string }>(
    `SELECT t.seq AS seq, t.record AS record FROM ${source}`,
    [JSON.stringify([...new Set(values)]), org],
  )
  return rows
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ record }) => JSON.parse(record) as RecordOf<C>)
}
