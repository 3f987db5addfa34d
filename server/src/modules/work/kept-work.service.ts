import type { Collection } from '@muster/contract/api/collection'
import { detections } from '@muster/contract/records/detection'
import { findings } from '@muster/contract/records/finding'
import type { Tx } from '../../kernel/store/sql.ts'
import { tableOf } from '../../kernel/store/tables.ts'

const workTables = ['work_states', 'work_entries']
const workedOn: readonly Collection[] = [findings, detections]

/** True for a collection whose records administrators work on. */
export const hasWork = (collection: Collection): boolean => workedOn.includes(collection)

/**
 * Runs a task that removes findings and detections and adds them again with the same IDs, and keeps the work of administrators
 * on them. Triggers delete it with a record. It is moved to the negative number of the organization meanwhile, so nothing has
 * to fit into memory. Work on records that were not added again is deleted.
 *
 * @param recordId the only record that the task removes; all records by default
 */
export async function keepingWork<T>(
  tx: Tx,
  org: number,
  task: () => Promise<T>,
  recordId?: string,
): Promise<T> {
  const only = recordId === undefined ? '' : ' AND record_id = ?'
  const id = recordId === undefined ? [] : [recordId]
  for (const table of workTables)
    await tx.run(`UPDATE ${table} SET org = ? WHERE org = ?${only}`, [-org, org, ...id])
  const result = await task()
  const isMissing = workedOn
    .map((collection) => {
      const { name } = tableOf(collection)
      return `NOT EXISTS (SELECT 1 FROM ${name} r WHERE r.org = ? AND r.id = record_id)`
    })
    .join(' AND ')
  for (const table of workTables) {
    await tx.run(`DELETE FROM ${table} WHERE org = ?${only}`, [org, ...id])
    await tx.run(`DELETE FROM ${table} WHERE org = ?${only} AND ${isMissing}`, [-org, ...id, org, org])
    await tx.run(`UPDATE ${table} SET org = ? WHERE org = ?${only}`, [org, -org, ...id])
  }
  const isResolved = `EXISTS (SELECT 1 FROM ${tableOf(findings).name} f WHERE f.org = ? AND f.id = record_id AND f.state = 'RESOLVED')`
  await tx.run(
    `UPDATE work_states SET status = NULL, until_timestamp = NULL WHERE org = ?${only} AND status IS NOT NULL AND ${isResolved}`,
    [org, ...id, org],
  )
  return result
}
