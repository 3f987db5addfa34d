/**
 * Hashes a text to 8 hexadecimal digits (FNV-1a), for comparing texts without storing them. Not secure: a guessed text
 * can be verified.
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
