import { randomByteSource } from './random-pool.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Largest multiple of 62 within a byte. Greater bytes are discarded, because they would favor some characters. */
const unbiasedLimit = 248
const nextByte = randomByteSource()

/**
 * Encodes an integer in base62 (digits, upper case, lower case), left-padded with `0` to `width`.
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

/** Returns `length` random characters, uniformly distributed and cryptographically secure: about 5.95 bits each. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = nextByte()
    if (byte < unbiasedLimit) text += alphabet.charAt(byte % 62)
  }
  return text
}
