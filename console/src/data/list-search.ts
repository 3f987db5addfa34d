/** What the address of a list says: filters with their values, the sort, and the text searched for. */
export type ListSearch = Readonly<Record<string, string | readonly string[]>>

/** Reads the query of an address; a name that is repeated has several values. */
export function parseSearch(query: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const before = values[name]
    values[name] = before === undefined ? value : [before, value].flat()
  }
  return values
}

/** Writes what {@link parseSearch} reads; what is empty is left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** The values of a filter. */
export const valuesOf = (search: ListSearch, name: string): readonly string[] => {
  const value = search[name]
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

/** The query of the server's list for the search of an address; what the list does not know is left out. */
export function listQuery(search: ListSearch, known: ReadonlySet<string>): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of Object.keys(search).sort())
    if (known.has(name)) for (const value of valuesOf(search, name)) query.append(name, value)
  return query
}

/** Sorts of names, which begin with A. Others begin with the largest. */
const nameSorts = new Set(['name', 'email', 'friendlyName'])

/** The sort after a press on the head of a column: the usual way, the other way, then as the list comes. */
export function nextSort(sort: string | undefined, member: string): string | undefined {
  const [first, second] = nameSorts.has(member) ? [member, `-${member}`] : [`-${member}`, member]
  if (sort === first) return second
  return sort === second ? undefined : first
}

/** Values to be changed; undefined takes a filter away. */
export type SearchChange = Readonly<Record<string, string | readonly string[] | undefined>>

/** Stands in an address for a filter that a list usually has and that was taken away. */
const any = 'any'

/** The search of an address with what a list asks for when the address says nothing of it. */
export function withUsual(search: ListSearch, usual: Readonly<Record<string, string>> = {}): ListSearch {
  const entries = Object.entries({ ...usual, ...search })
  return Object.fromEntries(entries.filter(([name, value]) => !(name in usual && value === any)))
}

/** What an address has to say so that {@link withUsual} gives the change. */
export function withoutUsual(
  change: SearchChange,
  usual: Readonly<Record<string, string>> = {},
): SearchChange {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, value ?? (name in usual ? any : undefined)]),
  )
}
