import { createHash } from 'node:crypto'

/**
 * Text that would reveal a password if it left the browser: the password in the usual encodings, or the first
 * characters of its hashes, which also finds whole hashes. The range lookup may send five characters of the SHA-1
 * (domain contract, section 3).
 */
export interface SecretTrace {
  /** Description for the message: `sha256 of "…"`. */
  readonly what: string
  readonly text: string
}

const hashNames = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const
/** Number of characters of a hash that counts as a trace. */
const fingerprintLength = 8
/**
 * Number of hexadecimal characters compared for IDs. Among many random IDs, some start like a fingerprint. An ID
 * derived from a hash contains this many characters before its version or at its end.
 */
const knownLength = 12

/**
 * Returns the traces of a password.
 *
 * @param salts prefixes with which the password may have been hashed
 */
export function tracesOf(password: string, salts: readonly string[]): SecretTrace[] {
  const bytes = Buffer.from(password)
  const clear: SecretTrace[] = [
    { what: 'clear text', text: password },
    { what: 'clear text in a URL', text: encodeURIComponent(password) },
    { what: 'clear text in a form', text: new URLSearchParams({ p: password }).toString().slice(2) },
    { what: 'clear text in JSON', text: JSON.stringify(password).slice(1, -1) },
    { what: 'clear text backwards', text: [...password].reverse().join('') },
    { what: 'hexadecimal', text: bytes.toString('hex') },
    ...[0, 1, 2].map((offset) => ({ what: 'base64', text: base64Core(bytes, offset) })),
  ]
  const variants = [
    password,
    password.toLowerCase(),
    password.toUpperCase(),
    ...salts.map((s) => s + password),
  ]
  const hashes = hashNames.flatMap((name) =>
    variants.flatMap((variant) => {
      const digest = createHash(name).update(variant).digest()
      const what =
        variant === password ? name : `${name} of salt and password, or of the password in another case`
      return [
        { what, text: digest.toString('hex').slice(0, knownLength) },
        { what, text: digest.toString('base64').slice(0, fingerprintLength) },
        { what, text: digest.toString('base64url').slice(0, fingerprintLength) },
      ]
    }),
  )
  return [...clear, ...hashes]
}

/** Returns the base64 characters of the bytes that do not depend on the surrounding text. */
function base64Core(bytes: Buffer, offset: number): string {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const start = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  return shifted.slice(start, end)
}

/** Returns the descriptions of the traces found in a text. Hexadecimal matches in either case. */
export function findTraces(text: string, traces: readonly SecretTrace[]): string[] {
  const lower = text.toLowerCase()
  const ids: string[] = []
  const rest = lower.replaceAll(uuid, (id) => {
    ids.push(id.replaceAll('-', ''))
    return ' '
  })
  const inRest = hexWindows(rest, fingerprintLength)
  const inIds = hexWindows(ids.join(' '), knownLength)
  const isIn = (trace: string): boolean => {
    if (!/^[0-9a-f]+$/.test(trace)) return text.includes(trace)
    if (trace.length !== knownLength) return lower.includes(trace)
    return inRest.has(trace.slice(0, fingerprintLength)) || inIds.has(trace)
  }
  return traces.filter((trace) => isIn(trace.text)).map(({ what }) => what)
}

const uuid = /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])/g

/** Returns all hexadecimal substrings of a length, so thousands of fingerprints can be looked up at once. */
function hexWindows(text: string, length: number): ReadonlySet<string> {
  const windows = new Set<string>()
  for (const [run] of text.matchAll(/[0-9a-f]{8,}/g))
    for (let start = 0; start + length <= run.length; start += 1)
      windows.add(run.slice(start, start + length))
  return windows
}
