const blockBytes = 64

/**
 * Runs a hash function of the SHA family with 64-byte blocks over a text: pads it and passes it on block by block.
 *
 * Passwords must be hashed synchronously in an event handler, because the page may be gone a moment later, and on pages
 * without TLS as well. WebCrypto is asynchronous and needs a secure context.
 *
 * @param text hashed as UTF-8
 * @param state initial words, changed in place
 * @param compress mixes one block, 16 big-endian words at `offset`, into the state
 * @returns the state in lower-case hexadecimal
 */
export function digestBlocks(
  text: string,
  state: Uint32Array,
  compress: (state: Uint32Array, blocks: DataView, offset: number) => void,
): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const blocks = new DataView(padded.buffer)
  blocks.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  blocks.setUint32(padded.length - 4, (bytes.length * 8) >>> 0)
  for (let offset = 0; offset < padded.length; offset += blockBytes) compress(state, blocks, offset)
  bytes.fill(0)
  padded.fill(0)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** Returns word `index` of a typed array that is known to be long enough. */
export const word = (words: Uint32Array, index: number): number => words[index] ?? 0
