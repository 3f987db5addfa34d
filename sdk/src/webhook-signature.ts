const encoder = new TextEncoder()

/** What the header `X-Signature` says (events contract, section 1, rule 2). */
export interface SignatureHeader {
  /** When it was signed, as written: that text is part of what is signed. */
  readonly timestamp: string
  /** The signatures of the scheme `v1`, one for each secret that is valid. */
  readonly signatures: readonly Uint8Array<ArrayBuffer>[]
}

const headerLengthMaximum = 2048
const signaturesMaximum = 16

/**
 * Reads `t=<unix seconds>,v1=<hex>[,v1=<hex>…]`. Parts with other names are left aside: they are of schemes to come.
 *
 * @returns undefined when it is malformed
 */
export function readSignatureHeader(header: string): SignatureHeader | undefined {
  if (header.length > headerLengthMaximum) return undefined
  const parts = header.split(',').map((part) => /^\s*([a-z]\w*)=(\S+)\s*$/.exec(part))
  if (parts.includes(null)) return undefined
  const valuesOf = (name: string) => parts.flatMap((part) => (part?.[1] === name ? [part[2] ?? ''] : []))
  const [timestamp = '', ...furtherTimestamps] = valuesOf('t')
  const signatures = valuesOf('v1')
  const wellFormed =
    furtherTimestamps.length === 0 &&
    /^\d{1,12}$/.test(timestamp) &&
    signatures.length >= 1 &&
    signatures.length <= signaturesMaximum &&
    signatures.every((hex) => /^[0-9A-Fa-f]{64}$/.test(hex))
  return wellFormed ? { timestamp, signatures: signatures.map(fromHex) } : undefined
}

/** The key of a secret: HMAC-SHA-256, keyed with the whole secret. */
export const signingKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

/** What is signed: the time, a dot, and the exact bytes of the body. */
export function signedBytes(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${timestamp}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

/** A body as bytes; a text is UTF-8. */
export const bodyBytes = (body: Uint8Array | string): Uint8Array =>
  typeof body === 'string' ? encoder.encode(body) : body

/** Upper-case hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
