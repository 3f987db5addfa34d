interface Visited {
  /** The addresses of the records, in the order of the list. */
  readonly paths: readonly string[]
}

const places = new Map<string, number>()
let visited: Visited = { paths: [] }

/** The row that the keys were at when a list was last shown as it is now. */
export const placeIn = (list: string): number => places.get(list) ?? 0

/** Keeps it, for when people come back. */
export function keepPlace(list: string, index: number): void {
  places.set(list, index)
}

/** Keeps what a list has shown, so that its records can be gone through one after the other. */
export function visit(paths: readonly string[]): void {
  visited = { paths }
}

/** The address of the record before or behind one, in the list that was last shown. */
export function neighbourOf(path: string, step: 1 | -1): string | undefined {
  const index = visited.paths.indexOf(path)
  return index < 0 ? undefined : visited.paths[index + step]
}
