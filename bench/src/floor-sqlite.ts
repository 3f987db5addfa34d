import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** A page of the floor: the records joined by commas, and the number of the last of them. */
export interface FloorPage {
  bytes: Uint8Array
  last: number
  more: boolean
}

/** What the floor asks of a store. */
export interface FloorStore {
  list(after: number, limit: number): FloorPage | Promise<FloorPage>
  get(id: string): string | Promise<string>
  add(id: string, record: string): void | Promise<void>
}

/** One statement for the whole page: its bytes, where it ends, and whether there is more. */
const pageSql = `SELECT bytes, last, EXISTS (SELECT 1 FROM listed WHERE seq > last) AS more FROM (
  SELECT CAST(group_concat(record, ',') AS BLOB) AS bytes, max(seq) AS last FROM (
    SELECT record, seq FROM listed WHERE seq > ? ORDER BY seq LIMIT ?))`

/** Opens the floor's own file: two tables, as narrow as they can be, with the settings that Muster gives its own. */
export function openFloorFile(path: string): FloorStore {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768')
  const page = database.prepare(pageSql)
  const single = database.prepare('SELECT record FROM single WHERE id = ?')
  const add = database.prepare('INSERT INTO single (id, record) VALUES (?, ?)')
  return {
    list: (after, limit) => {
      const row = page.get(after, limit) as unknown as { bytes: Uint8Array; last: number; more: number }
      return { bytes: row.bytes, last: row.last, more: row.more === 1 }
    },
    get: (id) => (single.get(id) as { record: string }).record,
    add: (id, record) => {
      add.run(id, record)
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
