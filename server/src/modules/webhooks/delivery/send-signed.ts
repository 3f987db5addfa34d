import type { KeyObject } from 'node:crypto'
import { headersOf, secretsOf } from '../webhook-secrets.ts'
import type { WebhookRow } from '../webhooks.service.ts'
import type { Sender, SendOutcome, WebhookRequest } from './webhook-sender.ts'

const unreadable = 'The secret was encrypted with another master key. Rotate it.'

/** Returns the body of a request: the event, or an array of events if the endpoint gets batches. */
export const requestBody = ({ batchSize }: WebhookRow, events: readonly string[]): string =>
  batchSize > 1 ? `[${events.join(',')}]` : (events[0] ?? '')

/**
 * Sends an event to an endpoint with its static headers and signatures. Returns a failed outcome if the secrets cannot
 * be decrypted.
 *
 * @param onUnreadable called with the decryption error, for logging
 */
export async function sendSigned(
  sender: Sender,
  key: KeyObject,
  webhook: WebhookRow,
  { nowSeconds, ...message }: { readonly nowSeconds: number } & Pick<WebhookRequest, 'body' | 'traceparent'>,
  onUnreadable?: (error: unknown) => void,
): Promise<SendOutcome> {
  let credentials: Pick<WebhookRequest, 'headers' | 'secrets'>
  try {
    credentials = { headers: headersOf(key, webhook), secrets: secretsOf(key, webhook, nowSeconds) }
  } catch (error) {
    onUnreadable?.(error)
    return { status: null, latencyMs: 0, answer: '', error: unreadable }
  }
  return sender.send({ url: webhook.url, ...message, ...credentials }, nowSeconds)
}
