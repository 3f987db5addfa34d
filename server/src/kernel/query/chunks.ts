import type { Db, Param, Reader } from '../store/sql.ts'
import { planScan, type ScanLimits, type ScanRequest } from './plan.ts'
import type { Predicate } from './predicates.ts'
import { type Cursor, cursorAt, isByCreation, partsOf, selectRows, startOfNulls } from './scan.ts'

/** A range of a list: a statement for its rows that pass all tests, as `record`, `seq` and, in a sort by a column, `value`. */
export interface Chunk {
  readonly reader: Reader
  readonly sql: string
  readonly params: readonly Param[]
  /** Number of rows before their tests. */
  readonly rows: number
  /** Position from which the next chunk continues; undefined for the last chunk. */
  readonly end: Cursor | undefined
}

/** Pages' worth of rows in the first chunk. */
const pagesInFirstChunk = 8

/**
 * Generates the chunks of a list after a cursor. A list is read in chunks of rows, since its tests may reject many rows for
 * each that passes. The first chunk is small, and is read by `reader`; the others are read off the main thread.
 *
 * A value may be common at the beginning of a list and rare after it, as old timestamps are. So a list in creation order is
 * planned again after each chunk.
 */
export async function* readChunks(
  db: Db,
  request: ScanRequest,
  predicates: readonly Predicate[],
  limits: ScanLimits,
  { reader: first, cursor, limit }: { reader: Reader; cursor: Cursor | undefined; limit: number },
): AsyncGenerator<Chunk> {
  let reader = first
  let from = cursor
  let scan = await planScan(reader, request, predicates, from, limits)
  let size = Math.min(limit * pagesInFirstChunk, limits.firstRows)
  const parts = partsOf(scan)
  for (const part of parts) {
    const isLast = part === parts.at(-1)
    // A cursor without a value is past all rows that have one.
    if (from?.value === null && !isLast) continue
    while (true) {
      const isWhole = scan.tests.length === 0 || scan.selective
      const end = isWhole ? undefined : await cursorAt(reader, scan, part, from, size)
      const columns = `t.record AS record, t.seq AS seq${part.key === undefined ? '' : `, ${part.key} AS value`}`
      const statement = selectRows(reader, scan, part, columns, { from, end })
      from = end ?? (isLast ? undefined : startOfNulls)
      yield { reader, ...statement, rows: isWhole ? 0 : size, end: from }
      if (!end) break
      reader = db.slow
      size = limits.chunkRows
      if (isByCreation(request.sort)) scan = await planScan(reader, request, predicates, from, limits)
    }
  }
}
