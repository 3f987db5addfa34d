import type { Param, Reader } from '../store/sql.ts'
import type { Part, Scan, Source } from './scan.ts'

/** Values that a list is sorted by and that no column has. */
export interface ComputedOrder {
  /** Statement that selects the `seq` and the `value` of all rows of the organization. */
  readonly sql: string
  readonly params: readonly Param[]
  readonly type: 'text' | 'integer'
}

/** Parts of a list in a computed order: rows with a value, then the others. */
export const computedParts: readonly [Part, Part] = [
  { key: 'd.value', index: null, condition: 'd.value IS NOT NULL' },
  { key: undefined, index: null, condition: 'd.value IS NULL' },
]

/** Returns the rows of a scan, as `t`, with their computed values, as `d`. All of them are read and sorted. */
export function computedSource(
  { dialect }: Reader,
  { table, org, hidden, after, below }: Scan,
  { sql, params }: ComputedOrder,
): Source {
  return {
    from: dialect.joinBySeq(`(${sql}) AS d`, table.name, 'd.seq'),
    fromParams: [...params, org, hidden],
    where: [{ sql: 'd.seq > ? AND d.seq < ?', params: [after, below] }],
    order: 'd.seq',
  }
}
