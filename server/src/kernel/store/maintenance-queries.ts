import { accounts } from '@muster/contract/records/account'
import { browsers } from '@muster/contract/records/browser'
import { type Finding, findings } from '@muster/contract/records/finding'
import { yieldToEventLoop } from '../lib/process/yield-to-event-loop.ts'
import { firstSequenceOf } from './sequence.ts'
import type { Reader, Tx } from './sql.ts'
import { scanIndexOf, tableOf } from './tables.ts'

/** Records per statement. */
const rowsPerRead = 200

/**
 * Returns IDs of browsers that were last online before a time, in UNIX seconds.
 *
 * @param onlyActive true for active browsers; false for those that have not called since then while dormant either
 */
export async function inactiveBrowsers(
  reader: Reader,
  org: number,
  before: number,
  onlyActive: boolean,
): Promise<string[]> {
  const condition = onlyActive
    ? 'b.is_active + 0 = 1'
    : `NOT EXISTS (SELECT 1 FROM browser_credentials AS c
       WHERE c.org = b.org AND c.browser_id = b.id AND c.dormant_call_timestamp >= ?)`
  const rows = await reader.all<{ id: string }>(
    `SELECT id FROM ${tableOf(browsers).name} AS b WHERE org = ? AND last_online_timestamp < ? AND ${condition}
     ORDER BY last_online_timestamp, seq LIMIT ${rowsPerRead}`,
    onlyActive ? [org, before] : [org, before, before],
  )
  return rows.map(({ id }) => id)
}

/** Reads accounts that were last used before a time, in UNIX seconds, in parts. */
export async function* accountsUsedBefore(
  reader: Reader,
  org: number,
  before: number,
): AsyncGenerator<string[]> {
  const sql = `SELECT last_used_timestamp AS at, seq, record FROM ${tableOf(accounts).name}
    WHERE org = ? AND last_used_timestamp < ? AND (last_used_timestamp, seq) > (?, ?)
    ORDER BY last_used_timestamp, seq LIMIT ${rowsPerRead}`
  for (let at = -1, seq = 0; ; ) {
    const rows = await reader.all<{ at: number; seq: number; record: string }>(sql, [org, before, at, seq])
    if (rows.length > 0) yield rows.map(({ record }) => record)
    if (rows.length < rowsPerRead) return
    const last = rows.at(-1)
    at = last?.at ?? at
    seq = last?.seq ?? seq
  }
}

/** Sequence numbers per statement, which are read from an index alone. */
const seqsPerRead = 2000

/** Reads accounts whose last use is unknown and that were created before a time, in UNIX seconds, in parts. */
export async function* accountsNeverUsed(
  reader: Reader,
  org: number,
  before: number,
): AsyncGenerator<string[]> {
  const { dialect } = reader
  const table = tableOf(accounts)
  const seqs = `SELECT t.seq AS seq, t.last_used_timestamp AS used
    FROM ${table.name} t${dialect.indexedBy(scanIndexOf(table))}
    WHERE t.org = ? AND t.unlisted = 0 AND t.seq > ? AND t.seq < ? ORDER BY t.seq LIMIT ${seqsPerRead}`
  for (let after = -1; ; ) {
    const rows = await reader.all<{ seq: number; used: number | null }>(seqs, [
      org,
      after,
      firstSequenceOf(before),
    ])
    const unused = rows.filter(({ used }) => used === null).map(({ seq }) => seq)
    for (let from = 0; from < unused.length; from += rowsPerRead)
      yield await recordsAt(reader, org, unused.slice(from, from + rowsPerRead))
    if (rows.length < seqsPerRead) return
    after = rows.at(-1)?.seq ?? after
    // Many accounts may be read without a match, so other requests run in between.
    await yieldToEventLoop()
  }
}

/** Reads records by their sequence numbers, in no particular order. */
async function recordsAt(reader: Reader, org: number, seqs: readonly number[]): Promise<string[]> {
  const sql = `SELECT record FROM ${tableOf(accounts).name} WHERE ${reader.dialect.recordsAt}`
  const rows = await reader.all<{ record: string }>(sql, [org, 0, JSON.stringify(seqs)])
  return rows.map(({ record }) => record)
}

/** Reads the findings of a type, as JSON texts, in parts. */
export async function* findingsOfType(
  reader: Reader,
  org: number,
  type: Finding['type'],
): AsyncGenerator<string[]> {
  const sql = `SELECT seq, record FROM ${tableOf(findings).name} WHERE org = ? AND type = ? AND seq > ?
    ORDER BY seq LIMIT ${rowsPerRead}`
  for (let seq = -1; ; ) {
    const rows = await reader.all<{ seq: number; record: string }>(sql, [org, type, seq])
    if (rows.length > 0) yield rows.map(({ record }) => record)
    if (rows.length < rowsPerRead) return
    seq = rows.at(-1)?.seq ?? seq
  }
}

/** Deletes the credentials of deleted browsers and returns their number. */
export async function deleteBrowserCredentials(
  tx: Tx,
  org: number,
  browserIds: readonly string[],
): Promise<number> {
  let count = 0
  for (const id of browserIds)
    count += await tx.run('DELETE FROM browser_credentials WHERE org = ? AND browser_id = ?', [org, id])
  return count
}
