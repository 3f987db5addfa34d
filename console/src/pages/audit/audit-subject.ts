import type { AuditEvent } from '@muster/contract/console/console-audit'
import { labelOf, memberLabel } from '../../ui/text/labels.ts'

/** Members of audit events that identify the subject, most specific first. */
const naming = [
  'employeeEmail',
  'newEmail',
  'accountEmail',
  'email',
  'name',
  'url',
  'setting',
  'what',
  'appType',
  'detectionType',
] as const
/** Members with further details. */
const telling = ['group', 'labels', 'loginMethod', 'urls', 'format', 'source'] as const

/** A changed member. Events of older versions have all values as text. */
interface Change {
  readonly name: string
  readonly old: unknown
  readonly new: unknown
}

const longest = 80
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)
const readable = (text: string) => (/^(?:[A-Z_]+|true|false)$/.test(text) ? labelOf(text) : text)
const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ')
  return readable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
const changeText = ({ name, old, new: now }: Change) =>
  `${memberLabel(name)}: ${shortened(valueText(old))} → ${shortened(valueText(now))}`

/** Summarizes the subject and the changes of an event in one line. */
export function auditSubject({ new: record }: Pick<AuditEvent, 'new'>): string {
  const facts: Readonly<Record<string, unknown>> = record
  const textsOf = (members: readonly string[]) =>
    members.flatMap((member) => [facts[member]].flat()).filter((value) => typeof value === 'string')
  const [subject] = textsOf(naming)
  const changes = Array.isArray(facts.changes) ? (facts.changes as readonly Change[]) : []
  const parts = [subject ?? '', ...textsOf(telling).slice(0, 3), ...changes.slice(0, 2).map(changeText)]
  if (typeof facts.count === 'number' && facts.count !== 1) parts.push(facts.count.toLocaleString('en-GB'))
  return parts.filter(Boolean).map(readable).map(shortened).join(' · ')
}
