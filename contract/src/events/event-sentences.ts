import type { ChangeType } from './event-envelope.ts'
import { type AuditSentence, auditSentences } from './event-sentences-audit.ts'
import { recordSentences, seenSentences } from './event-sentences-records.ts'
import { type Facts, plain, quoted } from './event-words.ts'

/** An event as far as its sentence needs it. */
export interface Telling {
  readonly type?: ChangeType | undefined
  readonly actor?: unknown
  readonly new: unknown
  readonly old?: unknown
  /** Clause that replaces the object's own, without actor and period. */
  readonly what?: string | undefined
  /** Another sentence behind the first. */
  readonly note?: string | undefined
}

/** Maximum length of a description (event schema). */
const descriptionLengthMaximum = 1024

/**
 * Returns the sentence that says who did what and where. It is the `description` of the event, and what CEF, syslog and
 * OCSF show. Values that people or browsers gave are shortened and cannot break the line.
 */
export function sentenceOf(object: string, { type, actor, new: next, old, what, note }: Telling): string {
  const facts = (next ?? old ?? {}) as Facts
  const audit = auditSentences[object]
  const sentence = audit
    ? auditText(audit, facts, actor as Facts | null | undefined, what)
    : type === undefined
      ? seenSentences[object]?.(facts)
      : recordSentences(object)({ type, now: facts, old: (old ?? {}) as Facts })
  const text = `${sentence ?? plain(object)}.${note === undefined ? '' : ` ${note}`}`
  return text.length <= descriptionLengthMaximum ? text : `${text.slice(0, descriptionLengthMaximum - 1)}…`
}

function auditText(
  audit: AuditSentence,
  facts: Facts,
  actor: Facts | null | undefined,
  what: string | undefined,
): string {
  const { done, tail = '', self } = audit(facts, actor ?? undefined)
  // For sign-ins and joins the actor is already the subject of the sentence.
  const by = self || !actor ? '' : ` by ${actorName(actor)}`
  return `${what ?? done}${by}${what === undefined ? tail : ''}`
}

/** Returns the actor as a phrase. */
function actorName(actor: Facts): string {
  switch (actor.source) {
    case 'API':
      return `${plain(actor.apiKeyCreatedBy)} with API key ${quoted(actor.apiKeyName)}`
    case 'CLI':
      return `${plain(actor.user)} at the command line`
    default:
      return plain(actor.email)
  }
}
