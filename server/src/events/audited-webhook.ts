import type { EventFor } from '@muster/contract/event-objects'
import type { WebhookRow } from '../storage/webhooks.ts'

/** What the audit trail tells of an endpoint: no secret, and of its address neither user nor query. */
export function auditedWebhook(webhook: WebhookRow): EventFor<'WEBHOOK_ADDED'>['new'] {
  const { id, enabled, categories, objects, creationTimestamp } = webhook
  const { origin, pathname } = new URL(webhook.url)
  return {
    ...{ id, url: `${origin}${pathname}`, enabled },
    ...{ categories: [...categories], objects: [...objects], creationTimestamp },
  }
}
