import { digestBlocks, word } from './digest-blocks.ts'

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))

/** Returns function and constant of a step (FIPS 180-4, section 6.1.2). */
function step(index: number, b: number, c: number, d: number): number {
  if (index < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (index < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (index < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
  return (b ^ c ^ d) + 0xca62c1d6
}

function compress(state: Uint32Array, blocks: DataView, offset: number): void {
  const schedule = new Uint32Array(80)
  for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(offset + i * 4)
  for (let i = 16; i < 80; i++) {
    const mixed =
      word(schedule, i - 3) ^ word(schedule, i - 8) ^ word(schedule, i - 14) ^ word(schedule, i - 16)
    schedule[i] = rotate(mixed, 1)
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
  for (let i = 0; i < 80; i++) {
    const next = (rotate(a, 5) + step(i, b, c, d) + e + word(schedule, i)) | 0
    ;[e, d, c, b, a] = [d, c, rotate(b, 30), a, next]
  }
  ;[a, b, c, d, e].forEach((value, i) => {
    state[i] = word(state, i) + value
  })
}

/** Returns the SHA-1 of a text in UTF-8: 40 upper-case hexadecimal characters, as in the range protocol. */
export function sha1(text: string): string {
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
  return digestBlocks(text, state, compress).toUpperCase()
}
