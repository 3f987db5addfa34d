import type { Logger } from 'pino'
import type { Principal } from '../../kernel/http/principal.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { findApiKeyByHash, touchApiKeys } from './api-keys.service.ts'

/** Minimum interval between updates of a key's last use (REST contract, Authentication). */
const minWriteIntervalMs = 60_000

/** Finds the principal of a request by its API key and records the last use of keys. */
export function keyDirectory(db: Db, log: Logger) {
  const writtenMs = new Map<string, number>()
  const pending = new Map<string, { org: number; id: string; atSeconds: number }>()
  let writing: Promise<void> | undefined

  const findPrincipal = async (hash: string): Promise<Principal | undefined> => {
    const key = await findApiKeyByHash(db, hash)
    if (!key || key.revokedTimestamp !== null) return undefined
    return {
      org: key.org,
      holder: key.holder,
      keyId: key.id,
      keyName: key.name,
      role: null,
      mayWrite: key.permission === 'FULL_ACCESS',
      expiryTimestamp: key.expiryTimestamp,
      user: `${key.org}:${key.holder.toLowerCase()}`,
    }
  }

  const write = async (): Promise<void> => {
    while (pending.size > 0) {
      const uses = [...pending.values()]
      pending.clear()
      // A failed write must not fail requests.
      await touchApiKeys(db, uses).catch((error) =>
        log.warn({ err: error }, 'API keys: the last use could not be stored'),
      )
    }
    writing = undefined
  }

  const noteUse = ({ keyId, org }: Principal, nowMs: number): void => {
    const last = writtenMs.get(keyId)
    if (last !== undefined && Math.abs(nowMs - last) < minWriteIntervalMs) return
    writtenMs.set(keyId, nowMs)
    pending.set(keyId, { org, id: keyId, atSeconds: Math.floor(nowMs / 1000) })
    writing ??= Promise.resolve().then(write)
  }

  return { findPrincipal, noteUse, flush: async () => writing }
}
