import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { EventFor } from '@muster/contract/event-objects'
import { mask, maskUrlPath } from '../../kernel/lib/secrets/redact.ts'
import { headerNamesOf } from './webhook-view.ts'
import type { WebhookRow } from './webhooks.service.ts'

/** What the audit trail tells of an endpoint: no secret, and of its address, of which the path often is one, the origin. */
export function auditedWebhook(webhook: WebhookRow): EventFor<'WEBHOOK_ADDED'>['new'] {
  const { id, enabled, categories, objects, creationTimestamp } = webhook
  return {
    ...{ id, url: maskUrlPath(webhook.url), enabled },
    ...{ categories: [...categories], objects: [...objects], creationTimestamp },
  }
}

/** A member as it is told, by what of a row it is compared, and how it is shown. */
type ToldMember = readonly [
  name: string,
  kept: keyof WebhookRow,
  shown: (row: WebhookRow, key: KeyObject) => boolean | string | readonly string[] | null,
]

const toldMembers: readonly ToldMember[] = [
  ['name', 'name', ({ name }) => name],
  ['url', 'url', ({ url }) => maskUrlPath(url)],
  ['enabled', 'enabled', ({ enabled }) => enabled],
  ['categories', 'categories', ({ categories }) => categories],
  ['objects', 'objects', ({ objects }) => objects],
  ['headers', 'headersSealed', (row, key) => (row.headersSealed === null ? null : headerNamesOf(key, row))],
  ['secret', 'secretSealed', () => mask],
]

/**
 * What the audit trail tells of a changed endpoint. Where only what is hidden was changed, old and new look the same: that
 * they stand there says that it was.
 *
 * @param key opens the names of its headers
 */
export function auditedWebhookChange(
  key: KeyObject,
  old: WebhookRow,
  webhook: WebhookRow,
): EventFor<'WEBHOOK_UPDATED'>['new'] {
  const changed = toldMembers.filter(([, kept]) => !isDeepStrictEqual(old[kept], webhook[kept]))
  const changes = changed.map(([name, , shown]) => ({ name, old: shown(old, key), new: shown(webhook, key) }))
  return { ...auditedWebhook(webhook), changes }
}
