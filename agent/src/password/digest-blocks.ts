const blockBytes = 64

/**
 * Runs a function of the SHA family with 64-byte blocks over a text: pads it and hands on block by block.
 *
 * The hashes of a password have to be made while an event is being handled, because the page may be gone
 * the moment after, and on pages without TLS too. WebCrypto can do neither: it answers later, and only in
 * secure contexts.
 *
 * @param text hashed as UTF-8
 * @param state the initial words, changed in place
 * @param compress mixes one block, 16 words big-endian at `offset`, into the state
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

/** Word `index` of a typed array that is known to be long enough. */
export const word = (words: Uint32Array, index: number): number => words[index] ?? 0
