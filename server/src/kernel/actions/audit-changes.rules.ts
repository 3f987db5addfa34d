import { auditListMaximum, auditValueLengthMaximum } from '@muster/contract/event-audit-records'
import type { EventFor } from '@muster/contract/event-objects'
import { firstCharacters } from '../lib/text.ts'

/** A changed member as audit events show it. The values keep their JSON types. */
export type AuditedChange = EventFor<'SETTING_UPDATED'>['new']['changes'][number]
type AuditedValue = AuditedChange['old']

/**
 * Returns the members that differ between two states, in the order of the later one. Of a list that is too long for an
 * event, `old` and `new` have only the elements that the other has not: cut, both would often look the same.
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

/** Returns the change that something was added, by its name among what it was added to. */
export const added = (name: string, what: unknown): AuditedChange => change(name, null, what)

/** Returns the change that something was removed. */
export const removed = (name: string, what: unknown): AuditedChange => change(name, what, null)

const change = (name: string, old: unknown, now: unknown): AuditedChange => ({
  name,
  old: bounded(old),
  new: bounded(now),
})

const jsonOf = (value: unknown): string => JSON.stringify(value ?? null)

/** Returns the value as far as an event may hold it: a text and a list by their beginning, an object as cut JSON text. */
function bounded(value: unknown): AuditedValue {
  if (typeof value === 'string') return firstCharacters(value, auditValueLengthMaximum)
  const json = jsonOf(value)
  if (json.length <= auditValueLengthMaximum) return (value ?? null) as AuditedValue
  const first = Array.isArray(value) ? firstElements(value) : []
  return first.length > 0 ? (first as AuditedValue) : firstCharacters(json, auditValueLengthMaximum)
}

/** Returns the first elements whose JSON together is short enough. */
function firstElements(list: readonly unknown[]): readonly unknown[] {
  let length = 2
  const end = list.findIndex((element) => {
    length += jsonOf(element).length + 1
    return length > auditValueLengthMaximum
  })
  return end < 0 ? list : list.slice(0, end)
}

/** Returns the elements that only one of two lists has; undefined for other values, and where only the order differs. */
function elementsChanged(name: string, old: unknown, now: unknown): AuditedChange | undefined {
  if (!Array.isArray(old) || !Array.isArray(now)) return undefined
  const [gone, come] = [without(old, now), without(now, old)]
  return gone.length + come.length === 0 ? undefined : change(name, gone, come)
}

function without(list: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const known = new Set(other.map(jsonOf))
  return list.filter((one) => !known.has(jsonOf(one)))
}
