import { operations } from '@muster/contract/api/api'
import type { Filter } from '@muster/contract/api/collection'
import { hasType, type JsonSchema } from '@muster/contract/api/json-schema'
import { responseSchema } from '@muster/contract/api/openapi'
import { methodOf, type Operation } from '@muster/contract/api/operation'

/** Rule about parts of the contract, with samples that prove that violations are detected. */
export interface ContractRule<T> {
  /** Guarantee as a sentence. */
  guarantee: string
  keeps: (part: T) => boolean
  bad: readonly T[]
  good: readonly T[]
  /** Locations that may violate the rule, each with its reason. A location that complies must be removed. */
  exceptions: Readonly<Record<string, string>>
}

/** Part of the contract and its location: operation and field. */
export interface Placed<T> {
  place: string
  part: T
}

/** A schema within a request or a response. */
export interface SchemaPart {
  schema: JsonSchema
  in: 'body' | 'response'
}

/** Filter, and the member that it applies to, if it exists. */
export interface FilterPart {
  filter: Filter
  member: JsonSchema | undefined
}

/** Returns a schema and all schemas within it. */
export function walk(place: string, part: SchemaPart): Placed<SchemaPart>[] {
  const { properties = {}, items, anyOf = [] } = part.schema
  const under = (name: string, schema: JsonSchema) => walk(`${place}${name}`, { ...part, schema })
  return [
    { place, part },
    ...Object.entries(properties).flatMap(([name, member]) => under(`.${name}`, member)),
    ...(items ? under('[]', items) : []),
    ...anyOf.flatMap((choice, index) => under(`|${index}`, choice)),
  ]
}

const declared = Object.entries(operations) as [string, Operation][]

export const operationParts: Placed<Operation>[] = declared.map(([place, part]) => ({ place, part }))

/** Body and response schemas of every operation. */
export const rootSchemas: Placed<SchemaPart>[] = declared.flatMap(([id, operation]) => {
  const response: Placed<SchemaPart> = {
    place: `${id} response`,
    part: { schema: responseSchema(operation, 'records'), in: 'response' },
  }
  const body = operation.kind === 'action' ? (operation.body as JsonSchema | undefined) : undefined
  return body ? [response, { place: `${id} body`, part: { schema: body, in: 'body' } }] : [response]
})

export const schemaParts: Placed<SchemaPart>[] = rootSchemas.flatMap(({ place, part }) => walk(place, part))

export const filterParts: Placed<FilterPart>[] = declared.flatMap(([id, operation]) => {
  if (operation.kind !== 'list') return []
  const members: Record<string, JsonSchema> = operation.collection.record.properties
  return Object.entries(operation.collection.filters).map(([name, filter]) => ({
    place: `${id} ${name}`,
    part: { filter, member: members[filter.member] },
  }))
})

/** Returns the locations that violate a rule, and unnecessary exceptions. */
export function contractViolations<T>(rule: ContractRule<T>, parts: readonly Placed<T>[]): string[] {
  const offenders = new Set(parts.filter(({ part }) => !rule.keeps(part)).map(({ place }) => place))
  return [
    ...[...offenders].filter((place) => !(place in rule.exceptions)),
    ...Object.keys(rule.exceptions)
      .filter((place) => !offenders.has(place))
      .map((place) => `${place} is an exception but complies: remove it from the list`),
  ]
}

const inBody = (schema: JsonSchema): SchemaPart => ({ schema, in: 'body' })
const inResponse = (schema: JsonSchema): SchemaPart => ({ schema, in: 'response' })

export const schemaRules: ContractRule<SchemaPart>[] = [
  {
    guarantee: 'every field says of what type it is',
    keeps: ({ schema }) =>
      schema.type !== undefined || schema.enum !== undefined || schema.anyOf !== undefined,
    bad: [inBody({}), inBody({ description: 'Anything.' })],
    good: [inBody({ type: 'boolean' }), inBody({ enum: ['A'] }), inBody({ anyOf: [] })],
    exceptions: {},
  },
  {
    guarantee: 'every string has a greatest length',
    keeps: ({ schema }) =>
      !hasType(schema, 'string') || schema.enum !== undefined || Number.isSafeInteger(schema.maxLength),
    bad: [inBody({ type: 'string' }), inBody({ type: ['string', 'null'], minLength: 1 })],
    good: [inBody({ type: 'string', maxLength: 5 }), inBody({ type: 'string', enum: ['A'] })],
    exceptions: {},
  },
  {
    guarantee: 'every array has items and a greatest number of them',
    keeps: ({ schema }) =>
      !hasType(schema, 'array') || (schema.items !== undefined && Number.isSafeInteger(schema.maxItems)),
    bad: [
      inBody({ type: 'array', items: { type: 'boolean' } }),
      inBody({ type: 'array', maxItems: 3 }),
      inBody({ type: ['array', 'null'], items: { type: 'boolean' } }),
    ],
    good: [inBody({ type: 'array', items: { type: 'boolean' }, maxItems: 3 })],
    exceptions: {},
  },
  {
    guarantee: 'every number has a least and a greatest value, and is an integer',
    keeps: ({ schema }) =>
      !hasType(schema, 'number') &&
      (!hasType(schema, 'integer') || (schema.minimum !== undefined && schema.maximum !== undefined)),
    bad: [
      inBody({ type: 'integer' }),
      inBody({ type: 'integer', minimum: 0 }),
      inBody({ type: 'number', minimum: 0, maximum: 1 }),
    ],
    good: [inBody({ type: 'integer', minimum: 0, maximum: 9 })],
    exceptions: {},
  },
  {
    guarantee: 'every object is closed and declares its members',
    keeps: ({ schema }) =>
      !hasType(schema, 'object') ||
      (schema.additionalProperties === false && schema.properties !== undefined),
    bad: [
      inBody({ type: 'object', properties: {} }),
      inBody({ type: 'object', additionalProperties: false }),
    ],
    good: [inBody({ type: 'object', properties: {}, additionalProperties: false })],
    exceptions: {},
  },
  {
    guarantee: 'every field has a description, as a sentence',
    keeps: ({ schema }) => /\.$/.test(schema.description ?? ''),
    bad: [inBody({ type: 'boolean' }), inBody({ type: 'boolean', description: '' })],
    good: [inBody({ type: 'boolean', description: 'True if enabled.' })],
    exceptions: {},
  },
  {
    guarantee: 'every field that is not an object has an example',
    keeps: ({ schema }) => hasType(schema, 'object') || (schema.examples?.length ?? 0) > 0,
    bad: [inBody({ type: 'boolean' }), inBody({ type: 'boolean', examples: [] })],
    good: [inBody({ type: 'boolean', examples: [false] }), inBody({ type: 'object' })],
    exceptions: {},
  },
  {
    guarantee: 'every declared member of a response is always present',
    keeps: ({ schema, in: where }) =>
      where === 'body' ||
      Object.keys(schema.properties ?? {}).every((name) => schema.required?.includes(name)),
    bad: [
      inResponse({ type: 'object', properties: { a: {} } }),
      inResponse({ properties: { a: {} }, required: ['b'] }),
    ],
    good: [inResponse({ properties: { a: {} }, required: ['a'] }), inBody({ properties: { a: {} } })],
    exceptions: {},
  },
]

