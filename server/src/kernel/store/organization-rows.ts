import { collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import type { Reader, Tx } from './sql.ts'
import { removeAllTexts } from './substrings.ts'
import { tableOf } from './tables.ts'

const orgTables = {
  sqlite: `SELECT m.name AS name FROM sqlite_schema AS m
    WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'
      AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) AS c WHERE c.name = 'org') ORDER BY m.name`,
  postgres: `SELECT c.table_name AS name FROM information_schema.columns AS c
    WHERE c.table_schema = current_schema() AND c.column_name = 'org' ORDER BY c.table_name`,
}

/** Returns the names of all tables whose rows belong to an organization, those of raw events included. */
export const organizationTables = async (reader: Reader): Promise<string[]> =>
  (await reader.all<{ name: string }>(orgTables[reader.dialect.name])).map(({ name }) => name)

const auditTable = 'audit_events'
const auditTrigger = 'audit_events_kept'

/**
 * Tables whose triggers are suspended. That of the audit trail refuses deletions. Those of the figures of apps write a row for
 * each deleted one in PostgreSQL, from which they would make figures at the commit.
 */
const withTriggers = {
  sqlite: [auditTable],
  postgres: ['accounts', 'app_people', 'findings', auditTable],
} as const

/**
 * Deletes every row that belongs to an organization, without events. Tables with suspended triggers come last: from then on,
 * PostgreSQL lets no other transaction write to them until this one ends.
 *
 * @returns the number of deleted rows by table, without empty tables
 */
export async function deleteOrganizationRows(tx: Tx, org: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const collection of Object.values<Collection>(collections))
    await removeAllTexts(tx, tableOf(collection), org)
  const deleteFrom = async (table: string) => {
    const deleted = await tx.run(`DELETE FROM ${table} WHERE org = ?`, [org])
    if (deleted > 0) counts[table] = deleted
  }
  const last: readonly string[] = withTriggers[tx.dialect.name]
  for (const table of await organizationTables(tx)) if (!last.includes(table)) await deleteFrom(table)
  for (const table of last) await withoutTriggers(tx, table, () => deleteFrom(table))
  return counts
}

async function withoutTriggers(tx: Tx, table: string, work: () => Promise<void>): Promise<void> {
  if (tx.dialect.name === 'postgres') {
    await tx.run(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
    await work()
    await tx.run(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
    return
  }
  const known = await tx.get<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?",
    [auditTrigger],
  )
  if (!known) throw new Error(`there is no trigger ${auditTrigger}`)
  await tx.run(`DROP TRIGGER ${auditTrigger}`)
  await work()
  await tx.run(known.sql)
}
