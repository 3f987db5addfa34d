import { hash } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** A page of the floor: records joined by commas, and the sequence number of the last one. */
export interface FloorPage {
  bytes: Uint8Array
  last: number
  more: boolean
}

/** A new employee, with the event for the audit trail. */
export interface FloorEmployee {
  id: string
  /** Address in lower case; must be unique. */
  email: string
  record: string
  eventId: string
  event: string
}

export interface FloorStore {
  list(after: number, limit: number): FloorPage | Promise<FloorPage>
  get(id: string): string | Promise<string>
  /** Writes one row with one key, the minimum of any write. */
  add(id: string, record: string): void | Promise<void>
  /**
   * Writes the minimum that the contract requires: the record, found by ID, by its position in the list and by `licensed`, a
   * unique address, and a link of the audit trail, found by its time.
   */
  addEmployee(employee: FloorEmployee): void | Promise<void>
}

/** Selects a whole page in one statement: bytes, last sequence number, `more`. A plain `LIMIT ?` would be planned each time. */
const pageSql = `SELECT bytes, last, EXISTS (SELECT 1 FROM listed WHERE seq > last) AS more FROM (
  SELECT CAST(group_concat(record, ',') AS BLOB) AS bytes, max(seq) AS last FROM (
    SELECT record, seq FROM listed WHERE seq > ? ORDER BY seq LIMIT ? + 0))`

/**
 * Tables and indexes that the contract requires for an employee: lookup by ID, by position (`employees_walk`, a narrow index for
 * offsets), by `licensed` and by substrings of the address (a pending text, since a substring index is only efficient for many
 * texts at once), and unique addresses. IDs of events start with their time.
 */
const equivalentTables = `
  CREATE TABLE IF NOT EXISTS employees (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE,
    licensed INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS employees_walk ON employees (seq);
  CREATE INDEX IF NOT EXISTS employees_by_licensed ON employees (licensed, seq);
  CREATE TABLE IF NOT EXISTS waiting (place INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS trail (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, event TEXT NOT NULL,
    hash TEXT NOT NULL) STRICT;`

/** Opens the floor's database, with minimal tables and Muster's settings. */
export function openFloorFile(path: string): FloorStore {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384')
  const page = database.prepare(pageSql)
  const single = database.prepare('SELECT record FROM single WHERE id = ?')
  const add = database.prepare('INSERT INTO single (id, record) VALUES (?, ?)')
  database.exec(equivalentTables)
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const employee = database.prepare('INSERT INTO employees (id, email, licensed, record) VALUES (?, ?, 0, ?)')
  const pending = database.prepare('INSERT INTO waiting (value) VALUES (?)')
  const link = database.prepare('INSERT INTO trail (id, event, hash) VALUES (?, ?, ?)')
  let head = ''
  return {
    list: (after, limit) => {
      const row = page.get(after, limit) as unknown as { bytes: Uint8Array; last: number; more: number }
      return { bytes: row.bytes, last: row.last, more: row.more === 1 }
    },
    get: (id) => (single.get(id) as { record: string }).record,
    add: (id, record) => {
      add.run(id, record)
    },
    addEmployee: ({ id, email, record, eventId, event }) => {
      begin.run()
      employee.run(id, email, record)
      pending.run(email)
      head = hash('sha256', head + event)
      link.run(eventId, event, head)
      commit.run()
    },
  }
}

/** Creates the floor's database from Muster's, unless it exists: the same records in the same order. */
export function createFloorFile(musterFile: string, path: string): void {
  if (existsSync(path)) return
  const unfinished = `${path}.unfinished`
  rmSync(unfinished, { force: true })
  const database = new DatabaseSync(unfinished)
  database.exec(`
    PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    ATTACH '${musterFile.replaceAll("'", "''")}' AS muster;
    CREATE TABLE listed (seq INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;
    CREATE TABLE single (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO listed SELECT seq, record FROM muster.browser_extensions ORDER BY seq;
    INSERT INTO single SELECT id, record FROM muster.accounts ORDER BY id;`)
  database.close()
  renameSync(unfinished, path)
}
