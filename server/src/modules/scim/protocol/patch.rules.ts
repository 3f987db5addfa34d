import { matchesFilter } from './filter-match.rules.ts'
import type { Filter } from './filter-parse.rules.ts'
import type { PatchStep } from './patch-steps.rules.ts'
import {
  isObject,
  isUnassigned,
  keyOfValue,
  readAttribute,
  readSingle,
  requireComplete,
  valueLimits,
} from './resource-values.rules.ts'
import { badRequest } from './scim-error.rules.ts'
import { type Attribute, type ResourceType, targetName, type Values } from './scim-schema.rules.ts'

/**
 * Applies the steps of a PATCH to a resource (RFC 7644, section 3.5.2). The given resource is not changed.
 *
 * @throws ScimError noTarget, invalidValue, mutability
 */
export function applyPatch(type: ResourceType, values: Values, steps: readonly PatchStep[]): Values {
  const patched = structuredClone(values)
  for (const step of steps) applyStep(patched, step)
  for (const { name, required } of type.schema.attributes)
    if (required && isUnassigned(patched[name]))
      throw badRequest('mutability', `${name} is required and cannot be removed.`)
  return requireComplete(type, patched)
}

function applyStep(values: Values, step: PatchStep): void {
  const { extension, attribute } = step.path.target
  // Not kept (see readResource).
  if (attribute.mutability === 'writeOnly') return
  const holder = extension === undefined ? values : ((values[extension] ?? {}) as Values)
  const before = holder[attribute.name]
  const after = attribute.multiValued ? changedList(before, step) : changedSingle(before, step)
  // Checked after each step: the time to add values grows with the square of their number.
  if (Array.isArray(after) && after.length > valueLimits.values)
    throw badRequest('invalidValue', `${pathName(step)} must be at most ${valueLimits.values} values.`)
  if (isUnassigned(after) || (isObject(after) && Object.keys(after).length === 0))
    delete holder[attribute.name]
  else holder[attribute.name] = after
  if (extension === undefined) return
  if (Object.keys(holder).length === 0) delete values[extension]
  else values[extension] = holder
}

const pathName = (step: PatchStep): string => targetName(step.path.target)

function changedSingle(before: unknown, step: PatchStep): unknown {
  const { attribute, sub } = step.path.target
  if (step.op === 'remove') return sub ? withoutMember(before, sub.name) : undefined
  if (sub) return withMember(before, sub, step)
  const read = readAttribute(attribute, step.value, pathName(step))
  // Sub-attributes that are not given stay as they are, also for replace.
  return isObject(before) && isObject(read) ? mergedObject(attribute, before, read, step.value) : read
}

/** Returns an object with the given sub-attributes. Those given as null are removed. */
function mergedObject(attribute: Attribute, before: Values, read: Values, given: unknown): Values {
  const merged = { ...before, ...read }
  if (isObject(given))
    for (const [key, value] of Object.entries(given)) {
      const sub = attribute.subAttributes?.find(({ name }) => name.toLowerCase() === key.toLowerCase())
      if (sub && isUnassigned(value)) delete merged[sub.name]
    }
  return inOrder(attribute, merged)
}

/** Returns an object with its members in the order of the schema, so equal values have equal JSON. */
const inOrder = (attribute: Attribute, object: Values): Values =>
  Object.fromEntries(
    (attribute.subAttributes ?? []).flatMap(({ name }) =>
      object[name] === undefined ? [] : [[name, object[name]]],
    ),
  )

const withoutMember = (object: unknown, name: string): Values | undefined => {
  if (!isObject(object)) return undefined
  const { [name]: _removed, ...rest } = object
  return rest
}

function withMember(object: unknown, sub: Attribute, step: PatchStep): Values {
  const read = readSingle(sub, step.value, pathName(step))
  const before = isObject(object) ? object : {}
  if (read === undefined) return withoutMember(before, sub.name) ?? {}
  return inOrder(step.path.target.attribute, { ...before, [sub.name]: read })
}

type List = readonly unknown[]

