import { type AuditFacts, recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { ApiKey } from './api-keys.service.ts'
import { revokeApiKey } from './api-keys.service.ts'

/** Actor and time of a change. */
export type KeyChange = Pick<AuditFacts<'API_KEY_ADDED'>, 'actor' | 'timestamp'>

/** Returns the audited properties of a key, without the key itself. */
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

/** Revokes a key and audits it, unless it is revoked already. */
export async function revokeKey(tx: Tx, key: ApiKey, by: KeyChange): Promise<void> {
  if (await revokeApiKey(tx, key.org, key.id, by.timestamp))
    await recordAudit(tx, key.org, 'API_KEY_REMOVED', { ...by, new: auditedKey(key) })
}
