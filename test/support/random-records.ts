import type { Collection } from '@muster/contract/api/collection'
import { hasType, type JsonSchema } from '@muster/contract/api/json-schema'
import { fc } from './fast-check.ts'

/** Untyped record, or part of one. */
export type AnyRecord = Record<string, unknown>

/** Characters that are special in SQL, LIKE, FTS5, JSON or case folding, and a few plain ones. */
const character = fc.constantFrom(
  ...[
    'a',
    'A',
    'b',
    'B',
    '1',
    '@',
    '.',
    '-',
    ' ',
    '%',
    '_',
    '\\',
    '"',
    "'",
    '*',
    '(',
    'é',
    'É',
    'ß',
    'İ',
    'Σ',
    'ς',
    '漢',
    '😀',
    '\u0301',
  ],
)

/** Short texts of few characters, so one often contains another. */
const oddText = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(character, { minLength, maxLength }).map((characters) => characters.join(''))

/** Longer than the text that an index stores. */
const longText = `${'x'.repeat(299)}é`
const someTexts = ['a', 'A', "o'brien", '50%', 'a_b', 'a\\b', 'É', 'é', longText, `${longText}y`]

/** Few timestamps, so many records share one. */
const moments = { minimum: 1_000, maximum: 1_006 }

/** Returns recurring values of a member, so filters match some of them. */
function memberValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const kinds: fc.Arbitrary<unknown>[] = []
  if (hasType(schema, 'null')) kinds.push(fc.constant(null))
  if (hasType(schema, 'boolean')) kinds.push(fc.boolean())
  if (hasType(schema, 'integer')) kinds.push(fc.integer({ min: moments.minimum, max: moments.maximum }))
  if (hasType(schema, 'string')) {
    const { maxLength = 64 } = schema
    const known = someTexts.filter((text) => text.length <= maxLength)
    kinds.push(fc.oneof(fc.constantFrom(...known), oddText(1, Math.min(8, maxLength))))
  }
  if (hasType(schema, 'array')) {
    const { items = {}, maxItems = 8 } = schema
    kinds.push(fc.array(memberValue(items), { maxLength: Math.min(4, maxItems) }))
  }
  if (hasType(schema, 'object')) kinds.push(recordOf(schema))
  return fc.oneof(...kinds)
}

const recordOf = (schema: JsonSchema): fc.Arbitrary<AnyRecord> =>
  fc.record(
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, member]) => [name, memberValue(member)]),
    ),
  )

/** Returns records of a collection whose members have few distinct values; IDs may repeat. */
export const randomRecord = (collection: Collection): fc.Arbitrary<AnyRecord> =>
  recordOf(collection.record as JsonSchema)

/** Returns values for filters of a collection, with and without matches. */
export function randomFilters(collection: Collection): fc.Arbitrary<AnyRecord> {
  const properties = collection.record.properties as Readonly<Record<string, JsonSchema>>
  const value = (name: string): fc.Arbitrary<unknown> => {
    const { kind, member } = collection.filters[name] ?? { kind: 'exact', member: name }
    const schema = properties[member] ?? {}
    const one = memberValue(schema.items ?? schema).filter((found) => found !== null)
    if (kind === 'contains') return oddText(1, 4)
    return kind === 'all' ? fc.uniqueArray(one, { minLength: 1, maxLength: 3 }) : one
  }
  // With more filters hardly any record would match.
  return fc
    .subarray(Object.keys(collection.filters), {
      maxLength: Math.min(3, Object.keys(collection.filters).length),
    })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, value(name)]))))
}

/** Evaluates filters on a record in memory, according to the REST contract (Filters). */
export function meets(collection: Collection, filters: AnyRecord, record: AnyRecord): boolean {
  if (collection.name === 'employees' && !('mergedIntoId' in filters) && record.mergedIntoId !== null)
    return false
  return Object.entries(filters).every(([name, wanted]) => {
    const filter = collection.filters[name]
    if (!filter) throw new Error(`${collection.name} has no filter ${name}`)
    const value = record[filter.member]
    const fold = (text: unknown) => (filter.foldsCase ? String(text).toLowerCase() : text)
    switch (filter.kind) {
      case 'exact':
        return value === wanted
      case 'contains':
        return typeof value === 'string' && value.toLowerCase().includes(String(wanted).toLowerCase())
      case 'has':
      case 'all':
        return [wanted].flat().every((one) => (value as unknown[]).some((held) => fold(held) === fold(one)))
      case 'after':
        return value !== null && Number(value) >= Number(wanted)
      case 'before':
        return value !== null && Number(value) < Number(wanted)
    }
    return filter.kind satisfies never
  })
}
