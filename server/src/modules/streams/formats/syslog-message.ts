/**
 * Messages of syslog (RFC 5424) and how they follow each other on a stream (RFC 6587, section 3.4.1; RFC 5425 asks for the
 * same over TLS): each begins with the number of its bytes, so nothing in it can be taken for its end.
 */

/** Severities of syslog (RFC 5424, section 6.2.1), as far as we use them. */
export const syslogSeverities = { critical: 2, error: 3, warning: 4, notice: 5, informational: 6 } as const
export type SyslogSeverity = keyof typeof syslogSeverities

/** `local0`: a facility that no part of an operating system uses, so that receivers can tell us from their own. */
const facility = 16

/** An element of structured data: its id, and its parameters in order. */
export interface StructuredData {
  readonly id: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

export interface SyslogMessage {
  readonly severity: SyslogSeverity
  /** UNIX seconds. */
  readonly timestamp: number
  readonly hostname: string
  readonly appName: string
  /** What type of message it is. */
  readonly messageId: string
  readonly data: readonly StructuredData[]
  readonly text: string
}

/** A header field: printable ASCII without spaces, `-` for nothing. */
const headerField = (text: string, lengthMaximum: number): string =>
  text.replace(/[^\x21-\x7e]/g, '').slice(0, lengthMaximum) || '-'

/** Names in structured data must not have what ends them; ours are constants, so this is for what is not. */
const dataName = (text: string): string => text.replace(/[^\x21-\x7e]|[=\]"]/g, '').slice(0, 32) || '-'

const element = ({ id, parameters }: StructuredData): string => {
  const members = parameters.map(
    ([name, value]) => ` ${dataName(name)}="${value.replace(/["\\\]]/g, '\\$&')}"`,
  )
  return `[${dataName(id)}${members.join('')}]`
}

/** UTF-8 that is not ASCII must say so by a byte order mark in front (RFC 5424, section 6.4). */
const byteOrderMark = '\uFEFF'
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is defined by them.
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** A message, without what separates it from others. Half a surrogate pair, which UTF-8 cannot say, becomes U+FFFD. */
export function syslogMessage(message: SyslogMessage): Buffer {
  const { severity, timestamp, hostname, appName, messageId, data, text } = message
  const head = [
    `<${facility * 8 + syslogSeverities[severity]}>1`,
    new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z'),
    headerField(hostname, 255),
    headerField(appName, 48),
    '-',
    headerField(messageId, 32),
    data.length === 0 ? '-' : data.map(element).join(''),
  ]
  return Buffer.from(`${head.join(' ')} ${isAscii(text) ? '' : byteOrderMark}${text}`)
}

/** Messages one after the other, each behind the number of its bytes. */
export const octetCounted = (messages: readonly Uint8Array[]): Buffer =>
  Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]))
