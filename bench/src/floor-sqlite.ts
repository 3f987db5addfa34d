import { hash } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** A page of the floor: the records joined by commas, and the number of the last of them. */
export interface FloorPage {
  bytes: Uint8Array
  last: number
  more: boolean
}

/** An employee who is added, and the event by which the audit trail knows. */
export interface FloorEmployee {
  id: string
  /** In lower case: no other employee has it. */
  email: string
  record: string
  eventId: string
  event: string
}

/** What the floor asks of a store. */
export interface FloorStore {
  list(after: number, limit: number): FloorPage | Promise<FloorPage>
  get(id: string): string | Promise<string>
  /** Writes one row with one key: the least that can be written at all. */
  add(id: string, record: string): void | Promise<void>
  /**
   * Writes the least that keeps what the contract wants kept: the record, found by id, by its place in the list and by
   * `licensed`, an address that is nobody else's, and a link of the audit trail, found by its time.
   */
  keep(employee: FloorEmployee): void | Promise<void>
}

/** One statement for the whole page: its bytes, where it ends, and whether there is more. A bare `LIMIT ?` would be planned each time. */
const pageSql = `SELECT bytes, last, EXISTS (SELECT 1 FROM listed WHERE seq > last) AS more FROM (
  SELECT CAST(group_concat(record, ',') AS BLOB) AS bytes, max(seq) AS last FROM (
    SELECT record, seq FROM listed WHERE seq > ? ORDER BY seq LIMIT ? + 0))`

/**
 * What the contract wants kept of an employee, and how it must be found: by id, by place (`employees_walk`, narrow, so that
 * a page at any offset is quick), by `licensed`, by a part of the address (a text that waits to be indexed with others, as
 * an index of substrings pays for many at once only), and no address twice. The id of an event begins with its time.
 */
const keptTables = `
  CREATE TABLE IF NOT EXISTS employees (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE,
    licensed INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS employees_walk ON employees (seq);
  CREATE INDEX IF NOT EXISTS employees_by_licensed ON employees (licensed, seq);
  CREATE TABLE IF NOT EXISTS waiting (place INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS trail (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, event TEXT NOT NULL,
    hash TEXT NOT NULL) STRICT;`

/** Opens the floor's own file: two tables, as narrow as they can be, with the settings that Muster gives its own. */
export function openFloorFile(path: string): FloorStore {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384')
  const page = database.prepare(pageSql)
  const single = database.prepare('SELECT record FROM single WHERE id = ?')
  const add = database.prepare('INSERT INTO single (id, record) VALUES (?, ?)')
  database.exec(keptTables)
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const employee = database.prepare('INSERT INTO employees (id, email, licensed, record) VALUES (?, ?, 0, ?)')
  const waits = database.prepare('INSERT INTO waiting (value) VALUES (?)')
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
    keep: ({ id, email, record, eventId, event }) => {
      begin.run()
      employee.run(id, email, record)
      waits.run(email)
      head = hash('sha256', head + event)
      link.run(eventId, event, head)
      commit.run()
    },
  }
}

/** Makes the floor's file from Muster's database, unless it is there: the same records in the same order. */
export function makeFloorFile(musterFile: string, path: string): void {
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
