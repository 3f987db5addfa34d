import type { Logger } from 'pino'
import type { Principal } from '../../kernel/http/principal.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { addKeyHours, type KeyHour } from './api-key-hours.service.ts'
import { findApiKeyByHash, touchApiKeys } from './api-keys.service.ts'

/** Finds the principals of requests and records the use of their keys. */
export interface KeyDirectory {
  /** Returns the principal of a key hash; undefined if the key is unknown or revoked. */
  findPrincipal(hash: string): Promise<Principal | undefined>
  /** Counts a request and notes the last use, in memory. Called for every request. */
  noteUse(principal: Principal, nowMs: number): void
  /** Writes to the store what is in memory. */
  flush(): Promise<void>
}

/** Minimum interval between updates of a key's last use (REST contract, Authentication). */
const minWriteIntervalMs = 60_000
const hourMs = 60 * 60 * 1000
/** Maximum delay of a write of request counts. A crash loses the counts in memory. */
const flushDelayMs = 60_000

/** Creates a directory that writes the last use at once, and request counts per hour a minute after the first request. */
export function keyDirectory(db: Db, log: Logger): KeyDirectory {
  const writtenMs = new Map<string, number>()
  const pending = new Map<string, { org: number; id: string; atSeconds: number }>()
  let writingUses: Promise<void> | undefined
  let counts = new Map<string, Map<number, KeyHour & { requests: number }>>()
  let timer: NodeJS.Timeout | undefined
  let writingCounts: Promise<void> = Promise.resolve()

  const writeUses = async (): Promise<void> => {
    while (pending.size > 0) {
      const uses = [...pending.values()]
      pending.clear()
      // A failed write must not fail requests.
      await touchApiKeys(db, uses).catch((error) =>
        log.warn({ err: error }, 'API keys: the last use could not be stored'),
      )
    }
    writingUses = undefined
  }
  const writeCounts = async (): Promise<void> => {
    const unwritten = [...counts.values()].flatMap((hours) => [...hours.values()])
    counts = new Map()
    await addKeyHours(db, unwritten).catch((error) =>
      log.warn({ err: error }, 'API keys: request counts could not be stored'),
    )
  }
  const flushCounts = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    // Sequential: after a flush, all earlier counts must be readable.
    writingCounts = writingCounts.then(writeCounts)
    return writingCounts
  }
  const count = ({ keyId, org }: Principal, nowMs: number): void => {
    const hour = Math.floor(nowMs / hourMs)
    const hours = counts.get(keyId) ?? new Map<number, KeyHour & { requests: number }>()
    if (hours.size === 0) counts.set(keyId, hours)
    const known = hours.get(hour)
    if (known) known.requests += 1
    else hours.set(hour, { org, keyId, hourTimestamp: (hour * hourMs) / 1000, requests: 1 })
    timer ??= setTimeout(() => void flushCounts(), flushDelayMs).unref()
  }

  return {
    findPrincipal: async (hash) => {
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
    },
    noteUse: (principal, nowMs) => {
      count(principal, nowMs)
      const { keyId, org } = principal
      const last = writtenMs.get(keyId)
      if (last !== undefined && Math.abs(nowMs - last) < minWriteIntervalMs) return
      writtenMs.set(keyId, nowMs)
      pending.set(keyId, { org, id: keyId, atSeconds: Math.floor(nowMs / 1000) })
      writingUses ??= Promise.resolve().then(writeUses)
    },
    flush: async () => {
      await writingUses
      await flushCounts()
    },
  }
}
