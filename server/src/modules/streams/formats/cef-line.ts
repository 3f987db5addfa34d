/**
 * Lines of the Common Event Format, version 0 (ArcSight, "Implementing ArcSight Common Event Format"): a header of seven
 * fields between bars, then pairs of key and value. It is one line: what would break it is escaped, or becomes a space.
 */

/** The header of a line. Vendor and product are ours, see cef-event.ts. */
export interface CefHeader {
  readonly vendor: string
  readonly product: string
  readonly version: string
  /** What kind of event it is, for machines. */
  readonly signature: string
  /** What kind of event it is, for people. */
  readonly name: string
  /** From 0, nothing, to 10, the worst. */
  readonly severity: number
}

/** A key of the CEF dictionary and its value. */
export type CefField = readonly [key: string, value: string]

/** Control characters other than line breaks, which a header cannot have at all, and no receiver expects in a value. */
const controls = /\p{Cc}/gu

/** Header fields know two escapes, `\\` and `\|`; they have no way to say a line break. */
const headerField = (text: string): string => text.replace(/[\\|]/g, '\\$&').replace(controls, ' ')

/** Values know `\\`, `\=`, `\n` and `\r`. */
const value = (text: string): string =>
  text.replace(/[\\=]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replace(controls, ' ')

/** One line, without its end. */
export function cefLine(header: CefHeader, fields: readonly CefField[]): string {
  const { vendor, product, version, signature, name, severity } = header
  const head = [vendor, product, version, signature, name].map(headerField).join('|')
  return `CEF:0|${head}|${severity}|${fields.map(([key, text]) => `${key}=${value(text)}`).join(' ')}`
}
