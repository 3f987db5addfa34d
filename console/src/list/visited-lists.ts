import type { ListSearch } from '../data/list-search.ts'

interface Visited {
  /** Path and search parameters of the list. */
  readonly path: string
  readonly search: ListSearch
  /** Paths of the records in list order. */
  readonly paths: readonly string[]
  /** True if more records can be loaded. */
  readonly more?: boolean
}

/** Active row of a list. */
export interface Place {
  readonly index: number
  /** ID of the record; undefined until the records have loaded. */
  readonly id?: string | undefined
}

const places = new Map<string, Place>()
let visited: Visited = { path: '', search: {}, paths: [] }

/** Returns the last active row of a list with the same search. */
export const placeIn = (list: string): Place => places.get(list) ?? { index: 0 }

/** Remembers the active row, for the next visit. */
export function keepPlace(list: string, place: Place): void {
  places.set(list, place)
}

/** Finds the active row among changed records: the same record, or the one that took its position. */
export function placeAmong(place: Place, records: readonly { readonly id: string }[]): Place {
  if (records[place.index]?.id === place.id) return place
  const found = records.findIndex(({ id }) => id === place.id)
  const index = found < 0 ? place.index : found
  const id = records[index]?.id
  return id === undefined ? place : { index, id }
}

/** Remembers the shown list, for navigation between its records and back to it. */
export function visit(list: Visited): void {
  visited = list
}

/** Returns the search parameters of the last shown list if it has this path. */
export const searchOf = (path: string): ListSearch => (visited.path === path ? visited.search : {})

/** Returns the position of a record in the last shown list, counted from one. */
export function placeOf(
  path: string,
): { readonly place: number; readonly count: number; readonly more: boolean } | undefined {
  const { paths, more = false } = visited
  const index = paths.indexOf(path)
  return index < 0 ? undefined : { place: index + 1, count: paths.length, more }
}

/** Returns the path of the previous or next record in the last shown list. */
export function neighborOf(path: string, step: 1 | -1): string | undefined {
  const index = visited.paths.indexOf(path)
  return index < 0 ? undefined : visited.paths[index + step]
}
