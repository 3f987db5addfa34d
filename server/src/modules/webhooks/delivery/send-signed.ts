import type { KeyObject } from 'node:crypto'
import { headersOf, secretsOf } from '../webhook-secrets.ts'
import type { WebhookRow } from '../webhooks.service.ts'
import type { Sender, Sending, SendOutcome } from './webhook-sender.ts'

const unreadable = 'its secret was encrypted with another master key: rotate it'

/**
 * Sends the text of an event to an endpoint, with its headers and signed by its secrets. Where these cannot be read, the
 * outcome says so.
 *
 * @param onUnreadable is told why, for the log
 */
export async function sendSigned(
  sender: Sender,
  key: KeyObject,
  webhook: WebhookRow,
  { body, nowSeconds }: { readonly body: string; readonly nowSeconds: number },
  onUnreadable?: (error: unknown) => void,
): Promise<SendOutcome> {
  let sealed: Pick<Sending, 'headers' | 'secrets'>
  try {
    sealed = { headers: headersOf(key, webhook), secrets: secretsOf(key, webhook, nowSeconds) }
  } catch (error) {
    onUnreadable?.(error)
    return { status: null, latencyMs: 0, answer: '', error: unreadable }
  }
  return sender.send({ url: webhook.url, body, ...sealed }, nowSeconds)
}
