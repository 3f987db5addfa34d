import { type ApiError, invalidRequest, type Mistake } from '@muster/contract/api/errors'
import type { QueryParameter, ValueSchema } from '@muster/contract/api/filter-schema'
import { canonicalText } from '@muster/contract/text/text-format'
import { characterCount, storable } from '../lib/text.ts'
import { patternMessage } from './schema-mistakes.ts'

/** Query values by parameter name. */
export type QueryValues = Readonly<Record<string, unknown>>

const none: QueryValues = Object.freeze({})

/**
 * Parses the query of a URL. Unknown parameters, parameters that must not be repeated and wrong types are mistakes (REST
 * contract, rule 7). All mistakes are reported at once.
 *
 * @throws ApiError invalid_request
 */
export function readQuery(url: string, parameters: ReadonlyMap<string, QueryParameter>): QueryValues {
  const start = url.indexOf('?')
  if (start < 0 || start === url.length - 1) return none
  const mistakes: Mistake[] = []
  const found = new Map<string, string[]>()
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const middle = pair.indexOf('=')
    const rawName = middle < 0 ? pair : pair.slice(0, middle)
    const name = decode(rawName)
    const value = middle < 0 ? '' : decode(pair.slice(middle + 1))
    if (name === undefined || value === undefined) {
      mistakes.push({
        in: 'query',
        name: shown(name ?? rawName),
        message: 'must be percent-encoded UTF-8',
      })
      continue
    }
    const known = parameterOf(parameters, name)
    if (known) found.set(known.name, [...(found.get(known.name) ?? []), value])
    else mistakes.push({ in: 'query', name: shown(name), message: unknownMessage(parameters) })
  }
  const values: Record<string, unknown> = {}
  for (const [name, texts] of found) {
    const parameter = parameters.get(name) as QueryParameter
    const result = readParameter(parameter, texts)
    if ('message' in result) mistakes.push({ in: 'query', name, message: result.message })
    else if (result.value !== undefined) values[name] = result.value
  }
  if (isGiven(found, 'nextToken') && isGiven(found, 'offset')) mistakes.push(...bothGiven)
  if (mistakes.length > 0) throw invalidRequest(mistakes)
  return values
}

/** Returns the name of an unknown parameter for display. */
const shown = (name: string): string => name.slice(0, 100) || '(a parameter without a name)'

/** Returns true if a parameter is set, even if invalid. An empty nextToken counts as not set: collectors send it first. */
const isGiven = (found: ReadonlyMap<string, readonly string[]>, name: string): boolean =>
  found.get(name)?.some((text) => name !== 'nextToken' || text !== '') ?? false

/** Mistakes of a request that sets both (REST API document, 4.3). */
const bothGiven: Mistake[] = [
  { in: 'query', name: 'nextToken', message: 'must not be set together with offset' },
  { in: 'query', name: 'offset', message: 'must not be set together with nextToken' },
]

const unknownMessage = (parameters: ReadonlyMap<string, QueryParameter>): string =>
  parameters.size === 0
    ? 'is not a parameter of this call, which takes none'
    : `is not a parameter of this call; it takes ${[...parameters.keys()].join(', ')}`

function parameterOf(
  parameters: ReadonlyMap<string, QueryParameter>,
  name: string,
): QueryParameter | undefined {
  const known = parameters.get(name)
  if (known) return known
  const list = name.endsWith('[]') ? parameters.get(name.slice(0, -2)) : undefined
  return list && list.maxValues > 1 ? list : undefined
}

function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

type Result = { value: unknown } | { message: string }

function readParameter({ name, schema, maxValues }: QueryParameter, texts: readonly string[]): Result {
  if (maxValues === 1) {
    if (texts.length > 1) return { message: 'must be given only once' }
    if (name === 'nextToken' && texts[0] === '') return { value: undefined }
    return readValue(schema, texts[0] ?? '')
  }
  if (texts.length > maxValues) return { message: `must be given at most ${maxValues} times` }
  const values = new Set<unknown>()
  for (const text of texts) {
    const result = readValue(schema, text)
    if ('message' in result) return result
    values.add(result.value)
  }
  return { value: [...values] }
}

/** Reads one value by its schema, or says what would be right. */
function readValue(schema: ValueSchema, text: string): Result {
  if (schema.type === 'boolean') {
    return text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { message: 'must be true or false' }
  }
  if (schema.type === 'integer') {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    const right = value >= schema.minimum && value <= schema.maximum
    if (right) return { value }
    const noun = /^-?\d+$/.test(text) ? '' : 'a whole number '
    return { message: `must be ${noun}between ${schema.minimum} and ${schema.maximum}` }
  }
  if ('enum' in schema) {
    return schema.enum.includes(text)
      ? { value: text }
      : { message: `must be one of ${schema.enum.join(', ')}` }
  }
  // Not refused by the format: filters must find records that are older than it.
  const value = schema.format === undefined ? text : canonicalText(schema.format, text)
  if (!storable(value)) return { message: 'must not contain a NUL character or an unpaired surrogate' }
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(value))
    return { message: patternMessage(schema.pattern) }
  const length = characterCount(value)
  if (length < schema.minLength || length > schema.maxLength) {
    const bounds =
      schema.minLength > 0 ? `${schema.minLength} to ${schema.maxLength}` : `at most ${schema.maxLength}`
    return { message: `must have ${bounds} characters` }
  }
  return { value }
}

/** Returns the error for a nextToken of another list or server. */
export const invalidPagingToken = (): ApiError =>
  invalidRequest([
    {
      in: 'query',
      name: 'nextToken',
      message:
        'must be the nextToken of the previous page, with the same endpoint and filters; omit it to start over',
    },
  ])
