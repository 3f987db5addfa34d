import type { PolicyStolenCredential } from '@muster/contract/agent/agent-policy'

const derivedBits = 128
/** Maximum number of iterations. The contract allows no more, and a policy with more must not stall the browser. */
const iterationsMaximum = 1_000_000
/** Maximum number of IDs in an event. */
const matchesMaximum = 64

const toBytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const toHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns the IDs of stolen credentials that match a password (domain contract, section 3). Compares
 * PBKDF2-HMAC-SHA-256 of its SHA-1 in upper-case hexadecimal. Derives once per distinct salt.
 *
 * @param sha1 40 upper-case hexadecimal characters
 */
export async function stolenMatches(
  sha1: string,
  credentials: readonly PolicyStolenCredential[],
): Promise<string[]> {
  if (credentials.length === 0) return []
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(sha1), 'PBKDF2', false, [
    'deriveBits',
  ])
  const matches: string[] = []
  const groups = Map.groupBy(credentials, ({ salt, iterations }) => `${salt.toLowerCase()} ${iterations}`)
  for (const group of groups.values()) {
    const [{ salt, iterations } = { salt: '', iterations: 0 }] = group
    if (iterations < 1 || iterations > iterationsMaximum) continue
    const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt: toBytes(salt), iterations }
    const derived = toHex(await crypto.subtle.deriveBits(parameters, key, derivedBits))
    matches.push(...group.filter(({ hash }) => hash.toLowerCase() === derived).map(({ id }) => id))
  }
  return matches.slice(0, matchesMaximum)
}