function changedList(before: unknown, step: PatchStep): List {
  const list = Array.isArray(before) ? (before as List) : []
  const { filter, target } = step.path
  if (filter) return changedMatches(list, filter, step)
  const { attribute, sub } = target
  if (sub) {
    if (step.op === 'remove') return list.map((one) => withoutMember(one, sub.name)).filter(hasMembers)
    const elements = list.length === 0 ? [{}] : list
    return elements.map((one) => withMember(one, sub, step)).filter(hasMembers)
  }
  if (step.op === 'remove') return isUnassigned(step.value) ? [] : withoutValues(list, step)
  const read = (readAttribute(attribute, step.value, pathName(step)) ?? []) as List
  return step.op === 'replace' ? read : read.reduce<List>((all, one) => withAdded(attribute, all, one), list)
}

const hasMembers = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0

/** Adds a value. One that exists already is completed instead. */
function withAdded(attribute: Attribute, list: List, added: unknown): List {
  const key = keyOfValue(added)
  const at = list.findIndex((one) => keyOfValue(one) === key)
  const known = list[at]
  const next =
    at < 0
      ? [...list, added]
      : list.with(at, isObject(known) && isObject(added) ? inOrder(attribute, { ...known, ...added }) : added)
  return withOnePrimary(next, [next[at < 0 ? next.length - 1 : at]])
}

/** Removes single values that a client names without a filter: `path: "members", value: [{ "value": "…" }]`. */
function withoutValues(list: List, step: PatchStep): List {
  const named = (readAttribute(step.path.target.attribute, step.value, pathName(step)) ?? []) as List
  const isNamed = (one: unknown, other: unknown) =>
    isObject(one) && isObject(other)
      ? Object.entries(other).every(([name, value]) => JSON.stringify(one[name]) === JSON.stringify(value))
      : one === other
  return list.filter((one) => !named.some((other) => isNamed(one, other)))
}

/** The new primary value replaces the previous one (RFC 7644, section 3.5.2). */
function withOnePrimary(list: List, changed: List): List {
  const isPrimary = (one: unknown) => isObject(one) && one.primary === true
  const primaries = changed.filter(isPrimary)
  if (primaries.length > 1) throw badRequest('invalidValue', 'At most one value can be primary.')
  if (primaries.length === 0) return list
  return list.map((one) =>
    isPrimary(one) && one !== primaries[0] ? { ...(one as Values), primary: false } : one,
  )
}

function changedMatches(list: List, filter: Filter, step: PatchStep): List {
  const { attribute, sub } = step.path.target
  const isMatch = (one: unknown) => matchesFilter(filter, one as Values)
  if (step.op === 'remove') {
    if (!sub) return list.filter((one) => !isMatch(one))
    return list.map((one) => (isMatch(one) ? withoutMember(one, sub.name) : one)).filter(hasMembers)
  }
  const changed: unknown[] = []
  const change = (one: unknown): unknown => {
    const next = sub ? withMember(one, sub, step) : changedElement(attribute, one, step)
    if (next !== undefined) changed.push(next)
    return next
  }
  if (list.some(isMatch)) {
    const next = list.map((one) => (isMatch(one) ? change(one) : one)).filter(hasMembers)
    return withOnePrimary(next, changed)
  }
  const derived = step.op === 'add' || step.addsMissing ? valuesOfFilter(filter) : undefined
  if (!derived) throw badRequest('noTarget', `No value of ${pathName(step)} matches the filter.`)
  const added = sub
    ? withMember(derived, sub, step)
    : inOrder(attribute, { ...derived, ...(readSingle(attribute, step.value, pathName(step)) as Values) })
  return withOnePrimary([...list, added], [added])
}

function changedElement(attribute: Attribute, before: unknown, step: PatchStep): unknown {
  const read = readSingle(attribute, step.value, pathName(step))
  return step.op === 'add' && isObject(read) && isObject(before)
    ? inOrder(attribute, { ...before, ...read })
    : read
}

/** Returns the value that a filter of equalities describes: `type eq "work"`; undefined for other filters. */
function valuesOfFilter(filter: Filter): Values | undefined {
  if (filter.kind === 'compare' && filter.operator === 'eq')
    return {
      [filter.target.attribute.name]: typeof filter.value === 'boolean' ? filter.value : filter.literal,
    }
  if (filter.kind !== 'and') return undefined
  const parts = filter.parts.map(valuesOfFilter)
  return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined
}
