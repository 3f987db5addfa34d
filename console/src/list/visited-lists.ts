import type { ListSearch } from '../data/list-search.ts'

interface Visited {
  /** Path and search parameters of the list. */
  readonly path: string
  readonly search: ListSearch
  /** Paths of the records in list order. */
  readonly paths: readonly string[]
  /** Number of records, if it is known. Not all of them may be loaded. */
  readonly count?: number | undefined
}

/** Active row of a list. */
export interface ActiveRow {
  readonly index: number
  /** ID of the record; undefined until the records have loaded. */
  readonly id?: string | undefined
}

const activeRows = new Map<string, ActiveRow>()
let visited: Visited = { path: '', search: {}, paths: [] }

/** Returns the last active row of a list with the same search. */
export const activeRowOf = (list: string): ActiveRow => activeRows.get(list) ?? { index: 0 }

/** Remembers the active row, for the next rememberList. */
export function saveActiveRow(list: string, row: ActiveRow): void {
  activeRows.set(list, row)
}

/** Finds the active row among changed records: the same record, or the one that took its position. */
export function rowAmong(row: ActiveRow, records: readonly { readonly id: string }[]): ActiveRow {
  if (records[row.index]?.id === row.id) return row
  const found = records.findIndex(({ id }) => id === row.id)
  const index = found < 0 ? row.index : found
  const id = records[index]?.id
  return id === undefined ? row : { index, id }
}

/** Remembers the shown list, for navigation between its records and back to it. */
export function rememberList(list: Visited): void {
  visited = list
}

/** Returns the search parameters of the last shown list if it has this path. */
export const searchOf = (path: string): ListSearch => (visited.path === path ? visited.search : {})

/** Returns the position of a record in the last shown list, counted from one, and the length of the list if it is known. */
export function positionOf(
  path: string,
): { readonly position: number; readonly count: number | undefined } | undefined {
  const { paths, count } = visited
  const index = paths.indexOf(path)
  return index < 0 ? undefined : { position: index + 1, count }
}

/** Returns the path of the previous or next record in the last shown list. */
export function neighborOf(path: string, step: 1 | -1): string | undefined {
  const index = visited.paths.indexOf(path)
  return index < 0 ? undefined : visited.paths[index + step]
}
