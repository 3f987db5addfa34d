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

const isTriggered = (table: string): boolean => (triggeredTables as readonly string[]).includes(table)

/**
 * Returns the names of all tables whose rows belong to an organization, those of raw events included. Tables that triggers keep
 * come last, in an order in which deleted rows leave no new ones: on PostgreSQL, changes left behind would be applied at the commit.
 */
export async function organizationTables(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ name: string }>(orgTables[reader.dialect.name])
  const names = new Set(rows.map(({ name }) => name))
  const last = triggeredTables.filter((name) => names.delete(name))
  return [...names, ...last]
}

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
  for (const table of await organizationTables(tx)) {
    const sql = `DELETE FROM ${table} WHERE org = ?`
    const deleted =
      table === auditTable
        ? await withoutAuditTrigger(tx, () => tx.run(sql, [org]))
        : await tx.run(sql, [org])
    if (deleted > 0 && !isTriggered(table)) counts[table] = deleted
  }
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
