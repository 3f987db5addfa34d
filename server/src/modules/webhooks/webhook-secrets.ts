import { type KeyObject, randomBytes } from 'node:crypto'
import { decryptText, encryptText } from '../../kernel/lib/secrets/secret.ts'
import type { StaticHeader } from './delivery/target.rules.ts'
import type { WebhookRow } from './webhooks.service.ts'

/** For so long after a rotation events are signed with the old secret, too (events contract, section 1, rule 2). */
export const rotationSeconds = 24 * 60 * 60

/** A new secret: `mwhs_` and 32 lower-case hexadecimal digits. */
export const newWebhookSecret = (): string => `mwhs_${randomBytes(16).toString('hex')}`

type Place = Pick<WebhookRow, 'org' | 'id'>
const secretPlace = ({ org, id }: Place): string => `webhook secret ${org} ${id}`
const headersPlace = ({ org, id }: Place): string => `webhook headers ${org} ${id}`

/** Encrypts a secret, for one endpoint only. */
export const sealSecret = (key: KeyObject, webhook: Place, secret: string): string =>
  encryptText(key, secret, secretPlace(webhook))

/** Encrypts static headers, for one endpoint only; null for none. */
export const sealHeaders = (
  key: KeyObject,
  webhook: Place,
  headers: readonly StaticHeader[],
): string | null =>
  headers.length === 0 ? null : encryptText(key, JSON.stringify(headers), headersPlace(webhook))

/** The static headers of an endpoint. @throws Error when they were encrypted with another key */
export const headersOf = (
  key: KeyObject,
  webhook: Place & Pick<WebhookRow, 'headersSealed'>,
): readonly StaticHeader[] =>
  webhook.headersSealed === null
    ? []
    : (JSON.parse(decryptText(key, webhook.headersSealed, headersPlace(webhook))) as StaticHeader[])

/**
 * The secrets that events are signed with now: after a rotation the new one, then for 24 hours the one before.
 *
 * @throws Error when they were encrypted with another key
 */
export function secretsOf(key: KeyObject, webhook: WebhookRow, nowSeconds: number): string[] {
  const { secretSealed, previousSecretSealed: previous, previousSecretUntil: until } = webhook
  const sealed = [secretSealed, previous !== null && until !== null && nowSeconds < until ? previous : null]
  return sealed.flatMap((text) => (text === null ? [] : [decryptText(key, text, secretPlace(webhook))]))
}

/** Whether the secret of an endpoint can be read: not if it was encrypted with another master key. */
export function isSecretReadable(key: KeyObject, webhook: WebhookRow): boolean {
  try {
    return secretsOf(key, { ...webhook, previousSecretSealed: null }, 0).length > 0
  } catch {
    return false
  }
}
