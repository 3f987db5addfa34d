import { hash } from 'node:crypto'

/**
 * An id that follows from what it is made of: a UUID of version 8 (RFC 9562, section 5.8), the first 48 bits the time,
 * so that it sorts by it, the rest of SHA-256 of the parts.
 *
 * @param ms the time in milliseconds since the UNIX epoch
 */
export function derivedId(ms: number, parts: readonly (string | number)[]): string {
  const time = ms.toString(16).padStart(12, '0')
  const digest = hash('sha256', JSON.stringify(parts), 'hex')
  const variant = '89ab'[Number.parseInt(digest.slice(3, 4), 16) % 4]
  return `${time.slice(0, 8)}-${time.slice(8)}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}

/** Whether an id was derived. */
export const isDerivedId = (id: string): boolean => id.charAt(14) === '8' && id.length === 36
