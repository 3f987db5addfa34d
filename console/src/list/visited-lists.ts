import type { ListSearch } from '../data/list-search.ts'

interface Visited {
  /** The page of the list, and what its address says of it. */
  readonly path: string
  readonly search: ListSearch
  /** The addresses of the records, in the order of the list. */
  readonly paths: readonly string[]
  /** The list has more than these. */
  readonly more?: boolean
}

/** Where the keys are in a list: at a record, and where that is. */
export interface Place {
  readonly index: number
  /** Undefined until the records have come. */
  readonly id?: string | undefined
}

const places = new Map<string, Place>()
let visited: Visited = { path: '', search: {}, paths: [] }

/** Where the keys were when a list was last shown as it is now. */
export const placeIn = (list: string): Place => places.get(list) ?? { index: 0 }

/** Keeps it, for when people come back. */
export function keepPlace(list: string, place: Place): void {
  places.set(list, place)
}

/** The place among the records as they are now: at the same one; if that has left, at the one that took its place. */
export function placeAmong(place: Place, records: readonly { readonly id: string }[]): Place {
  if (records[place.index]?.id === place.id) return place
  const found = records.findIndex(({ id }) => id === place.id)
  const index = found < 0 ? place.index : found
  const id = records[index]?.id
  return id === undefined ? place : { index, id }
}

/** Keeps what a list has shown, so that its records can be gone through one after the other, and then back to it. */
export function visit(list: Visited): void {
  visited = list
}

/** What the address said of the list of a page when it was last shown; nothing where another one was shown since. */
export const searchOf = (path: string): ListSearch => (visited.path === path ? visited.search : {})

/** Which one of the list that was last shown a record is, counted from one, and of how many. */
export function placeOf(
  path: string,
): { readonly place: number; readonly count: number; readonly more: boolean } | undefined {
  const { paths, more = false } = visited
  const index = paths.indexOf(path)
  return index < 0 ? undefined : { place: index + 1, count: paths.length, more }
}

/** The address of the record before or behind one, in the list that was last shown. */
export function neighborOf(path: string, step: 1 | -1): string | undefined {
  const index = visited.paths.indexOf(path)
  return index < 0 ? undefined : visited.paths[index + step]
}
