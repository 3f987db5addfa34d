import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the manifest of an extension in a folder. */
export const manifestOf = (folder: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

/**
 * Returns the ID that Chromium gives an unpacked extension: the start of the SHA-256 of its manifest's public key, or
 * of its folder path if it has none, in the letters a to p.
 */
export function extensionIdOf(folder: string): string {
  const { key } = manifestOf(folder)
  const source = typeof key === 'string' ? Buffer.from(key, 'base64') : Buffer.from(folder)
  const digits = createHash('sha256').update(source).digest('hex').slice(0, 32)
  return [...digits].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')
}
