import { type KeyObject, randomBytes } from 'node:crypto'
import { decryptText, encryptText } from '../../kernel/lib/secrets/secret.ts'
import type { StaticHeader } from './delivery/target.rules.ts'
import type { WebhookRow } from './webhooks.service.ts'

/** Time after a rotation in which events are also signed with the old secret (events contract, section 1, rule 2). */
export const rotationSeconds = 24 * 60 * 60

/** Generates a secret: `mwhs_` and 32 lower-case hexadecimal digits. */
export const newWebhookSecret = (): string => `mwhs_${randomBytes(16).toString('hex')}`

type WebhookId = Pick<WebhookRow, 'org' | 'id'>
// Bind the ciphertext to one endpoint: it cannot be decrypted as that of another.
const secretPurpose = ({ org, id }: WebhookId): string => `webhook secret ${org} ${id}`
const headersPurpose = ({ org, id }: WebhookId): string => `webhook headers ${org} ${id}`

export const sealSecret = (key: KeyObject, webhook: WebhookId, secret: string): string =>
  encryptText(key, secret, secretPurpose(webhook))

/** Encrypts static headers. Returns null if there are none. */
export const sealHeaders = (
  key: KeyObject,
  webhook: WebhookId,
  headers: readonly StaticHeader[],
): string | null =>
  headers.length === 0 ? null : encryptText(key, JSON.stringify(headers), headersPurpose(webhook))

/** Decrypts the static headers of an endpoint. @throws Error when they were encrypted with another key */
export const headersOf = (
  key: KeyObject,
  webhook: WebhookId & Pick<WebhookRow, 'headersSealed'>,
): readonly StaticHeader[] =>
  webhook.headersSealed === null
    ? []
    : (JSON.parse(decryptText(key, webhook.headersSealed, headersPurpose(webhook))) as StaticHeader[])

/**
 * Decrypts the current signing secrets: the latest and, for 24 hours after a rotation, the previous one.
 *
 * @throws Error when they were encrypted with another key
 */
export function secretsOf(key: KeyObject, webhook: WebhookRow, nowSeconds: number): string[] {
  const { secretSealed, previousSecretSealed: previous, previousSecretUntil: until } = webhook
  const sealed = [secretSealed, previous !== null && until !== null && nowSeconds < until ? previous : null]
  return sealed.flatMap((text) => (text === null ? [] : [decryptText(key, text, secretPurpose(webhook))]))
}

/** True if the secret can be decrypted; false if it was encrypted with another master key. */
export function isSecretReadable(key: KeyObject, webhook: WebhookRow): boolean {
  try {
    return secretsOf(key, { ...webhook, previousSecretSealed: null }, 0).length > 0
  } catch {
    return false
  }
}
