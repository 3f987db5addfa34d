import postgres from 'postgres'
import type { FloorPage, FloorStore } from './floor-sqlite.ts'

/** The same as the embedded floor's; the head of the trail is a row, because several connections write. */
const keptTables = `
  CREATE TABLE floor.employees (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
    email text COLLATE "C" NOT NULL UNIQUE, licensed smallint NOT NULL, record text NOT NULL);
  CREATE INDEX ON floor.employees (licensed, seq);
  CREATE INDEX ON floor.employees USING gin (email gin_trgm_ops);
  CREATE TABLE floor.trail (position bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, event text NOT NULL,
    hash text NOT NULL);
  CREATE TABLE floor.head (position bigint NOT NULL, hash text NOT NULL);
  INSERT INTO floor.head VALUES (0, '');`

const keepSql = `WITH employee AS (INSERT INTO floor.employees (id, email, licensed, record) VALUES ($1, $2, 0, $3)),
  head AS (UPDATE floor.head SET position = position + 1, hash = encode(sha256(convert_to(hash || $5, 'UTF8')), 'hex')
    RETURNING position, hash)
  INSERT INTO floor.trail (position, id, event, hash) SELECT position, $4, $5, hash FROM head`

/** The floor's tables, made from Muster's in a schema of their own, unless they are there. */
export async function makeFloorTables(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const [known] = await sql`SELECT to_regclass('floor.single') AS name`
    if (known?.name) return
    await sql.begin(async (tx) => {
      await tx`CREATE SCHEMA floor`
      await tx`CREATE TABLE floor.listed (seq bigint PRIMARY KEY, record text NOT NULL)`
      await tx`CREATE TABLE floor.single (id text COLLATE "C" PRIMARY KEY, record text NOT NULL)`
      await tx.unsafe(keptTables).simple()
      await tx`INSERT INTO floor.listed SELECT seq, record FROM browser_extensions ORDER BY seq`
      await tx`INSERT INTO floor.single SELECT id, record FROM accounts ORDER BY seq`
    })
    await sql`VACUUM ANALYZE floor.listed`
    await sql`VACUUM ANALYZE floor.single`
  } finally {
    await sql.end()
  }
}

/** Rows as they come from the wire, joined in one copy; ten connections, as Muster has. */
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
      return { bytes: joined(rows), last: Number(rows.at(-1)?.[1]?.toString('latin1') ?? 0), more }
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
    keep: async ({ id, email, record, eventId, event }) => {
      await sql.unsafe(keepSql, [id, email, record, eventId, event], { prepare: true })
    },
  }
}

function joined(rows: readonly Buffer[][]): Buffer {
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
