import type { WebhookEvent } from '@muster/contract/events/event-objects'
import {
  bodyBytes,
  readSignatureHeader,
  signedBytes,
  signingKeys,
  type WebhookBody,
} from './webhook-signature.ts'

/** Maximum age of a signature: events are retried for 21 minutes, and clocks differ. */
export const toleranceSecondsDefault = 35 * 60

/** A webhook as it came. */
export interface WebhookRequest {
  /** The body exactly as it came, before anything has parsed it. */
  readonly body: WebhookBody
  /** The header `X-Signature`. */
  readonly header: string | readonly string[] | null | undefined
  /** The secrets of the endpoint: during a rotation the old one and the new one. */
  readonly secrets: readonly string[]
  /** Current time in UNIX seconds; defaults to the clock. */
  readonly nowSeconds?: number
  /** Maximum difference between the time of the signature and now; 35 minutes by default. */
  readonly toleranceSeconds?: number
}

/**
 * Reason why a webhook is not trusted:
 * - `header_missing`: no signature;
 * - `header_malformed`: the header is not `t=…,v1=…`;
 * - `signature_mismatch`: no secret matches any of the signatures; the body, the time or the secret differs;
 * - `outside_window`: valid signature, but too old or in the future; possibly a replay;
 * - `body_malformed`: valid signature, but not a JSON object of version 1, or an array of them.
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
      /** All events of the request: several if the endpoint gets batches. `event` is the first. */
      readonly events: readonly WebhookEvent[]
      /** When it was signed. */
      readonly timestampSeconds: number
    }
  | { readonly valid: false; readonly fault: WebhookFault }

const invalid = (fault: WebhookFault): WebhookVerdict => ({ valid: false, fault })

/**
 * Verifies that a webhook comes from Muster unchanged, and returns its event. The comparison takes constant time
 * (WebCrypto's `verify`), and every secret is tried with every signature. The same event may arrive more than once;
 * `event.id` identifies repeats.
 *
 * @throws TypeError if there is no secret, or one that is not a string or is empty; and if the body of a signed request
 *   is neither bytes nor a string
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
  // Written this way, NaN counts as outside.
  if (!(Math.abs(nowSeconds - timestampSeconds) <= toleranceSeconds)) return invalid('outside_window')
  const events = readEvents(body)
  const [event] = events
  return event === undefined ? invalid('body_malformed') : { valid: true, event, events, timestampSeconds }
}

/** Parses the events of a correctly signed body. Their content is not validated, so new members do not break receivers. */
function readEvents(body: Uint8Array): readonly WebhookEvent[] {
  try {
    const parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    const events: readonly WebhookEvent[] = Array.isArray(parsed) ? parsed : [parsed]
    return events.every((event) => event?.version === '1') ? events : []
  } catch {
    return []
  }
}
