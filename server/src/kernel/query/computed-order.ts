import type { Param } from '../store/sql.ts'
import type { Scope, Segment } from './sorted-source.ts'

/** Values that a list is sorted by and that no column has. */
export interface ComputedOrder {
  /** Statement that selects the `seq` and the `value` of all rows of the organization. */
  readonly sql: string
  readonly params: readonly Param[]
  readonly type: 'text' | 'integer'
}

/** Returns the segments of a computed order: rows with a value, then the others. All rows are read and sorted. */
export function computedSegments(
  { db, table, org, hidden, after, below }: Scope,
  { sql, params }: ComputedOrder,
): Segment[] {
  const from = db.dialect.joinBySeq(`(${sql}) AS d`, table.name, 'd.seq')
  const segment = (condition: string) => ({
    after,
    below,
    seq: 'd.seq',
    source: (first: number, last: number) => ({
      from,
      fromParams: [...params, org, hidden],
      where: [
        { sql: condition, params: [] },
        { sql: 'd.seq > ? AND d.seq < ?', params: [first, last] },
      ],
    }),
  })
  return [
    { ...segment('d.value IS NOT NULL'), key: 'd.value', nulls: false },
    { ...segment('d.value IS NULL'), key: undefined, nulls: true },
  ]
}
