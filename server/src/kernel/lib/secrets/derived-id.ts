import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * Derives an ID from a time and other parts, in the form of a UUIDv7 (RFC 9562, section 5.7): 48 bits of time, bits of the
 * SHA-256 of the parts, and a 24-bit checksum that marks the ID as derived.
 *
 * @param ms milliseconds since the UNIX epoch
 */
export function derivedId(ms: number, parts: readonly (string | number)[]): string {
  const unsigned = hashedId('7', ms, parts).slice(0, -checksumLength)
  return unsigned + checksumOf(unsigned)
}

/** Derives a UUIDv8 (RFC 9562, section 5.8), for objects that the API does not show. */
export const internalId = (ms: number, parts: readonly (string | number)[]): string =>
  hashedId('8', ms, parts)

/** Returns true for a derived ID. Records that were imported from a development version may have the form of UUIDv8. */
export const isDerivedId = (id: string): boolean =>
  id.length === 36 && (id.charAt(14) === '8' || id.endsWith(checksumOf(id.slice(0, -checksumLength))))

/** Returns true if an ID was derived from the time and the parts, in either form. */
export const isDerivedFrom = (id: string, ms: number, parts: readonly (string | number)[]): boolean =>
  id === derivedId(ms, parts) || id === internalId(ms, parts)

function hashedId(version: '7' | '8', ms: number, parts: readonly (string | number)[]): string {
  const time = ms.toString(16).padStart(12, '0')
  const digest = hash('sha256', JSON.stringify(parts), 'hex')
  const variant = '89ab'[Number.parseInt(digest.slice(3, 4), 16) % 4]
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}

const checksumLength = 6

/** Returns 24 bits of the CRC-32: one of 17 million other IDs matches by chance. */
const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0').slice(-checksumLength)
