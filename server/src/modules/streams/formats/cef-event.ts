import { isIPv4, isIPv6 } from 'node:net'
import type { WebhookEvent } from '@muster/contract/events/event-objects'
import { version } from '../../../kernel/lib/version.ts'
import { type CefField, cefLine } from './cef-line.ts'
import { type EventSeverity, factsOf, type Person } from './event-facts.ts'

/** CEF severities: 0 to 3 low, 4 to 6 medium, 7 and 8 high, 9 and 10 very high. */
const severityNumbers: Readonly<Record<EventSeverity, number>> = {
  INFORMATIONAL: 1,
  LOW: 3,
  MEDIUM: 5,
  HIGH: 8,
  CRITICAL: 10,
}

/** Maximum lengths of values in the CEF dictionary. */
const maxLengths: Readonly<Record<string, number>> = {
  cs: 4000,
  act: 63,
  requestContext: 2048,
}
const defaultMaxLength = 1023

const cut = (key: string, text: string): string =>
  text.slice(0, maxLengths[key.replace(/^(cs)\d$/, '$1')] ?? defaultMaxLength).toWellFormed()

/**
 * Formats an event as CEF with the keys of the CEF dictionary. Custom fields: `cs1` organization, `cs2` ID of the record,
 * `cs3` source of the change, `cs4` the record as JSON, if it fits.
 */
export function cefEvent(event: WebhookEvent, organizationId: string): string {
  const facts = factsOf(event)
  const record = JSON.stringify(facts.record)
  const header = {
    vendor: 'Muster',
    product: 'Muster',
    version,
    signature: event.object,
    name: event.friendlyName,
    severity: severityNumbers[facts.severity],
  }
  const all: readonly (readonly [string, string | undefined])[] = [
    ['rt', String(event.timestamp * 1000)],
    ['externalId', event.id],
    ['cat', event.category],
    ['act', facts.action],
    ['outcome', facts.succeeded === undefined ? undefined : facts.succeeded ? 'success' : 'failure'],
    ['msg', event.description],
    ...person('s', facts.source),
    ...person('d', facts.target),
    ...address(facts.sourceIpAddress),
    ['request', facts.url],
    ['requestContext', facts.referrerUrl],
    ['requestClientApplication', facts.userAgent],
    ['destinationServiceName', facts.appType],
    ...labeled('cs1', 'organizationId', organizationId),
    ...labeled('cs2', 'recordId', facts.recordId),
    ...labeled('cs3', 'actorSource', facts.sourceKind),
    ...labeled('cs4', 'record', record.length <= (maxLengths.cs ?? 0) ? record : undefined),
  ]
  const fields = all.flatMap(([key, text]): CefField[] => (text === undefined ? [] : [[key, cut(key, text)]]))
  return cefLine(header, fields)
}

type Candidate = readonly [string, string | undefined]

/** Returns the fields of the source (`suser`, `suid`) or destination (`duser`, `duid`) user. */
const person = (side: 's' | 'd', user: Person | undefined): Candidate[] => [
  [`${side}user`, user?.email ?? user?.name],
  [`${side}uid`, user?.id],
]

/** Returns the fields of an IP address. `src` is for IPv4 only. */
function address(ip: string | undefined): Candidate[] {
  if (ip === undefined) return []
  if (isIPv4(ip)) return [['src', ip]]
  return isIPv6(ip)
    ? [
        ['c6a2', ip],
        ['c6a2Label', 'Source IPv6 Address'],
      ]
    : []
}

const labeled = (key: string, label: string, text: string | undefined): Candidate[] =>
  text === undefined
    ? []
    : [
        [key, text],
        [`${key}Label`, label],
      ]
