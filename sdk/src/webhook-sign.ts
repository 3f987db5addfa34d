import { bodyBytes, signedBytes, signingKeys, toHex, type WebhookBody } from './webhook-signature.ts'

/** Input of a signature. */
export interface Signing {
  /** The body as it is sent. */
  readonly body: WebhookBody
  /** The secrets that are valid: one `v1` for each, two while an endpoint's secret is being rotated. */
  readonly secrets: readonly string[]
  /** Time of the signature in UNIX seconds; defaults to now. */
  readonly timestampSeconds?: number
}

/**
 * The header `X-Signature` of a body, as Muster sends it: for tests of what receives webhooks.
 *
 * `t=1763712000,v1=3A0F…`: HMAC-SHA-256 in upper-case hexadecimal (events contract, section 1, rule 2).
 *
 * @throws TypeError when there is no secret, or one that is no text or an empty one, or when the body is neither bytes nor
 *   text
 */
export async function signWebhook(signing: Signing): Promise<string> {
  const keys = await signingKeys(signing.secrets)
  const timestamp = String(signing.timestampSeconds ?? Math.floor(Date.now() / 1000))
  const bytes = signedBytes(timestamp, bodyBytes(signing.body))
  const signatures = await Promise.all(keys.map((key) => crypto.subtle.sign('HMAC', key, bytes)))
  return [`t=${timestamp}`, ...signatures.map((bits) => `v1=${toHex(new Uint8Array(bits))}`)].join(',')
}
