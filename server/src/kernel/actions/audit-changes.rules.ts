import { auditListMaximum, auditValueLengthMaximum } from '@muster/contract/events/event-audit-records'
import type { EventFor } from '@muster/contract/events/event-objects'
import { firstCharacters } from '../lib/text.ts'

/** Changed member in an audit event. The values keep their JSON types. */
export type AuditedChange = EventFor<'SETTING_UPDATED'>['new']['changes'][number]
type AuditedValue = AuditedChange['old']

/**
 * Returns the members that differ between two states, in the order of the later one. If a list is too long for an event,
 * `old` and `new` hold only the elements that the other lacks: truncated, both would often look the same.
 */
export function auditedChanges(before: object, after: object): AuditedChange[] {
  const old = before as Readonly<Record<string, unknown>>
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const texts = [jsonOf(old[name]), jsonOf(value)]
    if (texts[0] === texts[1]) return []
    const isLong = texts.some((text) => text.length > auditValueLengthMaximum)
    return [(isLong && elementsChanged(name, old[name], value)) || change(name, old[name], value)]
  })
  return changed.slice(0, auditListMaximum)
}

/** Returns the change for an added value. */
export const added = (name: string, value: unknown): AuditedChange => change(name, null, value)

/** Returns the change for a removed value. */
export const removed = (name: string, value: unknown): AuditedChange => change(name, value, null)

const change = (name: string, old: unknown, now: unknown): AuditedChange => ({
  name,
  old: bounded(old),
  new: bounded(now),
})

const jsonOf = (value: unknown): string => JSON.stringify(value ?? null)

/** Truncates a value to the maximum length of an event: the beginning of a string or list, or of the JSON of an object. */
function bounded(value: unknown): AuditedValue {
  if (typeof value === 'string') return firstCharacters(value, auditValueLengthMaximum)
  const json = jsonOf(value)
  if (json.length <= auditValueLengthMaximum) return (value ?? null) as AuditedValue
  const first = Array.isArray(value) ? firstElements(value) : []
  return first.length > 0 ? (first as AuditedValue) : firstCharacters(json, auditValueLengthMaximum)
}

/** Returns the first elements that fit into the maximum length as JSON. */
function firstElements(list: readonly unknown[]): readonly unknown[] {
  let length = 2
  const end = list.findIndex((element) => {
    length += jsonOf(element).length + 1
    return length > auditValueLengthMaximum
  })
  return end < 0 ? list : list.slice(0, end)
}

/** Returns the elements that only one of two lists has; undefined for other values or if only the order differs. */
function elementsChanged(name: string, old: unknown, now: unknown): AuditedChange | undefined {
  if (!Array.isArray(old) || !Array.isArray(now)) return undefined
  const [onlyOld, onlyNew] = [without(old, now), without(now, old)]
  return onlyOld.length + onlyNew.length === 0 ? undefined : change(name, onlyOld, onlyNew)
}

function without(list: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const known = new Set(other.map(jsonOf))
  return list.filter((one) => !known.has(jsonOf(one)))
}
