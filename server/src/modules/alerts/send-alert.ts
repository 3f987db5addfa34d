import type { KeyObject } from 'node:crypto'
import type { AlertDestination } from '@muster/contract/console/alerts/alert-kinds'
import type { AlertMessage } from '@muster/contract/console/alerts/alert-message'
import { decryptText, encryptText } from '../../kernel/lib/secrets/secret.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import type { Sender, SendOutcome } from '../webhooks/delivery/webhook-sender.ts'
import type { WebhookRow } from '../webhooks/webhooks.service.ts'
import { findAlertRule } from './alert-rules.service.ts'
import type { AlertTarget } from './destinations/destination.ts'
import { destinationOf } from './destinations/destinations.ts'

/** Ties an encrypted target to its rule, so that it cannot be moved to another. */
const purpose = ({ org, id }: Pick<WebhookRow, 'org' | 'id'>): string => `alert target ${org} ${id}`

/** Encrypts the target of a rule. */
export const sealTarget = (
  key: KeyObject,
  endpoint: Pick<WebhookRow, 'org' | 'id'>,
  target: AlertTarget,
): string => encryptText(key, JSON.stringify(target), purpose(endpoint))

/** Decrypts the target of a rule. @throws Error when it was encrypted with another key */
export const targetOf = (key: KeyObject, endpoint: WebhookRow): AlertTarget =>
  endpoint.secretSealed === null
    ? {}
    : (JSON.parse(decryptText(key, endpoint.secretSealed, purpose(endpoint))) as AlertTarget)

const failed = (error: string): SendOutcome => ({ status: null, latencyMs: 0, answer: '', error })

/** Sends a message to an HTTP destination, in one attempt. */
export async function sendAlert(
  sender: Sender,
  key: KeyObject,
  { endpoint, destination }: { readonly endpoint: WebhookRow; readonly destination: AlertDestination },
  message: AlertMessage,
  { nowSeconds, traceparent }: { readonly nowSeconds: number; readonly traceparent?: string | undefined },
): Promise<SendOutcome> {
  const kind = destinationOf(destination)
  if (!kind) return failed('The rule sends e-mails since this message was written.')
  let target: AlertTarget
  try {
    target = targetOf(key, endpoint)
  } catch {
    return failed('The URL was encrypted with another master key. Enter it again.')
  }
  const url = target.url ?? kind.defaultUrl
  if (url === undefined) return failed('The rule has no URL.')
  const secrets = kind.signs && target.key !== undefined ? [target.key] : []
  const body = JSON.stringify(kind.render(message, target))
  const outcome = await sender.send({ url, headers: [], secrets, body, traceparent }, nowSeconds)
  if (outcome.error !== null) return outcome
  return { ...outcome, error: kind.refusal?.(outcome) ?? null }
}

/** Sends stored messages of rules, for the deliverer. */
export const alertSender =
  (db: Reader, sender: Sender, key: KeyObject) =>
  async (
    endpoint: WebhookRow,
    message: {
      readonly body: string
      readonly nowSeconds: number
      readonly traceparent?: string | undefined
    },
  ): Promise<SendOutcome> => {
    const rule = await findAlertRule(db, endpoint.org, endpoint.id)
    if (!rule) return failed('The rule was removed.')
    const { definition } = rule
    return sendAlert(
      sender,
      key,
      { endpoint: rule.endpoint, destination: definition.destination },
      JSON.parse(message.body) as AlertMessage,
      message,
    )
  }
