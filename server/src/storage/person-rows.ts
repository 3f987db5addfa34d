import type { Collection } from '@muster/contract/collection'
import { rawEventTable } from './raw-event-tables.ts'
import { rawEventWeeks } from './raw-events.ts'
import type { Tx } from './sql.ts'
import { tableOf } from './tables.ts'

/** What is kept of a person outside of the records, by the ids and the folded addresses of all that are the person. */
export interface PersonRows {
  readonly ids: readonly string[]
  readonly addresses: readonly string[]
  /** How the addresses may stand in texts, with the letters A to Z folded. */
  readonly spellings: readonly string[]
  /** The addresses as stolen credentials are found by them. */
  readonly addressHmacs: readonly string[]
}

const marksOf = (values: readonly string[]): string => values.map(() => '?').join(', ')

/** Whether one of the folded texts stands in a column; a parameter each. */
const holdsAny = ({ dialect }: Tx, column: string, texts: readonly string[]): string =>
  `(${texts.map(() => dialect.holds(`lower(${column})`)).join(' OR ')})`

/** Deletes it all, and says how many rows of each table there were. */
export async function deletePersonRows(
  tx: Tx,
  org: number,
  person: PersonRows,
): Promise<Record<string, number>> {
  const { ids, addresses, spellings, addressHmacs } = person
  const byIn = (table: string, column: string, values: readonly string[]) =>
    tx.run(`DELETE FROM ${table} WHERE org = ? AND ${column} IN (${marksOf(values)})`, [org, ...values])
  const names = [...ids, ...spellings]
  const idempotencyKeys = await tx.run(
    `DELETE FROM idempotency_keys WHERE org = ? AND ${holdsAny(tx, 'body', names)}`,
    [org, ...names],
  )
  let rawEvents = 0
  for (const week of await rawEventWeeks(tx)) {
    rawEvents += await tx.run(
      `DELETE FROM ${rawEventTable(week)} WHERE org = ? AND (employee_id IN (${marksOf(ids)}) OR ${holdsAny(tx, 'event', names)})`,
      [org, ...ids, ...names],
    )
  }
  return {
    rawEvents,
    idempotencyKeys,
    addresses: await byIn('employee_addresses', 'employee_id', ids),
    enrollmentLinks: await byIn('enrollment_links', 'employee_id', ids),
    browserCredentials: await byIn('browser_credentials', 'employee_id', ids),
    notices: await deleteNoticesTo(tx, org, addresses),
    stolenCredentials: await byIn('stolen_credentials', 'address_hmac', addressHmacs),
    savedFilters: await deleteFiltersNaming(tx, org, names),
  }
}

/** Filters of administrators that look for the person: their query has a text as it stands in an address. */
function deleteFiltersNaming(tx: Tx, org: number, texts: readonly string[]): Promise<number> {
  const inQuery = texts.map((text) => `${new URLSearchParams({ '': text })}`.slice(1).toLowerCase())
  return tx.run(
    `DELETE FROM saved_filters
     WHERE org = ? AND (${holdsAny(tx, 'name', texts)} OR ${holdsAny(tx, 'query', inQuery)})`,
    [org, ...texts, ...inQuery],
  )
}

/** Mails that went to the person. Who holds a key is known by the key, and is not to be told twice. */
const deleteNoticesTo = (tx: Tx, org: number, addresses: readonly string[]): Promise<number> =>
  tx.run(
    `DELETE FROM notices WHERE org = ? AND address_key IN (${marksOf(addresses)})
     AND NOT EXISTS (SELECT 1 FROM api_keys AS k WHERE k.org = notices.org AND lower(k.holder) = notices.address_key)`,
    [org, ...addresses],
  )

/** The ids of the records in which one of the folded texts stands; looks at every record of the organisation. */
export async function idsHolding(
  tx: Tx,
  collection: Collection,
  org: number,
  texts: readonly string[],
): Promise<string[]> {
  const sql = `SELECT id FROM ${tableOf(collection).name} WHERE org = ? AND ${holdsAny(tx, 'record', texts)}`
  return (await tx.all<{ id: string }>(sql, [org, ...texts])).map(({ id }) => id)
}
