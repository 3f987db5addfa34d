import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { listUnauditedExpiredKeys, markExpiryAudited } from './api-keys.service.ts'
import { auditedKey } from './audited-key.ts'

const keysPerTransaction = 50

/** Audits the expiry of keys, once per key and without an actor. Several processes may run it at the same time. */
export async function recordExpiredKeys(db: Db, nowSeconds: number): Promise<void> {
  for (;;) {
    const found = await db.inTransaction(async (tx) => {
      const keys = await listUnauditedExpiredKeys(tx, nowSeconds, keysPerTransaction)
      for (const key of keys) {
        if (!(await markExpiryAudited(tx, key))) continue
        const timestamp = key.expiryTimestamp ?? nowSeconds
        await recordAudit(tx, key.org, 'API_KEY_EXPIRED', { actor: null, timestamp, new: auditedKey(key) })
      }
      return keys.length
    })
    if (found < keysPerTransaction) return
  }
}
