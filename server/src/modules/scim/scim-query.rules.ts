import { scimLimits } from './protocol/discovery.rules.ts'
import { type Filter, parseFilter } from './protocol/filter-parse.rules.ts'
import { type Projection, projectionOf } from './protocol/projection.rules.ts'
import { isObject, memberNamed, requireSchema } from './protocol/resource-values.rules.ts'
import { badRequest } from './protocol/scim-error.rules.ts'
import { type ResourceType, resolveTarget, type Target, type Values } from './protocol/scim-schema.rules.ts'

/** A query of one type of resources (RFC 7644, section 3.4.2). */
export interface ScimQuery {
  readonly filter: Filter | undefined
  readonly sortBy: Target | undefined
  readonly descending: boolean
  /** Index of the first result, from 1. */
  readonly startIndex: number
  readonly count: number
  readonly projection: Projection
}

/** Parameters of a query, from the URL or from the body of a POST to `/.search`. */
export interface QueryParameters {
  readonly attributes: readonly string[]
  readonly excludedAttributes: readonly string[]
  readonly filter: string | undefined
  readonly sortBy: string | undefined
  readonly sortOrder: string | undefined
  readonly startIndex: number | undefined
  readonly count: number | undefined
}

const searchUrn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** Reads the parameters of a URL. Names are compared without case. */
export function urlParameters(url: string): QueryParameters {
  const at = url.indexOf('?')
  const given: Values = {}
  for (const [name, value] of new URLSearchParams(at < 0 ? '' : url.slice(at))) given[name] ??= value
  return parametersOf(given)
}

/**
 * Reads the parameters of a SearchRequest (RFC 7644, section 3.4.3).
 *
 * @throws ScimError invalidSyntax
 */
export function searchParameters(body: unknown): QueryParameters {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(body, searchUrn)
  return parametersOf(body)
}

function parametersOf(given: Values): QueryParameters {
  const textOf = (name: string): string | undefined => {
    const value = memberNamed(given, name)
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string') throw badRequest('invalidValue', `${name} must be a text.`)
    return value
  }
  const namesOf = (name: string): string[] => {
    const value = memberNamed(given, name)
    const names = Array.isArray(value) ? value.map(String) : (textOf(name) ?? '').split(',')
    return names.map((one) => one.trim()).filter((one) => one !== '')
  }
  const numberOf = (name: string): number | undefined => {
    const value = memberNamed(given, name)
    if (value === undefined || value === null || value === '') return undefined
    const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
    if (!Number.isSafeInteger(number)) throw badRequest('invalidValue', `${name} must be a whole number.`)
    return number as number
  }
  return {
    attributes: namesOf('attributes'),
    excludedAttributes: namesOf('excludedAttributes'),
    filter: textOf('filter'),
    sortBy: textOf('sortBy'),
    sortOrder: textOf('sortOrder'),
    startIndex: numberOf('startIndex'),
    count: numberOf('count'),
  }
}

/**
 * Returns the query of a type for the given parameters.
 *
 * @param isOneOfMany true for queries over all types: what a type does not have matches nothing
 * @throws ScimError invalidFilter, invalidPath, invalidValue
 */
export function queryOf(type: ResourceType, parameters: QueryParameters, isOneOfMany = false): ScimQuery {
  const { attributes, excludedAttributes, filter, sortBy, sortOrder = 'ascending' } = parameters
  const order = sortOrder.toLowerCase()
  if (order !== 'ascending' && order !== 'descending')
    throw badRequest('invalidValue', 'sortOrder must be ascending or descending.')
  return {
    filter: filter === undefined ? undefined : parseFilter(type, filter, isOneOfMany ? 'never' : 'refuse'),
    sortBy: sortBy === undefined ? undefined : sortTarget(type, sortBy, isOneOfMany),
    descending: order === 'descending',
    startIndex: Math.max(1, parameters.startIndex ?? 1),
    count: Math.min(scimLimits.pageMaximum, Math.max(0, parameters.count ?? scimLimits.pageDefault)),
    projection: projectionOf(type, attributes, excludedAttributes),
  }
}

function sortTarget(type: ResourceType, path: string, isOneOfMany: boolean) {
  const target = resolveTarget(type, path)
  if (!target && isOneOfMany) return undefined
  if (!target) throw badRequest('invalidPath', `There is no attribute ${JSON.stringify(path.slice(0, 256))}.`)
  const { attribute, sub } = target
  if (sub || attribute.type !== 'complex') return target
  const value = attribute.subAttributes?.find(({ name }) => name === 'value')
  if (!value) throw badRequest('invalidPath', `${path} has several parts: sort by one of them.`)
  return { ...target, sub: value }
}
