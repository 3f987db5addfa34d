import { auditListMaximum, auditValueLengthMaximum } from '@muster/contract/event-audit-records'
import { firstCharacters } from '../lib/text.ts'

/** A member that was changed, as an event of the audit trail tells it. */
export interface AuditedChange {
  readonly name: string
  readonly old: string | null
  readonly new: string | null
}

/**
 * What differs between two states of something, by member, in the order of the later one. Of a list that is too long to
 * be shown, old and new have only the elements that the other has not: cut, they would often be the same text.
 */
export function auditedChanges(before: object, after: object): AuditedChange[] {
  const old = before as Readonly<Record<string, unknown>>
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const change = { name, old: valueText(old[name]), new: valueText(value) }
    if (change.old === change.new) return []
    const long = [change.old, change.new].some((text) => text !== cut(text))
    return [(long && elementsChanged(name, old[name], value)) || change]
  })
  return changed.map(shown).slice(0, auditListMaximum)
}

/** Something that was added, by its name among what it was added to. */
export const added = (name: string, what: unknown): AuditedChange =>
  shown({ name, old: null, new: valueText(what) })

/** Something that was removed. */
export const removed = (name: string, what: unknown): AuditedChange =>
  shown({ name, old: valueText(what), new: null })

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The elements that only one of two lists has; undefined for what are no lists, and where only the order differs. */
function elementsChanged(name: string, old: unknown, now: unknown): AuditedChange | undefined {
  if (!Array.isArray(old) || !Array.isArray(now)) return undefined
  const [gone, come] = [without(old, now), without(now, old)]
  if (gone.length + come.length === 0) return undefined
  return { name, old: JSON.stringify(gone), new: JSON.stringify(come) }
}

function without(list: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const known = new Set(other.map((one) => JSON.stringify(one)))
  return list.filter((one) => !known.has(JSON.stringify(one)))
}

const cut = (text: string | null) => text && firstCharacters(text, auditValueLengthMaximum)
const shown = (change: AuditedChange): AuditedChange => ({
  name: change.name,
  old: cut(change.old),
  new: cut(change.new),
})
