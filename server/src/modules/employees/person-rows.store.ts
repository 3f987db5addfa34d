import type { Collection } from '@muster/contract/collection'
import { foldAscii } from '../../kernel/lib/fold-case.ts'
import { mentionsPerson, type PersonIdentifiers, textsOf } from '../../kernel/lib/person-mention.ts'
import { rawEventTable } from '../../kernel/store/raw-event-tables.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { tableOf } from '../../kernel/store/tables.ts'
import { rawEventWeeks } from '../ingest/raw-events.service.ts'

/** What is kept of a person outside of the records, by the ids and the folded addresses of all that are the person. */
export interface PersonRows extends PersonIdentifiers {
  readonly addresses: readonly string[]
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
  const { ids, addresses, addressHmacs } = person
  const byIn = (table: string, column: string, values: readonly string[]) =>
    tx.run(`DELETE FROM ${table} WHERE org = ? AND ${column} IN (${marksOf(values)})`, [org, ...values])
  const answers = { table: 'idempotency_keys', key: ['holder', 'key'], text: 'body' } as const
  const idempotencyKeys = await deleteNaming(tx, org, answers, person)
  let rawEvents = 0
  for (const week of await rawEventWeeks(tx)) {
    const table = rawEventTable(week)
    rawEvents += await byIn(table, 'employee_id', ids)
    rawEvents += await deleteNaming(tx, org, { table, key: ['id', 'browser_id'], text: 'event' }, person)
  }
  return {
    rawEvents,
    idempotencyKeys,
    addresses: await byIn('employee_addresses', 'employee_id', ids),
    enrollmentLinks: await byIn('enrollment_links', 'employee_id', ids),
    browserCredentials: await byIn('browser_credentials', 'employee_id', ids),
    notices: await deleteNoticesTo(tx, org, addresses),
    stolenCredentials: await byIn('stolen_credentials', 'address_hmac', addressHmacs),
    savedFilters: await deleteFiltersNaming(tx, org, person),
  }
}

/** A table whose rows have a text, and what of their key comes behind the organization. */
interface TextTable {
  readonly table: string
  readonly key: readonly [string, string]
  readonly text: string
}

/** So many rows whose texts may name a person are read at once. */
const rowsPerRead = 200

/** Deletes the rows in whose text the person is named, and says how many. The store finds those that may be. */
async function deleteNaming(
  tx: Tx,
  org: number,
  { table, key: [first, second], text }: TextTable,
  names: PersonIdentifiers,
): Promise<number> {
  const texts = textsOf(names)
  const sql = `SELECT ${first} AS first, ${second} AS second, lower(${text}) AS folded FROM ${table}
    WHERE org = ? AND (${first}, ${second}) > (?, ?) AND ${holdsAny(tx, text, texts)}
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

/**
 * Filters of administrators that look for the person. A query has a text as it stands in an address, where an escape is
 * as good a neighbor as any: it is read before it is decided.
 */
async function deleteFiltersNaming(tx: Tx, org: number, names: PersonIdentifiers): Promise<number> {
  const texts = textsOf(names)
  const inQuery = texts.map((text) => `${new URLSearchParams({ '': text })}`.slice(1).toLowerCase())
  const rows = await tx.all<{ administrator: string; id: string; name: string; query: string }>(
    `SELECT administrator_id AS administrator, id, name, query FROM saved_filters
     WHERE org = ? AND (${holdsAny(tx, 'name', texts)} OR ${holdsAny(tx, 'query', inQuery)})`,
    [org, ...texts, ...inQuery],
  )
  let deleted = 0
  for (const { administrator, id, name, query } of rows) {
    const said = [name, ...new URLSearchParams(query).values()]
    if (!said.some((text) => mentionsPerson(foldAscii(text), names))) continue
    deleted += await tx.run('DELETE FROM saved_filters WHERE org = ? AND administrator_id = ? AND id = ?', [
      org,
      administrator,
      id,
    ])
  }
  return deleted
}

/** Mails that went to the person. Who holds a key is known by the key, and is not to be told twice. */
const deleteNoticesTo = (tx: Tx, org: number, addresses: readonly string[]): Promise<number> =>
  tx.run(
    `DELETE FROM notices WHERE org = ? AND address_key IN (${marksOf(addresses)})
     AND NOT EXISTS (SELECT 1 FROM api_keys AS k WHERE k.org = notices.org AND lower(k.holder) = notices.address_key)`,
    [org, ...addresses],
  )

/** The ids of the records in which one of the folded texts stands; looks at every record of the organization. */
export async function idsHolding(
  tx: Tx,
  collection: Collection,
  org: number,
  texts: readonly string[],
): Promise<string[]> {
  const sql = `SELECT id FROM ${tableOf(collection).name} WHERE org = ? AND ${holdsAny(tx, 'record', texts)}`
  return (await tx.all<{ id: string }>(sql, [org, ...texts])).map(({ id }) => id)
}
