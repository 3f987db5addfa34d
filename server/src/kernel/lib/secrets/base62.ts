import { randomByteSource } from './random-pool.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The largest multiple of 62 that a byte can reach: bytes from here on are thrown away, for they would favor some characters. */
const fairLimit = 248
const nextByte = randomByteSource()

/**
 * A whole number in base62 (digits, capitals, small letters: the order of ASCII), left-padded with `0` to `width`.
 *
 * @throws RangeError if the number is negative, not a safe integer, or does not fit into `width` characters
 */
export function encodeBase62(value: number, width: number): string {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 62 ** width) {
    throw new RangeError(`${value} is not a whole number that fits into ${width} base62 characters`)
  }
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62))
    text = alphabet.charAt(rest % 62) + text
  return text
}

/** `length` characters, each drawn evenly from the 62 by the system's random source: about 5.95 bits a character. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = nextByte()
    if (byte < fairLimit) text += alphabet.charAt(byte % 62)
  }
  return text
}
