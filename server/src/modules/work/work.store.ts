import type { WorkEntry } from '@muster/contract/console/work/work-fields'
import type { Param, Reader, Tx } from '../../kernel/store/sql.ts'
import { type ChangedWork, type NewEntry, noWork, type WorkState } from './work.rules.ts'

interface StateRow extends WorkState {
  readonly id: string
}

/** SQL for the name of an administrator `a`. */
const administratorName = "coalesce(nullif(a.name, ''), a.email)"

/** Returns the work on records by their IDs. Records without work are missing. */
export async function readWorkStates(
  db: Reader,
  org: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WorkState>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all<StateRow>(
    `SELECT w.record_id AS id, w.assignee_id AS "assigneeId", ${administratorName} AS "assigneeName", w.status AS status,
       w.until_timestamp AS "untilTimestamp"
     FROM work_states w LEFT JOIN administrators a ON a.org = w.org AND a.id = w.assignee_id
     WHERE w.org = ? AND ${db.dialect.textIn('w.record_id')}`,
    [org, JSON.stringify(ids)],
  )
  return new Map(rows.map(({ id, ...work }) => [id, work]))
}

/** Returns the work on a record. */
export const readWorkState = async (db: Reader, org: number, id: string): Promise<WorkState> =>
  (await readWorkStates(db, org, [id])).get(id) ?? noWork

/** Returns the newest entries of a record, oldest first. */
export async function readWorkEntries(
  db: Reader,
  org: number,
  id: string,
  limit: number,
): Promise<WorkEntry[]> {
  const rows = await db.all<WorkEntry>(
    `SELECT kind, timestamp, author, before AS "from", after AS "to", until_timestamp AS "untilTimestamp", text
     FROM work_entries WHERE org = ? AND record_id = ? ORDER BY number DESC LIMIT ?`,
    [org, id, limit],
  )
  return rows.reverse()
}

/** Returns the newest entries of several records, in no particular order. */
export const readEntriesOfAll = (
  db: Reader,
  org: number,
  ids: readonly string[],
  limit: number,
): Promise<WorkEntry[]> =>
  db.all<WorkEntry>(
    `SELECT kind, timestamp, author, before AS "from", after AS "to", until_timestamp AS "untilTimestamp", text
     FROM work_entries WHERE org = ? AND ${db.dialect.textIn('record_id')} ORDER BY timestamp DESC LIMIT ?`,
    [org, JSON.stringify(ids), limit],
  )

/** Returns the number of notes on records, by record. */
export async function countNotes(
  db: Reader,
  org: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.all<{ id: string; notes: number }>(
    `SELECT record_id AS id, count(*) AS notes FROM work_entries
     WHERE org = ? AND ${db.dialect.textIn('record_id')} AND kind = 'NOTE' GROUP BY record_id`,
    [org, JSON.stringify(ids)],
  )
  return new Map(rows.map(({ id, notes }) => [id, Number(notes)]))
}

/** Returns the name of an administrator; undefined if there is none. */
export const readAssigneeName = async (db: Reader, org: number, id: string): Promise<string | undefined> =>
  (
    await db.get<{ name: string }>(
      `SELECT ${administratorName} AS name FROM administrators a WHERE org = ? AND id = ?`,
      [org, id],
    )
  )?.name

interface Author {
  readonly name: string
  readonly timestamp: number
}

/**
 * Adds entries to the histories of records. The transaction must have locked these records, because entries are numbered.
 *
 * @param entries entries by the ID of their record
 */
export async function addWorkEntries(
  tx: Tx,
  org: number,
  entries: ReadonlyMap<string, readonly NewEntry[]>,
  { name, timestamp }: Author,
): Promise<void> {
  const ids = [...entries.keys()]
  const last = await tx.all<{ id: string; number: number }>(
    `SELECT record_id AS id, max(number) AS number FROM work_entries
     WHERE org = ? AND ${tx.dialect.textIn('record_id')} GROUP BY record_id`,
    [org, JSON.stringify(ids)],
  )
  const numbers = new Map(last.map(({ id, number }) => [id, Number(number)]))
  const rows = [...entries].flatMap(([id, some]) =>
    some.map(({ kind, from, to, untilTimestamp, text }, at): Param[] => [
      org,
      id,
      (numbers.get(id) ?? 0) + at + 1,
      kind,
      timestamp,
      name,
      from,
      to,
      untilTimestamp,
      text,
    ]),
  )
  const columns = 'org record_id number kind timestamp author before after until_timestamp text'.split(' ')
  await tx.insert('work_entries', columns, rows)
}

/** Stores changed work with its entries. The transaction must have locked the records. */
export async function writeWork(
  tx: Tx,
  org: number,
  changes: ReadonlyMap<string, ChangedWork>,
  author: Author,
): Promise<void> {
  const rows = [...changes].map(([id, { work }]): Param[] => [
    org,
    id,
    work.assigneeId,
    work.status,
    work.untilTimestamp,
  ])
  await tx.insert(
    'work_states',
    ['org', 'record_id', 'assignee_id', 'status', 'until_timestamp'],
    rows,
    `ON CONFLICT (org, record_id) DO UPDATE SET assignee_id = excluded.assignee_id, status = excluded.status,
     until_timestamp = excluded.until_timestamp`,
  )
  await addWorkEntries(tx, org, new Map([...changes].map(([id, { entries }]) => [id, entries])), author)
}
