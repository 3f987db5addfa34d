import { collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import { triggeredTables } from './lifecycle/table-copy.ts'
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
 * Deletes every row of an organization without events, and the organization itself.
 *
 * @returns the number of deleted rows by table, without empty tables and those that triggers keep
 */
export async function deleteOrganizationRows(tx: Tx, org: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const collection of Object.values<Collection>(collections))
    await removeAllTexts(tx, tableOf(collection), org)
  const tables = await organizationTables(tx)
  const isTriggered = (table: string) => (triggeredTables as readonly string[]).includes(table)
  for (const table of tables.filter((name) => !isTriggered(name))) {
    const sql = `DELETE FROM ${table} WHERE org = ?`
    const deleted =
      table === auditTable
        ? await withoutAuditTrigger(tx, () => tx.run(sql, [org]))
        : await tx.run(sql, [org])
    if (deleted > 0) counts[table] = deleted
  }
  // Last: on PostgreSQL, the changes that the deletions above have caused would be applied at the commit.
  for (const table of triggeredTables)
    if (tables.includes(table)) await tx.run(`DELETE FROM ${table} WHERE org = ?`, [org])
  await tx.run('DELETE FROM organizations WHERE no = ?', [org])
  return counts
}

/** Runs work that deletes from the audit trail, which a trigger refuses otherwise. */
async function withoutAuditTrigger<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  if (tx.dialect.name === 'postgres') {
    await tx.run(`ALTER TABLE ${auditTable} DISABLE TRIGGER ${auditTrigger}`)
    const result = await work()
    await tx.run(`ALTER TABLE ${auditTable} ENABLE TRIGGER ${auditTrigger}`)
    return result
  }
  const known = await tx.get<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?",
    [auditTrigger],
  )
  if (!known) throw new Error(`there is no trigger ${auditTrigger}`)
  await tx.run(`DROP TRIGGER ${auditTrigger}`)
  const result = await work()
  await tx.run(known.sql)
  return result
}
