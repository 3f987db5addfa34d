interface Visited {
  /** The addresses of the records, in the order of the list. */
  readonly paths: readonly string[]
  /** The list has more than these. */
  readonly more: boolean
}

const places = new Map<string, number>()
let visited: Visited = { paths: [], more: false }

/** The row that the keys were at when a list was last shown as it is now. */
export const placeIn = (list: string): number => places.get(list) ?? 0

/** Keeps it, for when people come back. */
export function keepPlace(list: string, index: number): void {
  places.set(list, index)
}

/** Keeps what a list has shown, so that its records can be gone through one after the other. */
export function visit(paths: readonly string[], more = false): void {
  visited = { paths, more }
}

/** Which one of the list that was last shown a record is, counted from one, and of how many. */
export function placeOf(
  path: string,
): { readonly place: number; readonly count: number; readonly more: boolean } | undefined {
  const index = visited.paths.indexOf(path)
  return index < 0 ? undefined : { place: index + 1, count: visited.paths.length, more: visited.more }
}

/** The address of the record before or behind one, in the list that was last shown. */
export function neighbourOf(path: string, step: 1 | -1): string | undefined {
  const index = visited.paths.indexOf(path)
  return index < 0 ? undefined : visited.paths[index + step]
}
