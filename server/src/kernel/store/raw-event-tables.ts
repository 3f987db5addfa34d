import type { Tx } from './sql.ts'

/**
 * Raw events stand in a table for each week, so that what is too old is dropped and not deleted row by row (domain
 * contract, section 8). The week is that of the event's id, so that a repeated id always finds the same table.
 */

const weekMs = 604_800_000

/** The week, counted from the UNIX epoch, that a time falls in. */
export const weekAt = (ms: number): number => Math.floor(ms / weekMs)

/** The milliseconds that a time-ordered id (UUID of version 7 or 8) begins with. */
export const msOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** The table of a week. */
export const rawEventTable = (week: number): string => `raw_events_${week}`

/** The index by which an event is found by its id. */
export const rawEventKey = (week: number): string => `${rawEventTable(week)}_key`

/** The columns of every such table, the same in both stores. */
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
    // The id leads: ids rise with time, so that keys are added at the end of the index.
    `CREATE UNIQUE INDEX ${rawEventKey(week)} ON ${table} (org, id, browser_id)`,
    `CREATE INDEX ${table}_by_batch ON ${table} (org, batch)`,
  ]
}
