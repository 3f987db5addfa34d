import { auditListMaximum, auditValueLengthMaximum } from '@muster/contract/event-audit-records'
import { firstCharacters } from '../lib/text.ts'

/** A member that was changed, as an event of the audit trail tells it. */
export interface AuditedChange {
  readonly name: string
  readonly old: string | null
  readonly new: string | null
}

/** What differs between two states of something, by member, in the order of the later one. */
export function auditedChanges(before: object, after: object): AuditedChange[] {
  const old = before as Readonly<Record<string, unknown>>
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const change = { name, old: valueText(old[name]), new: valueText(value) }
    return change.old === change.new ? [] : [change]
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

const cut = (text: string | null) => text && firstCharacters(text, auditValueLengthMaximum)
const shown = (change: AuditedChange): AuditedChange => ({
  name: change.name,
  old: cut(change.old),
  new: cut(change.new),
})
