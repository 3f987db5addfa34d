import { foldCase } from '../../../kernel/lib/fold-case.ts'
import { characterCount, storable } from '../../../kernel/lib/text.ts'
import { booleanOf } from './filter-parse.rules.ts'
import { badRequest } from './scim-error.rules.ts'
import {
  type Attribute,
  attributeNamed,
  coreAttributes,
  extensionAttribute,
  type ResourceType,
  type Values,
} from './scim-schema.rules.ts'

/** Limits of resources. */
export const valueLimits = { characters: 8192, values: 100, resourceBytes: 64 * 1024 } as const

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalidValue = (path: string, expected: string) =>
  badRequest('invalidValue', `${path} must be ${expected}.`)

/** Returns the member of an object by name, without case (RFC 7643, section 2.1). */
export function memberNamed(object: Values, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name]
  const folded = name.toLowerCase()
  const key = Object.keys(object).find((one) => one.toLowerCase() === folded)
  return key === undefined ? undefined : object[key]
}

/** Returns true for a value that means that an attribute has none (RFC 7643, section 2.5). */
export const isUnassigned = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Reads an attribute of a request: names in their canonical form, texts such as "True" as booleans. Unknown and read-only
 * sub-attributes are left out.
 *
 * @returns undefined if the attribute is unassigned
 * @throws ScimError invalidValue
 */
export function readAttribute(attribute: Attribute, value: unknown, path: string): unknown {
  if (isUnassigned(value)) return undefined
  if (!attribute.multiValued) return readSingle(attribute, value, path)
  const list = Array.isArray(value) ? value : [value]
  if (list.length > valueLimits.values) throw invalidValue(path, `at most ${valueLimits.values} values`)
  const values = withoutRepetition(
    list.flatMap((one, index) => readSingle(attribute, one, `${path}[${index}]`) ?? []),
  )
  if (values.filter((one) => isObject(one) && one.primary === true).length > 1)
    throw invalidValue(path, 'values of which at most one is primary')
  return values.length === 0 ? undefined : values
}

/** Returns a key by which two values of a multi-valued attribute are the same: kind and value, without case. */
export function keyOfValue(value: unknown): string {
  if (!isObject(value) || value.value === undefined) return JSON.stringify(value)
  return JSON.stringify([foldCase(String(value.type ?? '')), foldCase(String(value.value))])
}

/** Joins values that are the same (RFC 7643, section 2.4). */
function withoutRepetition(values: readonly unknown[]): unknown[] {
  const byKey = new Map<string, unknown>()
  for (const value of values) {
    const key = keyOfValue(value)
    const known = byKey.get(key)
    byKey.set(key, isObject(known) && isObject(value) ? { ...known, ...value } : value)
  }
  return [...byKey.values()]
}

/**
 * Reads one value of an attribute.
 *
 * @throws ScimError invalidValue
 */
export function readSingle(attribute: Attribute, given: unknown, path: string): unknown {
  if (isUnassigned(given)) return undefined
  const value = unwrapped(attribute, given)
  switch (attribute.type) {
    case 'complex':
      return readComplex(attribute, value, path)
    case 'boolean': {
      const read = typeof value === 'string' ? booleanOf(value) : value
      if (typeof read !== 'boolean') throw invalidValue(path, 'true or false')
      return read
    }
    default: {
      const { maximumCharacters = valueLimits.characters } = attribute
      if (typeof value !== 'string') throw invalidValue(path, 'a text')
      if (!storable(value)) throw invalidValue(path, 'a text without NUL characters and unpaired surrogates')
      if (characterCount(value) > maximumCharacters)
        throw invalidValue(path, `a text of at most ${maximumCharacters} characters`)
      return value === '' ? undefined : value
    }
  }
}

/** Entra ID wraps single values: `[{ "value": "x" }]` for a text, and a text for an object with a `value`. */
function unwrapped(attribute: Attribute, value: unknown): unknown {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (attribute.type !== 'complex') return isObject(one) ? memberNamed(one, 'value') : one
  const hasValue = attributeNamed(attribute.subAttributes ?? [], 'value') !== undefined
  return typeof one === 'string' && hasValue ? { value: one } : one
}

function readComplex(attribute: Attribute, value: unknown, path: string): Values | undefined {
  if (!isObject(value)) throw invalidValue(path, 'an object')
  const read: Values = {}
  for (const sub of attribute.subAttributes ?? []) {
    if (sub.mutability === 'readOnly') continue
    const own = readAttribute(sub, memberNamed(value, sub.name), `${path}.${sub.name}`)
    if (own !== undefined) read[sub.name] = own
  }
  return Object.keys(read).length === 0 ? undefined : read
}

/**
 * Reads the attributes of a resource from the body of a POST or PUT. Unknown and read-only attributes are ignored, and a
 * password is not kept.
 *
 * @throws ScimError invalidSyntax, invalidValue
 */
export function readResource(type: ResourceType, body: unknown, skipped: readonly string[] = []): Values {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(body, type.schema.id)
  const values: Values = {}
  for (const attribute of [...coreAttributes(type), ...type.extensions.map(extensionAttribute)]) {
    if (attribute.mutability === 'readOnly' || skipped.includes(attribute.name)) continue
    const read = readAttribute(attribute, memberNamed(body, attribute.name), attribute.name)
    if (read !== undefined && attribute.mutability !== 'writeOnly') values[attribute.name] = read
  }
  return requireComplete(type, values)
}

/**
 * Requires that a resource has its required attributes and is not too large.
 *
 * @throws ScimError invalidValue
 */
export function requireComplete(type: ResourceType, values: Values): Values {
  for (const { name, required } of type.schema.attributes)
    if (required && isUnassigned(values[name])) throw badRequest('invalidValue', `${name} is required.`)
  if (Buffer.byteLength(JSON.stringify(values)) > valueLimits.resourceBytes)
    throw badRequest('invalidValue', `A resource may have at most ${valueLimits.resourceBytes} bytes.`)
  return values
}

/**
 * Requires the URN of a schema in `schemas` (RFC 7644, section 3.1: it is required in all requests with a body).
 *
 * @throws ScimError invalidSyntax
 */
export function requireSchema(body: Values, urn: string): void {
  const schemas = memberNamed(body, 'schemas')
  const list = Array.isArray(schemas) ? schemas : [schemas]
  if (!list.some((one) => typeof one === 'string' && one.toLowerCase() === urn.toLowerCase()))
    throw badRequest('invalidSyntax', `schemas must have ${JSON.stringify(urn)}.`)
}
