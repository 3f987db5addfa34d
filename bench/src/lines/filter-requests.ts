import type { Collection } from '@muster/contract/api/collection'
import { getPage, tokensOf } from '../api-client.ts'

/** A filter with a value, as a query parameter. */
export interface FilterChoice {
  readonly filter: string
  readonly frequency: 'common' | 'rare'
  readonly query: string
}

type Records = readonly Readonly<Record<string, unknown>>[]

/** Samples records from all over a list, to find common and rare values. */
async function sampleOf(address: string, apiKey: string, path: string): Promise<Records> {
  const tokens = await tokensOf(address, apiKey, (token) => `${path}?limit=1000&nextToken=${token}`, 20)
  const pages = await Promise.all(
    ['', ...tokens].map((token) => getPage(address, apiKey, `${path}?limit=200&nextToken=${token}`)),
  )
  return pages.flatMap((page) => page['the service'])
}

/** Returns a common and a rare value for each filter of a list, if there are both. */
export async function filterChoices(
  address: string,
  apiKey: string,
  path: string,
  collection: Collection,
): Promise<FilterChoice[]> {
  const records = await sampleOf(address, apiKey, path)
  return Object.entries(collection.filters).flatMap(([filter, { kind, member }]) =>
    valuesOf(records, kind, member).map(({ frequency, value }): FilterChoice => {
      return { filter, frequency, query: `${filter}=${encodeURIComponent(value)}` }
    }),
  )
}

type Choice = { frequency: FilterChoice['frequency']; value: string }

function valuesOf(records: Records, kind: string, member: string): Choice[] {
  const found = records.flatMap((record) => record[member] ?? []) as (string | number | boolean)[]
  if (found.length === 0) return []
  if (kind === 'after' || kind === 'before') return timeChoices(found as number[], kind)
  if (kind === 'contains') return textChoices(found as string[])
  const counts = new Map<string, number>()
  for (const value of found) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  const sorted = [...counts].toSorted((one, other) => other[1] - one[1]).map(([value]) => value)
  const [common] = sorted
  const rare = sorted.at(-1)
  return choices(common, rare)
}

/** Returns a time bound that matches nearly all records, and one that matches few. */
function timeChoices(found: readonly number[], kind: 'after' | 'before'): Choice[] {
  const sorted = found.toSorted((one, other) => one - other)
  const at = (share: number) => String(sorted[Math.floor(share * (sorted.length - 1))])
  return kind === 'after' ? choices(at(0.01), at(0.999)) : choices(at(0.99), at(0.001))
}

/** Returns a text that all addresses contain, and a whole address. */
function textChoices(found: readonly string[]): Choice[] {
  return choices('example', found[Math.floor(found.length / 2)])
}

function choices(common: string | undefined, rare: string | undefined): Choice[] {
  const result: Choice[] = []
  if (common !== undefined) result.push({ frequency: 'common', value: common })
  if (rare !== undefined && rare !== common) result.push({ frequency: 'rare', value: rare })
  return result
}

/** Returns every choice alone, and every pair of choices of different filters. */
export function queriesOf(choices: readonly FilterChoice[]): FilterChoice[][] {
  const pairs = choices.flatMap((one, at) =>
    choices.slice(at + 1).flatMap((other) => (other.filter === one.filter ? [] : [[one, other]])),
  )
  return [...choices.map((choice) => [choice]), ...pairs]
}
