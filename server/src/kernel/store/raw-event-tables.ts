import type { Tx } from './sql.ts'

/**
 * Raw events are stored in one table per week, so old events are dropped with their table and not deleted row by row (domain
 * contract, section 8). The ID of the event determines the week, so a repeated ID is always in the same table.
 */

const weekMs = 604_800_000

/** Returns the week of a time, counted from the UNIX epoch. */
export const weekAt = (ms: number): number => Math.floor(ms / weekMs)

/** Returns the milliseconds in a time-ordered ID (UUID version 7 or 8). */
export const msOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Returns the name of the table of a week. */
export const rawEventTable = (week: number): string => `raw_events_${week}`

/** Returns the name of the index on event IDs. */
export const rawEventKey = (week: number): string => `${rawEventTable(week)}_key`

/** Columns of these tables, the same on both stores. */
export const rawEventColumns = [
  'org',
  'id',
  'browser_id',
  'employee_id',
  'batch',
  'place',
  'received_ms',
  'address',
  'user_agent',
  'event',
] as const

/** Creates the table of a week. */
export async function createRawEventTable(tx: Tx, week: number): Promise<void> {
  for (const statement of rawEventLayout(week, tx.dialect.name)) await tx.run(statement)
}

/** Returns the statements that create the table of a week. */
export function rawEventLayout(week: number, dialect: 'sqlite' | 'postgres'): string[] {
  const table = rawEventTable(week)
  const [integer, text, ending] =
    dialect === 'sqlite' ? ['INTEGER', 'TEXT', ' STRICT'] : ['bigint', 'text COLLATE "C"', '']
  const lines = [
    `org ${integer} NOT NULL`,
    `id ${text} NOT NULL`,
    `browser_id ${text} NOT NULL`,
    `employee_id ${text} NOT NULL`,
    `batch ${integer} NOT NULL`,
    `place ${integer} NOT NULL`,
    `received_ms ${integer} NOT NULL`,
    `address ${text}`,
    `user_agent ${text}`,
    `event ${text} NOT NULL`,
  ]
  return [
    `CREATE TABLE ${table} (\n  ${lines.join(',\n  ')}\n)${ending}`,
    // IDs increase with time, so new keys go to the end of the index.
    `CREATE UNIQUE INDEX ${rawEventKey(week)} ON ${table} (org, id, browser_id)`,
    `CREATE INDEX ${table}_by_batch ON ${table} (org, batch)`,
  ]
}
