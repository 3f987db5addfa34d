import { type EventSeverity, factsOf } from '../formats/event-facts.ts'
import { type HttpSink, type SinkEvent, urlBelow } from './http-sink.ts'

export interface DatadogSettings {
  readonly eventsDatadogUrl: string
  readonly eventsDatadogKey: string
}

const statuses: Readonly<Record<EventSeverity, string>> = {
  INFORMATIONAL: 'info',
  LOW: 'notice',
  MEDIUM: 'warning',
  HIGH: 'error',
  CRITICAL: 'critical',
}

/** Log intake of Datadog (API v2): at most 1,000 logs and 5 MB per request. Accepted logs are answered with 202. */
export const datadogSink = ({ eventsDatadogUrl, eventsDatadogKey }: DatadogSettings): HttpSink => ({
  kind: 'DATADOG',
  limits: { maxEvents: 1000, maxLength: 2_000_000, maxInFlight: 16 },
  maxRequestBytes: 5_000_000,
  contentType: 'application/json',
  frame: ['[', ',', ']'],
  encode: datadogLog,
  url: urlBelow(eventsDatadogUrl, '/api/v2/logs'),
  headers: async () => ({ 'dd-api-key': eventsDatadogKey }),
})

/** Standard attributes of Datadog, then the event as it is, whose members become attributes. */
function datadogLog({ event, body, organizationId }: SinkEvent): string {
  const facts = factsOf(event)
  const standard = {
    ddsource: 'muster',
    service: 'muster',
    ddtags: `category:${event.category.toLowerCase()},object:${event.object.toLowerCase()}`,
    status: statuses[facts.severity],
    message: event.description,
    date: event.timestamp * 1000,
    usr: facts.source,
    network: facts.sourceIpAddress === undefined ? undefined : { client: { ip: facts.sourceIpAddress } },
    organizationId,
  }
  return `${JSON.stringify(standard).slice(0, -1)},"muster":${body}}`
}
