/**
 * Creates an event ID: a lower-case UUIDv7 (RFC 9562, section 5.7) with 48 bits of milliseconds and 74 random bits.
 *
 * @param nowMs time by the server's clock, in milliseconds since the UNIX epoch
 * @param random ten random bytes
 */
export function eventId(nowMs: number, random = crypto.getRandomValues(new Uint8Array(10))): string {
  const hex = (bytes: Iterable<number>) =>
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const time = Math.trunc(nowMs).toString(16).padStart(12, '0').slice(-12)
  const [first = 0, second = 0, third = 0, ...rest] = random
  const version = hex([0x70 | (first & 0x0f), second])
  const variant = hex([0x80 | (third & 0x3f), rest[0] ?? 0])
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${hex(rest.slice(1, 7))}`
}
