import type { Clock } from '../lib/clock.ts'
import type { Db, SqlDb } from '../store/sql.ts'
import { AuditEntries, createAuditHeads } from './audit-trail.ts'
import { createOutboxCache, Outbox } from './outbox.ts'

/**
 * Everything that a transaction records besides its own statements. `inTransaction` creates one for each transaction and
 * flushes it once, after the work and before the commit.
 */
export class UnitOfWork {
  readonly outbox: Outbox
  readonly audit: AuditEntries

  constructor(outbox: Outbox, audit: AuditEntries) {
    this.outbox = outbox
    this.audit = audit
  }

  /**
   * Writes what was recorded:
   * 1. Records. The work has written or enqueued them already.
   * 2. Events and their deliveries, one per changed record, from its first to its last state.
   * 3. Audit entries. They come last, because all writers of an organization wait for the head of its chain until the commit.
   *
   * Events and audit entries are written earlier if a transaction records very much, which limits the memory it needs.
   */
  async flush(): Promise<void> {
    await this.outbox.flush()
    await this.audit.flush()
  }
}

/** A store whose transactions write the events and audit entries of their changes. */
export interface Store extends Db {
  /** Calls back whenever events to deliver were committed here. @returns a function that unsubscribes */
  onEvents(listener: () => void): () => void
}

/** Adds units of work to the transactions of a store. */
export function withUnitOfWork(db: SqlDb, clock: Clock): Store {
  const listeners = new Set<() => void>()
  const outboxCache = createOutboxCache(clock)
  const auditHeads = createAuditHeads()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const { workers } = db
  return {
    ...db,
    workers: workers && { connect: () => workers.connect(notify) },
    inTransaction: async (work) => {
      let hasEvents = false
      const result = await db.inTransaction(async (sqlTx) => {
        const unit = new UnitOfWork(new Outbox(sqlTx, outboxCache), new AuditEntries(sqlTx, auditHeads))
        const result = await work({ ...sqlTx, unit })
        await unit.flush()
        hasEvents = unit.outbox.hasWritten
        return result
      })
      if (hasEvents) notify()
      return result
    },
    onEvents: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
