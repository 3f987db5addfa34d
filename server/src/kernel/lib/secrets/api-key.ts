import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { encodeBase62, randomBase62 } from './base62.ts'

const prefix = 'mstr_'
const randomLength = 32
const checksumLength = 6
const startLength = 9
/** How many characters every API key has. */
export const apiKeyLength = prefix.length + randomLength + checksumLength
const keyPattern = /^mstr_[0-9A-Za-z]{38}$/

/** A freshly made API key. Only `start` and `hash` are kept; `key` is shown to its holder once. */
export interface NewApiKey {
  /** The whole key: `mstr_`, 32 random base62 characters, 6 of checksum. */
  readonly key: string
  /** The first 9 characters, by which people recognize a key. */
  readonly start: string
  /** What is stored instead of the key: {@link hashApiKey} of it. */
  readonly hash: string
}

/** Makes an API key with 190 random bits (REST contract, Authentication). */
export function newApiKey(): NewApiKey {
  const random = randomBase62(randomLength)
  const key = prefix + random + checksum(random)
  return { key, start: key.slice(0, startLength), hash: hashApiKey(key) }
}

/**
 * Whether the text has the shape of an API key and its checksum is right. Costs the same small amount of work whatever
 * is presented, and needs no look-up, so mistyped and made-up keys never reach the store.
 */
export function isWellFormedApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false
  const checksumStart = prefix.length + randomLength
  return text.slice(checksumStart) === checksum(text.slice(prefix.length, checksumStart))
}

/**
 * SHA-256 of the whole key as 64 lower-case hexadecimal characters. Hexadecimal and base64url cost the same as a map's
 * key (half a microsecond with the hash, measured); hexadecimal reads better in a database.
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

function checksum(random: string): string {
  return encodeBase62(crc32(random), checksumLength)
}
