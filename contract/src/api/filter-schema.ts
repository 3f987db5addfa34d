import { textFormats } from '../text/text-format.ts'
import {
  type Collection,
  type Filter,
  type FilterKind,
  filterValuesMaximum,
  offsetMaximum,
  pageLimits,
} from './collection.ts'
import { exampleOf, hasType, type JsonSchema } from './json-schema.ts'
import type { Operation } from './operation.ts'

/** The longest `nextToken` (REST contract, Paging). */
export const nextTokenLengthMaximum = 200

/** A parsed value of a query parameter. */
export type ValueSchema =
  | { type: 'string'; minLength: number; maxLength: number; pattern?: string; format?: string }
  | { type: 'string'; enum: readonly string[] }
  | { type: 'integer'; minimum: number; maximum: number; default?: number }
  | { type: 'boolean' }

/** A query parameter as data: enough to parse it, to check it, and to document it. */
export interface QueryParameter {
  readonly name: string
  readonly description: string
  /** The schema of one value. */
  readonly schema: ValueSchema
  /** At most so many values, by repeating the parameter; 1 means that it must not be repeated. */
  readonly maxValues: number
  readonly example: unknown
  /** The filter; undefined for paging and DELETE parameters. */
  readonly filter?: Filter
}

/** A contained text is at most as long as an address can be. */
const containedText: ValueSchema = { type: 'string', minLength: 1, maxLength: 254, format: textFormats.line }

/** Returns the schema of a single, non-null value of a member. */
const valueSchema = (member: JsonSchema): ValueSchema => {
  if (member.enum) return { type: 'string', enum: member.enum.filter((value) => value !== null) }
  if (hasType(member, 'boolean')) return { type: 'boolean' }
  if (hasType(member, 'integer'))
    return {
      type: 'integer',
      minimum: member.minimum ?? 0,
      maximum: member.maximum ?? Number.MAX_SAFE_INTEGER,
    }
  const { minLength = 0, maxLength = 0, pattern, format } = member
  return {
    type: 'string',
    minLength,
    maxLength,
    ...(pattern === undefined ? {} : { pattern }),
    ...(format === undefined ? {} : { format }),
  }
}

const memberOf = (collection: Collection, filter: Filter): JsonSchema => {
  const member = (collection.record.properties as Record<string, JsonSchema>)[filter.member]
  if (!member) throw new Error(`${collection.name} has no member ${filter.member} to filter by`)
  return member
}

/** The schema of one value of a filter, derived from the member that it looks at. */
export const filterValueSchema = (collection: Collection, filter: Filter): ValueSchema => {
  if (filter.kind === 'contains') return containedText
  const member = memberOf(collection, filter)
  return valueSchema(member.items ?? member)
}

const meanings: Record<FilterKind, string> = {
  exact: 'Only records where this is equal.',
  contains: 'Only records where this contains the text, in upper or lower case.',
  has: 'Only records where one of these is equal.',
  all: 'Only records that have all the values given; repeat the parameter for several.',
  after: 'Only records where this is at the time given or later.',
  before: 'Only records where this is earlier than the time given.',
}

const filterParameter = (collection: Collection, name: string, filter: Filter): QueryParameter => {
  const member = memberOf(collection, filter)
  return {
    name,
    description: filter.description ?? `${meanings[filter.kind]} ${member.description}`,
    schema: filterValueSchema(collection, filter),
    maxValues: filter.kind === 'all' ? filterValuesMaximum : 1,
    example: exampleOf(member.items ?? member),
    filter,
  }
}

/** The parameters of every list, after its filters. */
const pagingParameters: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'Number of objects to return.',
    schema: { type: 'integer', ...pageLimits },
    maxValues: 1,
    example: pageLimits.default,
  },
  {
    name: 'nextToken',
    description: 'Token for the next page. Must not be set together with offset. Empty counts as not set.',
    schema: { type: 'string', minLength: 0, maxLength: nextTokenLengthMaximum },
    maxValues: 1,
    example: '',
  },
  {
    name: 'offset',
    description: 'Number of objects to skip. Must not be set together with nextToken.',
    schema: { type: 'integer', minimum: 0, maximum: offsetMaximum },
    maxValues: 1,
    example: 0,
  },
]

/**
 * The query parameters of an operation, in the order of the reference: filters, then paging. A DELETE with a
 * value has that one; every other call has none. What is not listed is not accepted.
 */
export const queryParameters = (operation: Operation): readonly QueryParameter[] => {
  if (operation.kind === 'get') return []
  if (operation.kind === 'list') {
    const { collection } = operation
    return [
      ...Object.entries(collection.filters).map(([name, filter]) =>
        filterParameter(collection, name, filter),
      ),
      ...pagingParameters,
    ]
  }
  const name = operation.valueInQuery
  const member = name && (operation.body?.properties as Record<string, JsonSchema> | undefined)?.[name]
  if (!name || !member) return []
  return [
    {
      name,
      description: `${member.description} Give it here or in the body, not in both.`,
      schema: valueSchema(member),
      maxValues: 1,
      example: exampleOf(member),
    },
  ]
}
