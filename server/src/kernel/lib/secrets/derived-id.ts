import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * An id that follows from what it is made of, of the form of a UUID of version 7 (RFC 9562, section 5.7): the first 48 bits
 * the time, so that it sorts by it, then of SHA-256 of the parts what there is room for, and 24 bits by which it is known
 * again as derived.
 *
 * @param ms the time in milliseconds since the UNIX epoch
 */
export function derivedId(ms: number, parts: readonly (string | number)[]): string {
  const made = hashedId('7', ms, parts).slice(0, -signLength)
  return made + signOf(made)
}

/** An id of version 8 (section 5.8) that follows from what it is made of, for what no client of the API sees. */
export const internalId = (ms: number, parts: readonly (string | number)[]): string =>
  hashedId('8', ms, parts)

/** Whether an id was derived. Before they got the form of version 7 they had that of version 8. */
export const isDerivedId = (id: string): boolean =>
  id.length === 36 && (id.charAt(14) === '8' || id.endsWith(signOf(id.slice(0, -signLength))))

/** Whether an id was derived of the parts at the time, in either form. */
export const isDerivedFrom = (id: string, ms: number, parts: readonly (string | number)[]): boolean =>
  id === derivedId(ms, parts) || id === internalId(ms, parts)

function hashedId(version: '7' | '8', ms: number, parts: readonly (string | number)[]): string {
  const time = ms.toString(16).padStart(12, '0')
  const digest = hash('sha256', JSON.stringify(parts), 'hex')
  const variant = '89ab'[Number.parseInt(digest.slice(3, 4), 16) % 4]
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}

const signLength = 6

/** 24 bits of its CRC-32: one of 17 million ids that were made in another way has them by chance. */
const signOf = (text: string): string => crc32(text).toString(16).padStart(8, '0').slice(-signLength)
