import { isSubscriptionChange } from '../subscription-changes.ts'

/**
 * Time for which cached subscriptions are used; milliseconds. A transaction that changes subscriptions is only reported as
 * done after this time. Then no process uses older ones, so an endpoint gets every change of a transaction that begins later.
 */
const leaseMs = 100

/** Cached subscriptions of one transaction. */
export interface CacheLease {
  /** Must be called with each statement. */
  notice(sql: string): void
  /** Returns the version for `SqlTx.cacheVersion`, which changes with time; undefined after the transaction changed them. */
  version(): number | undefined
  /** Waits until no process uses older subscriptions, if the transaction changed them. Must be called after the commit. */
  expire(): Promise<void>
}

export function cacheLease(): CacheLease {
  let isChanged = false
  return {
    notice: (sql) => {
      isChanged ||= isSubscriptionChange(sql)
    },
    version: () => (isChanged ? undefined : Math.floor(performance.now() / leaseMs)),
    expire: async () => {
      // A timer may fire a millisecond early.
      if (isChanged) await new Promise((resolve) => setTimeout(resolve, leaseMs + 2))
    },
  }
}
