import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** What the connection that writes knows of changes without asking for what was changed. */
export interface StoreWatch {
  /**
   * Rises whenever what is remembered may no longer be so: others have written, this connection has changed what
   * somebody wishes for, or what it wrote was undone.
   */
  readonly memoryVersion: number
  /** To be called when a transaction has begun. @returns whether another connection has written since the last one */
  begin(): boolean
  /** To be called when a transaction, or a part of it, was undone. */
  undone(): void
  /** To be called once for every statement that is prepared. */
  prepared(sql: string, statement: StatementSync): void
  /** To be called whenever a statement is run. */
  ran(statement: StatementSync): void
}

const writesWishes = /^(INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO|DROP TABLE) webhook_wishes\b/

/** Watches what is written through a connection, and by others. */
export function storeWatch(database: DatabaseSync): StoreWatch {
  let dataVersion: StatementSync | undefined
  let seen = -1
  let memoryVersion = 0
  const writers = new WeakSet<StatementSync>()
  return {
    get memoryVersion() {
      return memoryVersion
    },
    begin() {
      // It changes when another connection has written to the file (sqlite.org/pragma.html#pragma_data_version).
      dataVersion ??= database.prepare('PRAGMA data_version')
      const now = (dataVersion.get() as { data_version: number }).data_version
      if (now === seen) return false
      seen = now
      memoryVersion += 1
      return true
    },
    undone() {
      memoryVersion += 1
    },
    prepared(sql, statement) {
      if (writesWishes.test(sql)) writers.add(statement)
    },
    ran(statement) {
      if (writers.has(statement)) memoryVersion += 1
    },
  }
}
