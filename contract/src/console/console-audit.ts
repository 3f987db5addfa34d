import type { QueryParameter } from '../api/filter-schema.ts'
import { auditEvents } from '../events/event-audit.ts'
import type { EventIn } from '../events/event-objects.ts'
import { choicesMaximum, consolePageLimits } from './console-lists.ts'

/**
 * Audit trail of the console, newest first: `GET /console/api/audit` returns a page, `/export` below it a file. Both need
 * `FULL_ACCESS`. The file is CSV, or JSON Lines with the hash chain for `muster audit verify`.
 */
export const auditPath = '/console/api/audit'
export const auditAccess = 'FULL_ACCESS'
export const auditExportFormats = ['csv', 'jsonl'] as const

/** An event of the audit trail. */
export type AuditEvent = EventIn<'AUDIT'>
/** Objects of audit events. */
export type AuditObject = AuditEvent['object']
export const auditObjects = Object.keys(auditEvents) as AuditObject[]

/** An entry of the hash chain. */
export interface AuditEntry {
  /** Sequence number in the organization, from 1, without gaps. */
  readonly position: number
  /** SHA-256, in hexadecimal, of the previous hash and the text of this event. */
  readonly hash: string
  readonly event: AuditEvent
}

/** A page of the trail. */
export interface AuditPage {
  readonly records: readonly AuditEntry[]
  /** `cursor` of the next page; null at the end. A page may be short or empty even if more follow. */
  readonly cursor: string | null
}

const seconds = { type: 'integer', minimum: 0, maximum: 253_402_300_799 } as const
const text = { type: 'string', minLength: 1, maxLength: 254 } as const
const once = { required: false, maxValues: 1 } as const

const filters: readonly QueryParameter[] = [
  {
    name: 'timestampAfter',
    description: 'Only events at or after this time; UNIX seconds.',
    ...once,
    schema: seconds,
    example: 1763712000,
  },
  {
    name: 'timestampBefore',
    description: 'Only events before this time; UNIX seconds.',
    ...once,
    schema: seconds,
    example: 1763798400,
  },
  {
    name: 'object',
    description: 'Only events of this object; repeat it for several.',
    schema: { type: 'string', enum: auditObjects },
    maxValues: choicesMaximum,
    example: 'EMPLOYEE_ADDED',
  },
  {
    name: 'actor',
    description: 'Actor: part of an e-mail address, key name or user name.',
    ...once,
    schema: text,
    example: 'ada.byron@example.com',
  },
  {
    name: 'search',
    description: 'Text that the event must contain, ignoring case.',
    ...once,
    schema: text,
    example: 'ZAPIER',
  },
]

/** Query parameters of a page. */
export const auditParameters: readonly QueryParameter[] = [
  ...filters,
  {
    name: 'limit',
    description: 'Maximum number of events to return.',
    ...once,
    schema: { type: 'integer', ...consolePageLimits },
    example: 100,
  },
  {
    name: 'cursor',
    description: 'Cursor from the previous page, with the same filters.',
    ...once,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: 'WzE3NjM3MTIwMDAsNDJd',
  },
]

/** Query parameters of an export. */
export const auditExportParameters: readonly QueryParameter[] = [
  ...filters,
  {
    name: 'format',
    description: 'Format of the file; CSV by default.',
    ...once,
    schema: { type: 'string', enum: auditExportFormats },
    example: 'csv',
  },
]
