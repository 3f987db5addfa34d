import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { EventFor } from '@muster/contract/events/event-objects'
import { mask, maskUrlPath } from '../../kernel/lib/secrets/redact.ts'
import { headerNamesOf } from './webhook-view.ts'
import type { WebhookRow } from './webhooks.service.ts'

/** Returns an endpoint as shown in the audit trail: without secrets, and with the URL path masked, which often is one. */
export function auditedWebhook(webhook: WebhookRow): EventFor<'WEBHOOK_ADDED'>['new'] {
  const { id, enabled, categories, objects, creationTimestamp } = webhook
  return {
    id,
    url: maskUrlPath(webhook.url),
    enabled,
    categories: [...categories],
    objects: [...objects],
    creationTimestamp,
  }
}

/** A property in the audit trail: its name, the column that is compared, and its audited value. */
type AuditedProperty = readonly [
  name: string,
  column: keyof WebhookRow,
  value: (row: WebhookRow, key: KeyObject) => boolean | number | string | readonly string[] | null,
]

const auditedProperties: readonly AuditedProperty[] = [
  ['name', 'name', ({ name }) => name],
  ['url', 'url', ({ url }) => maskUrlPath(url)],
  ['enabled', 'enabled', ({ enabled }) => enabled],
  ['categories', 'categories', ({ categories }) => categories],
  ['objects', 'objects', ({ objects }) => objects],
  ['batchSize', 'batchSize', ({ batchSize }) => batchSize],
  ['headers', 'headersSealed', (row, key) => (row.headersSealed === null ? null : headerNamesOf(key, row))],
  ['secret', 'secretSealed', () => mask],
]

/**
 * Returns the audited changes of an endpoint. A change of a masked value is listed with equal old and new values.
 *
 * @param key decrypts the header names
 */
export function auditedWebhookChange(
  key: KeyObject,
  old: WebhookRow,
  webhook: WebhookRow,
): EventFor<'WEBHOOK_UPDATED'>['new'] {
  const changed = auditedProperties.filter(([, column]) => !isDeepStrictEqual(old[column], webhook[column]))
  const changes = changed.map(([name, , value]) => ({ name, old: value(old, key), new: value(webhook, key) }))
  return { ...auditedWebhook(webhook), changes }
}
