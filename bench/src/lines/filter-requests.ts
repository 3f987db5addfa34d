import type { Collection } from '@muster/contract/collection'
import { getPage, tokensOf } from '../api-client.ts'

/** A filter with a value for it, as it stands in a query. */
export interface FilterChoice {
  readonly filter: string
  readonly how: 'common' | 'rare'
  readonly query: string
}

type Records = readonly Readonly<Record<string, unknown>>[]

/** Records from places all over a list, to learn which values are common and which are rare. */
async function sampleOf(address: string, apiKey: string, path: string): Promise<Records> {
  const tokens = await tokensOf(address, apiKey, (token) => `${path}?limit=1000&nextToken=${token}`, 20)
  const pages = await Promise.all(
    ['', ...tokens].map((token) => getPage(address, apiKey, `${path}?limit=200&nextToken=${token}`)),
  )
  return pages.flatMap((page) => page['the service'])
}

/** For every filter of a list a value that most records have and one that few have, in so far as there are both. */
export async function filterChoices(
  address: string,
  apiKey: string,
  path: string,
  collection: Collection,
): Promise<FilterChoice[]> {
  const records = await sampleOf(address, apiKey, path)
  return Object.entries(collection.filters).flatMap(([filter, { kind, member }]) =>
    valuesOf(records, kind, member).map(({ how, value }): FilterChoice => {
      return { filter, how, query: `${filter}=${encodeURIComponent(value)}` }
    }),
  )
}

type Choice = { how: FilterChoice['how']; value: string }

function valuesOf(records: Records, kind: string, member: string): Choice[] {
  const found = records.flatMap((record) => record[member] ?? []) as (string | number | boolean)[]
  if (found.length === 0) return []
  if (kind === 'after' || kind === 'before') return moments(found as number[], kind)
  if (kind === 'contains') return parts(found as string[])
  const counts = new Map<string, number>()
  for (const value of found) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  const sorted = [...counts].toSorted((one, other) => other[1] - one[1]).map(([value]) => value)
  const [common] = sorted
  const rare = sorted.at(-1)
  return choices(common, rare)
}

/** Nearly all of the time there is, and the last or first hundredth of it. */
function moments(found: readonly number[], kind: 'after' | 'before'): Choice[] {
  const sorted = found.toSorted((one, other) => one - other)
  const at = (share: number) => String(sorted[Math.floor(share * (sorted.length - 1))])
  return kind === 'after' ? choices(at(0.01), at(0.999)) : choices(at(0.99), at(0.001))
}

/** What all addresses have in common, and one of them whole. */
function parts(found: readonly string[]): Choice[] {
  return choices('example', found[Math.floor(found.length / 2)])
}

function choices(common: string | undefined, rare: string | undefined): Choice[] {
  const made: Choice[] = []
  if (common !== undefined) made.push({ how: 'common', value: common })
  if (rare !== undefined && rare !== common) made.push({ how: 'rare', value: rare })
  return made
}

/** Every filter alone, and every pair of different filters, in all their values. */
export function queriesOf(made: readonly FilterChoice[]): FilterChoice[][] {
  const pairs = made.flatMap((one, at) =>
    made.slice(at + 1).flatMap((other) => (other.filter === one.filter ? [] : [[one, other]])),
  )
  return [...made.map((choice) => [choice]), ...pairs]
}
