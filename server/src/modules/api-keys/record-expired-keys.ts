import { tellAudit } from '../../kernel/events/audit-trail.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { markExpiryTold, untoldExpiredKeys } from './api-keys.service.ts'
import { auditedKey } from './audited-key.ts'

/** So many keys are told of in one transaction. */
const keysPerTurn = 50

/** Tells the audit trail of the keys whose time is over, each once; nobody did it. */
export async function tellExpiredKeys(db: Db, nowSeconds: number): Promise<void> {
  for (;;) {
    const told = await db.inTransaction(async (tx) => {
      const keys = await untoldExpiredKeys(tx, nowSeconds, keysPerTurn)
      for (const key of keys) {
        if (!(await markExpiryTold(tx, key))) continue
        const timestamp = key.expiryTimestamp ?? nowSeconds
        await tellAudit(tx, key.org, 'API_KEY_EXPIRED', { actor: null, timestamp, new: auditedKey(key) })
      }
      return keys.length
    })
    if (told < keysPerTurn) return
  }
}
