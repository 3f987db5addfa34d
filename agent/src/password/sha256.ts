import { digestBlocks, word } from './digest-blocks.ts'

const rotate = (value: number, bits: number) => (value >>> bits) | (value << (32 - bits))

/** Returns the first 32 bits of the fractional part of a root, from which FIPS 180-4 derives the constants. */
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

const primes = firstPrimes(64)
const constants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const initial = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

function scheduleOf(blocks: DataView, offset: number): Uint32Array {
  const schedule = new Uint32Array(64)
  for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const early = word(schedule, i - 15)
    const late = word(schedule, i - 2)
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    schedule[i] = word(schedule, i - 16) + s0 + word(schedule, i - 7) + s1
  }
  return schedule
}

function compress(state: Uint32Array, blocks: DataView, offset: number): void {
  const schedule = scheduleOf(blocks, offset)
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + s1 + ((e & f) ^ (~e & g)) + word(constants, i) + word(schedule, i)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] = word(state, i) + value
  })
}

/** Returns the SHA-256 of a text in UTF-8: 64 lower-case hexadecimal characters. */
export const sha256 = (text: string): string => digestBlocks(text, initial.slice(), compress)
