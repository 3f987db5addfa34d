const encoder = new TextEncoder()

/** Key of WebCrypto, which some libraries of types do not name globally. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Content of the header `X-Signature` (events contract, section 1, rule 2). */
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

/**
 * The keys of secrets: HMAC-SHA-256, keyed with the whole secret.
 *
 * @throws TypeError when there is no secret, or one that is no text or an empty one: anybody could guess its key
 */
export async function signingKeys(secrets: readonly string[]): Promise<readonly Key[]> {
  const given: unknown = secrets
  if (!Array.isArray(given) || given.length === 0 || given.some((secret) => !isSecret(secret)))
    throw new TypeError('secrets must be a list of those of the endpoint')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return Promise.all(
    secrets.map((secret) =>
      crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign', 'verify']),
    ),
  )
}

const isSecret = (secret: unknown): boolean => typeof secret === 'string' && secret !== ''

/** Returns the signed message: the time, a dot, and the exact bytes of the body. */
export function signedBytes(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${timestamp}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

/** A body exactly as it is sent: its bytes, or as text if it is UTF-8. */
export type WebhookBody = ArrayBuffer | ArrayBufferView | string

/**
 * A body as bytes.
 *
 * @throws TypeError when it is something else, as what a framework makes of a body
 */
export function bodyBytes(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('body must be the bytes as they came, before anything has parsed them')
}

/** Upper-case hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
