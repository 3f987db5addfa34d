import type { Collection } from '@muster/contract/api/collection'
import { mentionsPerson, type PersonIdentifiers, textsOf } from '../../kernel/lib/person-mention.ts'
import { rawEventTable } from '../../kernel/store/raw-event-tables.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { tableOf } from '../../kernel/store/tables.ts'
import { rawEventWeeks } from '../ingest/raw-events.service.ts'
import { eraseDirectoryUsers } from '../scim/directory-people.service.ts'
import { containsAny, filtersNaming, notesNaming, placeholders } from './person-search.service.ts'

/** Keys of rows about an employee outside of the records. */
export interface EmployeeRowKeys extends PersonIdentifiers {
  readonly addresses: readonly string[]
  /** Keys of the addresses among stolen credentials. */
  readonly addressHmacs: readonly string[]
}

/**
 * Deletes all rows about an employee.
 *
 * @returns the number of deleted rows per table
 */
export async function deleteEmployeeRows(
  tx: Tx,
  org: number,
  person: EmployeeRowKeys,
): Promise<Record<string, number>> {
  const { ids, addresses, addressHmacs } = person
  const byIn = (table: string, column: string, values: readonly string[]) =>
    tx.run(`DELETE FROM ${table} WHERE org = ? AND ${column} IN (${placeholders(values)})`, [org, ...values])
  const storedAnswers = { table: 'idempotency_keys', key: ['holder', 'key'], text: 'body' } as const
  const idempotencyKeys = await deleteNaming(tx, org, storedAnswers, person)
  let rawEvents = 0
  for (const week of await rawEventWeeks(tx)) {
    const table = rawEventTable(week)
    rawEvents += await byIn(table, 'employee_id', ids)
    rawEvents += await deleteNaming(tx, org, { table, key: ['id', 'browser_id'], text: 'event' }, person)
  }
  // Marks of findings that the erasure removed.
  await byIn('risk_changes', 'id', ids)
  return {
    rawEvents,
    idempotencyKeys,
    directoryUsers: await eraseDirectoryUsers(tx, org, { ids, addresses }),
    addresses: await byIn('employee_addresses', 'employee_id', ids),
    enrollmentLinks: await byIn('enrollment_links', 'employee_id', ids),
    browserCredentials: await byIn('browser_credentials', 'employee_id', ids),
    notices: await deleteNoticesTo(tx, org, addresses),
    stolenCredentials: await byIn('stolen_credentials', 'address_hmac', addressHmacs),
    savedFilters: await deleteFiltersNaming(tx, org, person),
    notes: await eraseNotesNaming(tx, org, person),
  }
}

/** Table whose rows have a text, with the rest of its key after the organization. */
interface TextTable {
  readonly table: string
  readonly key: readonly [string, string]
  readonly text: string
}

/** Rows per read whose text may name the employee. */
const rowsPerRead = 200

/**
 * Deletes the rows whose text names the employee. The store finds candidates by substring; `mentionsPerson`
 * checks them.
 *
 * @returns the number of deleted rows
 */
async function deleteNaming(
  tx: Tx,
  org: number,
  { table, key: [first, second], text }: TextTable,
  names: PersonIdentifiers,
): Promise<number> {
  const texts = textsOf(names)
  const sql = `SELECT ${first} AS first, ${second} AS second, lower(${text}) AS folded FROM ${table}
    WHERE org = ? AND (${first}, ${second}) > (?, ?) AND ${containsAny(tx, text, texts)}
    ORDER BY ${first}, ${second} LIMIT ${rowsPerRead}`
  let deleted = 0
  for (let after = ['', '']; ; ) {
    const rows = await tx.all<{ first: string; second: string; folded: string }>(sql, [
      org,
      ...after,
      ...texts,
    ])
    for (const row of rows) {
      after = [row.first, row.second]
      if (!mentionsPerson(row.folded, names)) continue
      deleted += await tx.run(`DELETE FROM ${table} WHERE org = ? AND ${first} = ? AND ${second} = ?`, [
        org,
        ...after,
      ])
    }
    if (rows.length < rowsPerRead) return deleted
  }
}

async function deleteFiltersNaming(tx: Tx, org: number, names: PersonIdentifiers): Promise<number> {
  const sql = 'DELETE FROM saved_filters WHERE org = ? AND administrator_id = ? AND id = ?'
  let deleted = 0
  for (const { administrator, id } of await filtersNaming(tx, org, names))
    deleted += await tx.run(sql, [org, administrator, id])
  return deleted
}

/** Erases the texts of notes and reasons that name the employee. Who wrote one, and when, is kept. */
async function eraseNotesNaming(tx: Tx, org: number, names: PersonIdentifiers): Promise<number> {
  const sql = 'UPDATE work_entries SET text = NULL WHERE org = ? AND record_id = ? AND number = ?'
  let erased = 0
  for (const { recordId, number } of await notesNaming(tx, org, names))
    erased += await tx.run(sql, [org, recordId, number])
  return erased
}

/**
 * Deletes emails sent to the employee, except for holders of API keys: without the row they would be notified
 * again.
 */
const deleteNoticesTo = (tx: Tx, org: number, addresses: readonly string[]): Promise<number> =>
  tx.run(
    `DELETE FROM notices WHERE org = ? AND address_key IN (${placeholders(addresses)})
     AND NOT EXISTS (SELECT 1 FROM api_keys AS k WHERE k.org = notices.org AND lower(k.holder) = notices.address_key)`,
    [org, ...addresses],
  )

/**
 * Returns the IDs of records that contain one of the folded texts. Scans every record of the organization.
 */
export async function findIdsContaining(
  tx: Tx,
  collection: Collection,
  org: number,
  texts: readonly string[],
): Promise<string[]> {
  const sql = `SELECT id FROM ${tableOf(collection).name} WHERE org = ? AND ${containsAny(tx, 'record', texts)}`
  return (await tx.all<{ id: string }>(sql, [org, ...texts])).map(({ id }) => id)
}
