import { foldCase } from '../../../kernel/lib/fold-case.ts'
import type { CompareOperator, Filter, FilterValue } from './filter-parse.rules.ts'
import { type Attribute, type Target, type Values, valueAt } from './scim-schema.rules.ts'

/** Returns true if a resource, or one value of a multi-valued attribute, matches a filter. */
export function matchesFilter(filter: Filter, values: Values): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matchesFilter(part, values))
    case 'or':
      return filter.parts.some((part) => matchesFilter(part, values))
    case 'not':
      return !matchesFilter(filter.part, values)
    case 'present':
      return targetValues(values, filter.target).some(isPresent)
    case 'values':
      return listOf(valueAt(values, filter.target)).some((value) =>
        matchesFilter(filter.part, value as Values),
      )
    case 'compare':
      return matchesComparison(filter, values)
    case 'never':
      return false
  }
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/** Returns all values that a target names. */
export function targetValues(values: Values, target: Target): readonly unknown[] {
  const own = listOf(valueAt(values, target))
  const { sub } = target
  return sub ? own.flatMap((value) => listOf((value as Values)[sub.name])) : own
}

/** Returns true for a value that is neither empty nor consists of empty values only. */
function isPresent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value !== undefined && value !== null && value !== ''
  return Object.values(value).some(isPresent)
}

function matchesComparison(
  { target, operator, value }: Extract<Filter, { kind: 'compare' }>,
  values: Values,
): boolean {
  const attribute = target.sub ?? target.attribute
  const own = targetValues(values, target)
  // A missing value differs from every value.
  if (own.length === 0) return operator === 'ne'
  return own.some((one) => compares(comparable(attribute, one), operator, value))
}

/** Returns the form in which a value of an attribute is compared and sorted. */
export function comparable(attribute: Attribute, value: unknown): FilterValue {
  if (attribute.type === 'dateTime') return Date.parse(String(value))
  if (typeof value === 'boolean') return value
  return attribute.caseExact ? String(value) : foldCase(String(value))
}

function compares(own: FilterValue, operator: CompareOperator, value: FilterValue): boolean {
  switch (operator) {
    case 'eq':
      return own === value
    case 'ne':
      return own !== value
    case 'co':
      return String(own).includes(String(value))
    case 'sw':
      return String(own).startsWith(String(value))
    case 'ew':
      return String(own).endsWith(String(value))
    case 'gt':
      return own > value
    case 'ge':
      return own >= value
    case 'lt':
      return own < value
    case 'le':
      return own <= value
  }
}
