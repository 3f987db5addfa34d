import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isSubscriptionChange } from '../subscription-changes.ts'

/** Detects changes that make the caches of a process stale. Belongs to the connection that writes. */
export interface CacheVersion {
  /**
   * Changes when caches may be stale: another connection wrote, this connection changed subscriptions to events, or a
   * transaction was rolled back.
   */
  readonly current: number
  /** Must be called after BEGIN. @returns true if another connection has written since the last transaction */
  begin(): boolean
  /** Must be called after a rollback, also of a savepoint. */
  rolledBack(): void
  /** Must be called once for every prepared statement. */
  prepared(sql: string, statement: StatementSync): void
  /** Must be called whenever a statement runs. */
  ran(statement: StatementSync): void
}

export function trackCacheVersion(database: DatabaseSync): CacheVersion {
  let dataVersion: StatementSync | undefined
  let lastDataVersion = -1
  let current = 0
  const subscriptionWrites = new WeakSet<StatementSync>()
  return {
    get current() {
      return current
    },
    begin() {
      // Changes when another connection writes to the file (sqlite.org/pragma.html#pragma_data_version).
      dataVersion ??= database.prepare('PRAGMA data_version')
      const version = (dataVersion.get() as { data_version: number }).data_version
      if (version === lastDataVersion) return false
      lastDataVersion = version
      current += 1
      return true
    },
    rolledBack() {
      current += 1
    },
    prepared(sql, statement) {
      if (isSubscriptionChange(sql)) subscriptionWrites.add(statement)
    },
    ran(statement) {
      if (subscriptionWrites.has(statement)) current += 1
    },
  }
}
