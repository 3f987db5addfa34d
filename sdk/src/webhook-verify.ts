import type { WebhookEvent } from '@muster/contract/event-objects'
import {
  bodyBytes,
  readSignatureHeader,
  signedBytes,
  signingKeys,
  type WebhookBody,
} from './webhook-signature.ts'

/** How far the time of a signature may be from now: an event is sent again for 21 minutes, and clocks differ. */
export const toleranceSecondsDefault = 35 * 60

/** A webhook as it came. */
export interface WebhookRequest {
  /** The body exactly as it came, before anything has parsed it. */
  readonly body: WebhookBody
  /** The header `X-Signature`. */
  readonly header: string | readonly string[] | null | undefined
  /** The secrets of the endpoint: during a rotation the old one and the new one. */
  readonly secrets: readonly string[]
  /** Now, in UNIX seconds; by the clock unless told. */
  readonly nowSeconds?: number
  /** How far the time of the signature may be from now, before or after; 35 minutes unless told. */
  readonly toleranceSeconds?: number
}

/**
 * Why a webhook is not to be trusted:
 * - `header_missing`: there is no signature;
 * - `header_malformed`: the header is not `t=…,v1=…`;
 * - `signature_mismatch`: no secret made any of the signatures; the body, the time or the secret is another one;
 * - `outside_window`: rightly signed, but too long ago, or in the future: it may have been recorded and sent again;
 * - `body_malformed`: rightly signed, but not a JSON object of version 1.
 */
export type WebhookFault =
  | 'header_missing'
  | 'header_malformed'
  | 'signature_mismatch'
  | 'outside_window'
  | 'body_malformed'

export type WebhookVerdict =
  | {
      readonly valid: true
      /** A newer server may send objects that are not in the type: have a default for `object`. */
      readonly event: WebhookEvent
      /** When it was signed. */
      readonly timestampSeconds: number
    }
  | { readonly valid: false; readonly fault: WebhookFault }

const invalid = (fault: WebhookFault): WebhookVerdict => ({ valid: false, fault })

/**
 * Tells whether a webhook comes from Muster unchanged, and gives its event. The comparison takes the same time
 * whatever differs (WebCrypto's `verify`), and every secret is tried with every signature. The same event may come
 * more than once: `event.id` tells.
 *
 * @throws TypeError when there is no secret, or one that is no text or an empty one: nothing would be verified; and when
 *   the body of a request with a signature is neither bytes nor text
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookVerdict> {
  const { header, secrets, toleranceSeconds = toleranceSecondsDefault } = request
  const keys = await signingKeys(secrets)
  if (header === undefined || header === null || header.length === 0) return invalid('header_missing')
  const signature = readSignatureHeader(typeof header === 'string' ? header : header.join())
  if (signature === undefined) return invalid('header_malformed')

  const body = bodyBytes(request.body)
  const bytes = signedBytes(signature.timestamp, body)
  const matches = await Promise.all(
    keys.flatMap((key) => signature.signatures.map((bits) => crypto.subtle.verify('HMAC', key, bits, bytes))),
  )
  if (!matches.includes(true)) return invalid('signature_mismatch')

  const timestampSeconds = Number(signature.timestamp)
  const nowSeconds = request.nowSeconds ?? Math.floor(Date.now() / 1000)
  // Written so that a time that is no number is outside.
  if (!(Math.abs(nowSeconds - timestampSeconds) <= toleranceSeconds)) return invalid('outside_window')
  const event = readEvent(body)
  return event === undefined ? invalid('body_malformed') : { valid: true, event, timestampSeconds }
}

/** The event of a body that is rightly signed; what it holds is not checked further, so that it may grow. */
function readEvent(body: Uint8Array): WebhookEvent | undefined {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return event?.version === '1' ? event : undefined
  } catch {
    return undefined
  }
}
