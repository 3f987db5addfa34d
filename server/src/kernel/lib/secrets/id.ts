import { randomByteSource } from './random-pool.ts'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Creates a source of monotonic UUIDv7 (RFC 9562, section 5.7).
 *
 * Layout: 48 bits of milliseconds, a 26-bit counter (`rand_a` and the first 14 bits of `rand_b`), 48 random bits. Every
 * millisecond the counter starts at a random number in its lower half (RFC 9562, section 6.2, method 1), so IDs of one
 * millisecond sort in the order of creation. IDs stay monotonic when the clock steps back.
 *
 * @param nextByte source of random bytes; a seeded source makes the IDs reproducible, for demo data
 * @param counterLimit counter value at which the next millisecond starts; lower in tests
 * @returns a function from the time in milliseconds to a lower-case UUID
 */
export function idSource(
  nextByte: () => number = randomByteSource(),
  counterLimit = 2 ** 26,
): (nowMs: number) => string {
  let lastMs = -1
  let counter = 0
  let timePart = ''

  function startMillisecond(ms: number): void {
    lastMs = ms
    const hex = ms.toString(16).padStart(12, '0')
    timePart = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
    counter = ((nextByte() & 1) << 24) | (nextByte() << 16) | (nextByte() << 8) | nextByte()
  }

  return (nowMs) => {
    if (nowMs > lastMs) startMillisecond(nowMs)
    else counter += 1
    if (counter === counterLimit) startMillisecond(lastMs + 1)
    const high = (counter >>> 14).toString(16).padStart(3, '0')
    const low = (0x8000 | (counter & 0x3fff)).toString(16)
    let random = ''
    for (let index = 0; index < 6; index += 1) random += hexOfByte[nextByte()]
    return `${timePart}${high}-${low}-${random}`
  }
}

/**
 * Returns a new record ID: a lower-case UUIDv7 that sorts after all earlier IDs of this process (REST contract, rule 5).
 *
 * @param nowMs milliseconds since the UNIX epoch
 */
export const newId: (nowMs: number) => string = idSource()

/** Returns true for a UUID of any version in canonical form: 36 characters, lower case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** Returns the time of a UUIDv7 in milliseconds. */
export const idTimeMs = (id: string): number => Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16)

/** Returns the lower bound of all UUIDv7 from a millisecond on, for range queries. */
export function firstIdOf(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
