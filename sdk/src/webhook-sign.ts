import { bodyBytes, signedBytes, signingKey, toHex } from './webhook-signature.ts'

/** What is to be signed. */
export interface Signing {
  /** The body as it is sent. */
  readonly body: Uint8Array | string
  /** The secrets that are valid: one `v1` for each, two while an endpoint's secret is being rotated. */
  readonly secrets: readonly string[]
  /** When it is signed, in UNIX seconds; now unless told. */
  readonly timestampSeconds?: number
}

/**
 * The header `X-Signature` of a body, as Muster sends it: for tests of what receives webhooks.
 *
 * `t=1763712000,v1=3A0F…`: HMAC-SHA-256 in upper-case hexadecimal (events contract, section 1, rule 2).
 */
export async function signWebhook(signing: Signing): Promise<string> {
  const timestamp = String(signing.timestampSeconds ?? Math.floor(Date.now() / 1000))
  const bytes = signedBytes(timestamp, bodyBytes(signing.body))
  const signatures = await Promise.all(
    signing.secrets.map(async (secret) => crypto.subtle.sign('HMAC', await signingKey(secret), bytes)),
  )
  return [`t=${timestamp}`, ...signatures.map((bits) => `v1=${toHex(new Uint8Array(bits))}`)].join(',')
}