const instant: JsonSchema = { type: 'integer', minimum: 0, maximum: 9 }
const name: JsonSchema = { type: ['string', 'null'], maxLength: 9 }
const names: JsonSchema = { type: 'array', items: { type: 'string' } }

export const filterRules: ContractRule<FilterPart>[] = [
  {
    guarantee: 'every filter looks at a member that the record has',
    keeps: ({ member }) => member !== undefined,
    bad: [{ filter: { kind: 'exact', member: 'no' }, member: undefined }],
    good: [{ filter: { kind: 'exact', member: 'name' }, member: name }],
    exceptions: {},
  },
  {
    guarantee: 'a time filter looks at an integer',
    keeps: ({ filter, member = {} }) =>
      !['after', 'before'].includes(filter.kind) || hasType(member, 'integer'),
    bad: [
      { filter: { kind: 'after', member: 'name' }, member: name },
      { filter: { kind: 'before', member: 'names' }, member: names },
    ],
    good: [{ filter: { kind: 'after', member: 'instant' }, member: instant }],
    exceptions: {},
  },
  {
    guarantee: 'a filter for several values, or for one of several, looks at an array; no other does',
    keeps: ({ filter, member = {} }) => ['has', 'all'].includes(filter.kind) === hasType(member, 'array'),
    bad: [
      { filter: { kind: 'all', member: 'name' }, member: name },
      { filter: { kind: 'exact', member: 'names' }, member: names },
    ],
    good: [{ filter: { kind: 'has', member: 'names' }, member: names }],
    exceptions: {},
  },
  {
    guarantee: 'a filter for a part of a text looks at a text',
    keeps: ({ filter, member = {} }) =>
      filter.kind !== 'contains' || (hasType(member, 'string') && !member.enum),
    bad: [
      { filter: { kind: 'contains', member: 'instant' }, member: instant },
      { filter: { kind: 'contains', member: 'kind' }, member: { type: 'string', enum: ['A'] } },
    ],
    good: [{ filter: { kind: 'contains', member: 'name' }, member: name }],
    exceptions: {},
  },
]

const list = operations.listApps
const update = operations.updateApp
const deletion = operations.deleteAppLabel
const without = (operation: Operation, member: string): Operation =>
  ({ ...operation, [member]: undefined }) as Operation

const bodyOf = (operation: Operation): JsonSchema =>
  (operation.kind === 'action' ? (operation.body as JsonSchema | undefined) : undefined) ?? {}

export const operationRules: ContractRule<Operation>[] = [
  {
    guarantee: 'every operation has a summary',
    keeps: ({ summary }) => Boolean(summary),
    bad: [without(list, 'summary'), { ...list, summary: '' }],
    good: [list],
    exceptions: {},
  },
  {
    guarantee: 'every action says in a sentence what it does',
    keeps: (operation) => operation.kind !== 'action' || /\.$/.test(operation.description ?? ''),
    bad: [without(update, 'description')],
    good: [list, update],
    exceptions: {},
  },
  {
    guarantee: 'an update takes at least one member, and demands none',
    keeps: (operation) => {
      const body = bodyOf(operation) as JsonSchema & { minProperties?: number }
      return methodOf(operation) !== 'PATCH' || (body.minProperties === 1 && !body.required?.length)
    },
    bad: [without(update, 'body'), { ...update, body: operations.addEmployee.body } as Operation],
    good: [update, list],
    exceptions: {},
  },
  {
    guarantee: 'a value that may stand in the query is the one member of the body',
    keeps: (operation) =>
      operation.kind !== 'action' ||
      operation.valueInQuery === undefined ||
      Object.keys(bodyOf(operation).properties ?? {}).join() === operation.valueInQuery,
    bad: [without(deletion, 'body'), { ...deletion, valueInQuery: 'group' } as Operation],
    good: [deletion, update],
    exceptions: {},
  },
]
