import { randomFillSync } from 'node:crypto'

/**
 * Creates a source of cryptographically secure random bytes. They are read from the system in blocks, because a call for a few
 * bytes costs as much as one for thousands. Used bytes are wiped, so a memory dump does not contain past secrets.
 *
 * @returns a function that returns the next byte, 0–255
 */
export function randomByteSource(blockBytes = 4096): () => number {
  const pool = new Uint8Array(blockBytes)
  let next = blockBytes
  return () => {
    if (next === blockBytes) {
      randomFillSync(pool)
      next = 0
    }
    const byte = pool[next] ?? 0
    pool[next] = 0
    next += 1
    return byte
  }
}
