import postgres from 'postgres'
import type { FloorPage, FloorStore } from './floor-sqlite.ts'

/** Same tables as on SQLite, except that the head of the trail is a row, since several connections write. */
const equivalentTables = `
  CREATE TABLE floor.employees (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
    email text COLLATE "C" NOT NULL UNIQUE, licensed smallint NOT NULL, record text NOT NULL);
  CREATE INDEX ON floor.employees (licensed, seq);
  CREATE INDEX ON floor.employees USING gin (email gin_trgm_ops);
  CREATE TABLE floor.trail (position bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, event text NOT NULL,
    hash text NOT NULL);
  CREATE TABLE floor.head (position bigint NOT NULL, hash text NOT NULL);
  INSERT INTO floor.head VALUES (0, '');`

const addEmployeeSql = `WITH employee AS (INSERT INTO floor.employees (id, email, licensed, record) VALUES ($1, $2, 0, $3)),
  head AS (UPDATE floor.head SET position = position + 1, hash = encode(sha256(convert_to(hash || $5, 'UTF8')), 'hex')
    RETURNING position, hash)
  INSERT INTO floor.trail (position, id, event, hash) SELECT position, $4, $5, hash FROM head`

/** Creates the floor's tables from Muster's, in a separate schema, unless they exist. */
export async function createFloorTables(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const [known] = await sql`SELECT to_regclass('floor.single') AS name`
    if (known?.name) return
    await sql.begin(async (tx) => {
      await tx`CREATE SCHEMA floor`
      await tx`CREATE TABLE floor.listed (seq bigint PRIMARY KEY, record text NOT NULL)`
      await tx`CREATE TABLE floor.single (id text COLLATE "C" PRIMARY KEY, record text NOT NULL)`
      await tx.unsafe(equivalentTables).simple()
      await tx`INSERT INTO floor.listed SELECT seq, record FROM browser_extensions ORDER BY seq`
      await tx`INSERT INTO floor.single SELECT id, record FROM accounts ORDER BY seq`
    })
    await sql`VACUUM ANALYZE floor.listed`
    await sql`VACUUM ANALYZE floor.single`
  } finally {
    await sql.end()
  }
}

/** Opens the floor's tables with ten connections, as Muster does. Raw rows are joined in one copy. */
export function openFloorPostgres(url: string): FloorStore {
  const sql = postgres(url, { max: 10 })
  const rowsOf = async (text: string, values: (string | number)[]): Promise<Buffer[][]> =>
    (await sql.unsafe(text, values, { prepare: true }).raw()) as unknown as Buffer[][]
  return {
    list: async (after, limit): Promise<FloorPage> => {
      const rows = await rowsOf('SELECT record, seq FROM floor.listed WHERE seq > $1 ORDER BY seq LIMIT $2', [
        after,
        limit + 1,
      ])
      const more = rows.length > limit
      if (more) rows.length = limit
      return { bytes: joinRecords(rows), last: Number(rows.at(-1)?.[1]?.toString('latin1') ?? 0), more }
    },
    get: async (id) => {
      const rows = await rowsOf('SELECT record FROM floor.single WHERE id = $1', [id])
      return rows[0]?.[0]?.toString() ?? ''
    },
    add: async (id, record) => {
      await sql.unsafe('INSERT INTO floor.single (id, record) VALUES ($1, $2)', [id, record], {
        prepare: true,
      })
    },
    addEmployee: async ({ id, email, record, eventId, event }) => {
      await sql.unsafe(addEmployeeSql, [id, email, record, eventId, event], { prepare: true })
    },
  }
}

function joinRecords(rows: readonly Buffer[][]): Buffer {
  let size = Math.max(0, rows.length - 1)
  for (const row of rows) size += row[0]?.length ?? 0
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const row of rows) {
    if (at > 0) bytes[at++] = 0x2c
    at += row[0]?.copy(bytes, at) ?? 0
  }
  return bytes
}
