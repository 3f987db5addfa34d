import { randomFillSync } from 'node:crypto'

/**
 * Cryptographically random bytes, drawn from the system in blocks because a call for a few bytes costs as much as one
 * for thousands. Bytes are handed out once and wiped from the pool, so a memory dump does not hold past secrets.
 *
 * @returns a function that gives the next byte, 0–255
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
