/**
 * Syslog messages (RFC 5424) with octet counting (RFC 6587, section 3.4.1; required by RFC 5425 over TLS): each message
 * is preceded by its length in bytes.
 */

/** Severities of syslog (RFC 5424, section 6.2.1) that Muster uses. */
const syslogSeverities = { critical: 2, error: 3, warning: 4, notice: 5, informational: 6 } as const
export type SyslogSeverity = keyof typeof syslogSeverities

/** `local0`, which no part of an operating system uses. */
const facility = 16

/** An element of structured data. */
interface StructuredData {
  readonly id: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

export interface SyslogMessage {
  readonly severity: SyslogSeverity
  /** UNIX seconds. */
  readonly timestamp: number
  readonly hostname: string
  readonly appName: string
  /** Type of the message. */
  readonly messageId: string
  readonly data: readonly StructuredData[]
  readonly text: string
}

/** Formats a header field: printable ASCII without spaces, or `-`. */
const headerField = (text: string, lengthMaximum: number): string =>
  text.replace(/[^\x21-\x7e]/g, '').slice(0, lengthMaximum) || '-'

/** Removes characters that are not allowed in names of structured data. */
const dataName = (text: string): string => text.replace(/[^\x21-\x7e]|[=\]"]/g, '').slice(0, 32) || '-'

const element = ({ id, parameters }: StructuredData): string => {
  const members = parameters.map(
    ([name, value]) => ` ${dataName(name)}="${value.replace(/["\\\]]/g, '\\$&')}"`,
  )
  return `[${dataName(id)}${members.join('')}]`
}

/** Required before UTF-8 text that is not ASCII (RFC 5424, section 6.4). */
const byteOrderMark = '\uFEFF'
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes control characters.
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** Formats a message without framing. Lone surrogates become U+FFFD. */
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

/** Concatenates messages, each preceded by its length in bytes. */
export const octetCounted = (messages: readonly Uint8Array[]): Buffer =>
  Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]))
