import type { WebhookEvent } from '@muster/contract/event-objects'
import { version } from '../../../kernel/lib/version.ts'
import { cefEvent } from './cef-event.ts'
import { type EventSeverity, factsOf } from './event-facts.ts'
import { ocsfEvent } from './ocsf-event.ts'
import { type SyslogSeverity, syslogMessage } from './syslog-message.ts'

/** What an event is written as. */
export const streamFormats = ['json', 'cef', 'ocsf'] as const
export type StreamFormat = (typeof streamFormats)[number]

/** An event as the outbox has it: the bytes that webhooks send, and the organization, which those do not tell. */
export interface StreamedEvent {
  readonly body: string
  readonly organizationId: string
}

/** JSON in ASCII alone: the same value, which no receiver can take for another encoding. */
const asciiJson = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The body has at least one member, so one more is put behind the last. */
const withOrganization = ({ body, organizationId }: StreamedEvent): string =>
  `${body.slice(0, -1)},"organizationId":${JSON.stringify(organizationId)}}`

/**
 * An event as one line of text without its end. As `json` it is what webhooks send, and `organizationId` behind it: one
 * stream serves all organizations. JSON of both kinds is ASCII, other characters are escaped.
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
 * The element that says what the event is, for receivers that sort by it without reading the text. Muster has no private
 * enterprise number of its own; 32473 is the one that is set aside for those who have none to show (RFC 5612).
 */
const eventElement = 'muster@32473'

/** An event as a message of syslog. A type of message has 32 characters, so `msgid` is the object cut to that. */
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
