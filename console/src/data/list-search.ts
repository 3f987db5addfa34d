/** Search parameters of a list's URL: filters, sort order and search text. Undefined removes a parameter. */
export type ListSearch = Readonly<Record<string, string | readonly string[] | undefined>>

/** Parses a query string. Repeated names have several values. */
export function parseSearch(query: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const before = values[name]
    values[name] = before === undefined ? value : [before, value].flat()
  }
  return values
}

/** Inverse of {@link parseSearch}. Empty values are omitted. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Returns the values of a filter. */
export const valuesOf = (search: ListSearch, name: string): readonly string[] => {
  const value = search[name]
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

/** Returns the API query for the search parameters of a URL. Unknown parameters are omitted. */
export function listQuery(search: ListSearch, known: ReadonlySet<string>): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of Object.keys(search).sort())
    if (known.has(name)) for (const value of valuesOf(search, name)) query.append(name, value)
  return query
}

/** Members that are sorted ascending first. All others start descending. */
const nameSorts = new Set(['name', 'email', 'friendlyName', 'category'])

/** Returns the next sort order when a column header is clicked: default direction, reverse, none. */
export function nextSort(sort: string | undefined, member: string): string | undefined {
  const [first, second] = nameSorts.has(member) ? [member, `-${member}`] : [`-${member}`, member]
  if (sort === first) return second
  return sort === second ? undefined : first
}

/** Value in the URL that turns off a default filter. */
const any = 'any'

/** Filters that switch off a default filter on the same facts. Older links and saved filters have them. */
const insteadOf: Readonly<Record<string, string>> = { workStatus: 'state' }

/** Adds the default filters of a list to the search parameters of a URL. */
export function withDefaults(
  search: ListSearch,
  defaults: Readonly<Record<string, string>> = {},
): ListSearch {
  const inForce = Object.entries(defaults).filter(([name]) => search[insteadOf[name] ?? ''] === undefined)
  const entries = Object.entries({ ...Object.fromEntries(inForce), ...search })
  return Object.fromEntries(entries.filter(([name, value]) => !(name in defaults && value === any)))
}

/** Returns the URL parameters from which {@link withDefaults} produces the change. */
export function withoutDefaults(
  change: ListSearch,
  defaults: Readonly<Record<string, string>> = {},
): ListSearch {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, value ?? (name in defaults ? any : undefined)]),
  )
}
