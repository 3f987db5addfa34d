/**
 * Common Event Format, version 0 (ArcSight, "Implementing ArcSight Common Event Format"): a header of seven fields
 * separated by bars, then key-value pairs. Line breaks are escaped or replaced by spaces.
 */

export interface CefHeader {
  readonly vendor: string
  readonly product: string
  readonly version: string
  /** Machine-readable event type. */
  readonly signature: string
  /** Human-readable event type. */
  readonly name: string
  /** 0 (lowest) to 10 (highest). */
  readonly severity: number
}

/** A key of the CEF dictionary and its value. */
export type CefField = readonly [key: string, value: string]

const controlCharacters = /\p{Cc}/gu

/** Escapes a header field, which has only `\\` and `\|`. Line breaks become spaces. */
const headerField = (text: string): string => text.replace(/[\\|]/g, '\\$&').replace(controlCharacters, ' ')

/** Escapes a value, which has `\\`, `\=`, `\n` and `\r`. */
const fieldValue = (text: string): string =>
  text
    .replace(/[\\=]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(controlCharacters, ' ')

/** Formats one line, without a line break. */
export function cefLine(header: CefHeader, fields: readonly CefField[]): string {
  const { vendor, product, version, signature, name, severity } = header
  const head = [vendor, product, version, signature, name].map(headerField).join('|')
  return `CEF:0|${head}|${severity}|${fields.map(([key, text]) => `${key}=${fieldValue(text)}`).join(' ')}`
}
