import type { WebhookEvent } from '@muster/contract/events/event-objects'
import { version } from '../../../kernel/lib/version.ts'
import { cefEvent } from './cef-event.ts'
import { type EventSeverity, factsOf } from './event-facts.ts'
import { ocsfEvent } from './ocsf-event.ts'
import { type SyslogSeverity, syslogMessage } from './syslog-message.ts'

/** Output formats of the streams. */
export const streamFormats = ['json', 'cef', 'ocsf'] as const
export type StreamFormat = (typeof streamFormats)[number]

/** An event of the outbox: the body of its webhook request, and the organization, which the body does not contain. */
export interface StreamedEvent {
  readonly body: string
  readonly organizationId: string
}

/** Escapes all non-ASCII characters in JSON, to be independent of the receiver's encoding. */
const asciiJson = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Appends `organizationId` to the JSON object. */
const withOrganization = ({ body, organizationId }: StreamedEvent): string =>
  `${body.slice(0, -1)},"organizationId":${JSON.stringify(organizationId)}}`

/**
 * Formats an event as one line without a line break. `json` is the webhook body with `organizationId` appended, since one
 * stream serves all organizations. JSON output is ASCII.
 */
export function streamLine(streamed: StreamedEvent, format: StreamFormat): string {
  if (format === 'json') return asciiJson(withOrganization(streamed))
  return lineOf(JSON.parse(streamed.body) as WebhookEvent, streamed, format)
}

function lineOf(event: WebhookEvent, streamed: StreamedEvent, format: StreamFormat): string {
  if (format === 'json') return asciiJson(withOrganization(streamed))
  if (format === 'cef') return cefEvent(event, streamed.organizationId)
  return asciiJson(JSON.stringify(ocsfEvent(event, streamed.organizationId)))
}

const syslogSeverityOf: Readonly<Record<EventSeverity, SyslogSeverity>> = {
  INFORMATIONAL: 'informational',
  LOW: 'notice',
  MEDIUM: 'warning',
  HIGH: 'error',
  CRITICAL: 'critical',
}

/**
 * ID of the structured data element with the properties of the event, for receivers that filter without parsing the text.
 * Muster has no private enterprise number; 32473 is reserved for documentation (RFC 5612).
 */
const eventElement = 'muster@32473'

/** Formats an event as a syslog message. MSGID is the object, cut to 32 characters. */
export function streamMessage(streamed: StreamedEvent, format: StreamFormat, hostname: string): Buffer {
  const event = JSON.parse(streamed.body) as WebhookEvent
  const { organizationId } = streamed
  return syslogMessage({
    severity: syslogSeverityOf[factsOf(event).severity],
    timestamp: event.timestamp,
    hostname,
    appName: 'muster',
    messageId: event.object,
    data: [
      {
        id: eventElement,
        parameters: [
          ['org', organizationId],
          ['id', event.id],
          ['object', event.object],
          ['category', event.category],
        ],
      },
      {
        id: 'origin',
        parameters: [
          ['software', 'muster'],
          ['swVersion', version],
        ],
      },
    ],
    text: lineOf(event, streamed, format),
  })
}
