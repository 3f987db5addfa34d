/** Pages of a console list: any sort, console filters and a search. `list.ts` describes the planner. */
import type { Db, Reader } from '../store/sql.ts'
import { readChunks } from './chunks.ts'
import { defaultLimits, type ScanLimits, type ScanRequest } from './plan.ts'
import type { Predicate } from './predicates.ts'
import type { Cursor } from './scan.ts'
import { requestPredicates, type Search } from './search.ts'

/** A request for a sorted list, without its page. */
export interface SortedRequest extends ScanRequest {
  /** Further conditions, of filters that a module resolves itself. */
  readonly also?: readonly Predicate[]
  readonly search?: Search | undefined
}

/** A page of a sorted list. */
export interface SortedPage {
  /** Records as they are stored. */
  readonly records: readonly string[]
  /** Cursor of the next page; undefined at the end. A page can be short, or empty, and still have a next one. */
  readonly next: Cursor | undefined
}

/** Limits of the work for one page. Tests use low ones. */
export interface ScanBudget extends ScanLimits {
  /** Minimum number of rows that a page tests. */
  readonly pageRows: number
  /** Further rows are tested until this time has passed. Where tests are fast, a rare text needs few short pages. */
  readonly pageMs: number
}

const defaultBudget: ScanBudget = { ...defaultLimits, pageRows: 8000, pageMs: 60 }

interface FoundRow extends Partial<Cursor> {
  readonly record: string
  readonly seq: number
}

/**
 * Reads a page of a collection in the requested order. If the conditions reject most rows, the page ends when the budget is
 * spent, and the next page continues there. Everything but a list without conditions and computed order is
 * read off the main thread.
 */
export async function listSorted(
  db: Db,
  request: SortedRequest & { readonly cursor: Cursor | undefined; readonly limit: number },
  budget: ScanBudget = defaultBudget,
): Promise<SortedPage> {
  const { cursor, limit, filters, also = [], search, order } = request
  const isFast = Object.keys(filters).length === 0 && also.length === 0 && !search && !order
  const reader: Reader = isFast ? db : db.slow
  const predicates = await requestPredicates(request, reader)
  const found: FoundRow[] = []
  const page = (next: Cursor | undefined) => ({ records: found.map(({ record }) => record), next })
  const untilMs = performance.now() + budget.pageMs
  let rowsLeft = budget.pageRows
  for await (const chunk of readChunks(db, request, predicates, budget, { reader, cursor, limit })) {
    const { sql, params, rows, end } = chunk
    found.push(...(await chunk.reader.all<FoundRow>(`${sql} LIMIT ?`, [...params, limit - found.length + 1])))
    if (found.length > limit) {
      found.length = limit
      const last = found.at(-1)
      return page(last && { value: last.value ?? null, seq: last.seq })
    }
    rowsLeft -= rows
    if (end && rowsLeft <= 0 && performance.now() >= untilMs) return page(end)
  }
  return page(undefined)
}

/**
 * Reads all records of a list for an export, in parts. The order is always the creation order, in the direction of the
 * sort: other sort values can change between two parts, and a record would then be missed or exported twice.
 */
export async function* scanInCreationOrder(
  db: Db,
  { sort, order: _order, ...request }: SortedRequest,
  partSize: number,
): AsyncGenerator<readonly string[]> {
  const byCreation = { ...sort, member: 'creationTimestamp' }
  let cursor: Cursor | undefined
  do {
    const { records, next } = await listSorted(db, { ...request, sort: byCreation, cursor, limit: partSize })
    yield records
    cursor = next
  } while (cursor)
}
