import { type AuditFacts, recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { ApiKey } from './api-keys.service.ts'
import { revokeApiKey } from './api-keys.service.ts'

/** Who does something, and when. */
export type KeyAct = Pick<AuditFacts<'API_KEY_ADDED'>, 'actor' | 'timestamp'>

/** What an event tells of a key: what it is recognized by, and nothing by which it could be used. */
export const auditedKey = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  permission: key.permission,
  permissions: key.permission,
  holder: key.holder,
  start: key.start,
  creationTimestamp: key.creationTimestamp,
  expiryTimestamp: key.expiryTimestamp,
})

/** Makes a key stop working, and tells who did it, unless it was revoked before. */
export async function revokeKey(tx: Tx, key: ApiKey, by: KeyAct): Promise<void> {
  if (await revokeApiKey(tx, key.org, key.id, by.timestamp))
    await recordAudit(tx, key.org, 'API_KEY_REMOVED', { ...by, new: auditedKey(key) })
}
