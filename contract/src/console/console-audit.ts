import { auditEvents } from '../event-audit.ts'
import type { EventIn } from '../event-objects.ts'
import type { QueryParameter } from '../filter-schema.ts'
import { choicesMaximum, consolePageLimits } from './console-lists.ts'

/**
 * The audit trail in the console, newest first: `GET /console/api/audit` gives a page, and below it `/export` a file;
 * `FULL_ACCESS` may read both. The file is CSV, or JSON Lines with the chain, which `muster audit verify` knows.
 */
export const auditPath = '/console/api/audit'
export const auditAccess = 'FULL_ACCESS'
export const auditExportFormats = ['csv', 'jsonl'] as const

/** An event of the audit trail. */
export type AuditEvent = EventIn<'AUDIT'>
/** What an event of the audit trail can be about. */
export type AuditObject = AuditEvent['object']
export const auditObjects = Object.keys(auditEvents) as AuditObject[]

/** A link of the chain. */
export interface AuditEntry {
  /** 1 is the first one of the organization; there are no gaps. */
  readonly position: number
  /** The SHA-256, in hexadecimal, of the hash of the one before and the text of this event. */
  readonly hash: string
  readonly event: AuditEvent
}

/** A page of the trail. */
export interface AuditPage {
  readonly records: readonly AuditEntry[]
  /** To be passed as `cursor` for what follows; null at the end. A page may be short, or empty, and yet go on. */
  readonly cursor: string | null
}

const seconds = { type: 'integer', minimum: 0, maximum: 253_402_300_799 } as const
const text = { type: 'string', minLength: 1, maxLength: 254 } as const
const once = { required: false, maxValues: 1 } as const

const filters: readonly QueryParameter[] = [
  {
    name: 'timestampAfter',
    description: 'Only what was done then or later; UNIX seconds.',
    ...once,
    schema: seconds,
    example: 1763712000,
  },
  {
    name: 'timestampBefore',
    description: 'Only what was done earlier; UNIX seconds.',
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
    ...{
      name: 'actor',
      description: 'Who did it: a part of an e-mail address, of a name of a key or of a user.',
    },
    ...once,
    schema: text,
    example: 'ada.byron@example.com',
  },
  {
    name: 'search',
    description: 'A text that the event must hold, without case.',
    ...once,
    schema: text,
    example: 'ZAPIER',
  },
]

/** The query parameters of a page of the trail. */
export const auditParameters: readonly QueryParameter[] = [
  ...filters,
  {
    name: 'limit',
    description: 'Number of events to return at most.',
    ...once,
    schema: { type: 'integer', ...consolePageLimits },
    example: 100,
  },
  {
    name: 'cursor',
    description: 'The cursor of the page before, with the same filters.',
    ...once,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: 'WzE3NjM3MTIwMDAsNDJd',
  },
]

/** The query parameters of a file of the trail. */
export const auditExportParameters: readonly QueryParameter[] = [
  ...filters,
  {
    name: 'format',
    description: 'The form of the file; CSV unless told.',
    ...once,
    schema: { type: 'string', enum: auditExportFormats },
    example: 'csv',
  },
]
