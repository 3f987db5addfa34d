import { randomByteSource } from './random-pool.ts'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Makes a source of UUIDs of version 7 (RFC 9562, section 5.7) that never goes backwards.
 *
 * Layout: 48 bits of milliseconds, then a 26-bit counter (`rand_a` and the first 14 bits of `rand_b`), then 48 random
 * bits. The counter starts at a random place in its lower half every millisecond (RFC 9562, section 6.2, method 1), so
 * ids made in one millisecond sort in the order they were made. A clock that steps back does not take the ids with it.
 *
 * @param nextByte random bytes; a seeded source makes the ids repeatable, as demo data needs
 * @param counterLimit where the next millisecond is begun; tests need not make all these ids
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
 * A new id for a record: a lower-case UUIDv7 that sorts after every id this process made before
 * (REST contract, rule 5).
 *
 * @param nowMs the time in milliseconds since the UNIX epoch
 */
export const newId: (nowMs: number) => string = idSource()

/** Whether the text is a UUID of any version in its canonical form: 36 characters, lower case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** The millisecond in which a UUID of version 7 was made. */
export const idTimeMs = (id: string): number => Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16)

/** What all UUIDs of version 7 from a millisecond on sort after, and no earlier one does. */
export function firstIdOf(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
