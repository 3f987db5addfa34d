import type { Collection } from '@muster/contract/api/collection'
import { accounts, usedBy } from '@muster/contract/records/account'
import { readRecordText } from './records.ts'
import { sequenceEnd } from './sequence.ts'
import type { Reader } from './sql.ts'
import { indexOf, tableOf } from './tables.ts'

/** JSON texts of records, in creation order. */
export type RecordTexts = readonly string[]

const rowsPerRead = 500

interface ScannedRow {
  readonly record: string
  readonly seq: number
  readonly id: string
}

/**
 * Reads all records of a collection in parts: the visible ones, then the hidden ones. A record that exists during the whole
 * scan is never missed. A hidden record that becomes visible behind the scan would be, so the IDs of hidden records are
 * collected first, and those that the scan did not see are read by ID at the end.
 */
export async function* scanRecords(
  reader: Reader,
  collection: Collection,
  org: number,
): AsyncGenerator<RecordTexts> {
  const missed = new Set<string>()
  for await (const rows of scanRows(reader, collection, org, 1)) for (const { id } of rows) missed.add(id)
  for (const hidden of [0, 1]) {
    for await (const rows of scanRows(reader, collection, org, hidden)) {
      for (const { id } of rows) missed.delete(id)
      yield rows.map(({ record }) => record)
    }
  }
  for (const id of missed) {
    const record = await readRecordText(reader, collection, org, id)
    if (record !== undefined) yield [record]
  }
}

async function* scanRows(
  reader: Reader,
  collection: Collection,
  org: number,
  hidden: number,
  condition = '',
): AsyncGenerator<ScannedRow[]> {
  const { dialect } = reader
  const from = tableOf(collection).name
  let after = -1
  for (;;) {
    const { where, params, order } = dialect.scan(org, hidden, after, sequenceEnd)
    const rows = await reader.all<ScannedRow>(
      `SELECT t.record AS record, t.seq AS seq, t.id AS id FROM ${from} t${dialect.indexedBy(null)}
        WHERE ${where}${condition} ORDER BY ${order} LIMIT ${rowsPerRead}`,
      params,
    )
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerRead) return
    after = rows.at(-1)?.seq ?? after
  }
}

/**
 * Reads all users of accounts, with the ID of the account as the first member, by account in creation order. Users of accounts
 * that do not exist come last.
 */
export async function* scanAccountUsers(reader: Reader, org: number): AsyncGenerator<RecordTexts> {
  for await (const rows of scanRows(reader, accounts, org, 0)) {
    const ids = rows.map(({ id }) => id)
    const users = await usersOf(reader, org, ids)
    yield ids.flatMap((id) => users.get(id) ?? [])
  }
  const withoutAccount =
    ' AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.org = t.org AND a.id = t.account_id)'
  for await (const rows of scanRows(reader, usedBy, org, 0, withoutAccount)) {
    // The ID is `<account ID>:<employee ID>`.
    yield rows.map(({ id, record }) => withAccount(id.slice(0, id.lastIndexOf(':')), record))
  }
}

async function usersOf(
  reader: Reader,
  org: number,
  accountIds: readonly string[],
): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>()
  const table = tableOf(usedBy)
  const source = reader.dialect.seekByValues(table.name, 'account_id', indexOf(table, 'account_id'))
  const sql = `SELECT t.account_id AS account, t.record AS record FROM ${source} WHERE t.unlisted = 0 ORDER BY t.seq`
  const rows = await reader.all<{ account: string; record: string }>(sql, [JSON.stringify(accountIds), org])
  for (const { account, record } of rows) {
    const list = users.get(account)
    if (list) list.push(withAccount(account, record))
    else users.set(account, [withAccount(account, record)])
  }
  return users
}

const withAccount = (accountId: string, record: string): string =>
  `{"accountId":${JSON.stringify(accountId)},${record.slice(1)}`

/** Returns IDs and sequence numbers of the next visible records after a sequence number. */
export const idsAfter = (
  reader: Reader,
  collection: Collection,
  org: number,
  after: number,
): Promise<{ id: string; seq: number }[]> =>
  reader.all<{ id: string; seq: number }>(
    `SELECT id, seq FROM ${tableOf(collection).name} WHERE org = ? AND unlisted = 0 AND seq > ? ORDER BY seq LIMIT 50`,
    [org, after],
  )
