import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { hasChangeEvents } from '../events/event-changes.ts'
import { recordChange } from '../events/outbox.ts'
import { distinct } from '../lib/distinct.ts'
import { isInstallationTable, recordExtensionNames } from './extension-names.ts'
import { firstSequenceOf } from './sequence.ts'
import { allocateSequenceNumbers } from './sequence-allocation.ts'
import { insertSideRows } from './side-rows.ts'
import type { Param, Reader, RecordInsert, Tx } from './sql.ts'
import { indexChangedTexts, indexNewTexts, removeAllTexts } from './substrings.ts'
import { type Column, idIndexOf, indexOf, snakeCase, type Table, tableOf } from './tables.ts'
import { columnValue, columnValues, sideValues } from './values.ts'

type PublicRecord = Readonly<Record<string, unknown>>

/** Values of the internal columns, by their names in camel case. */
export type InternalColumns = Readonly<Record<string, Param>>

export interface Stored<R> {
  seq: number
  id: string
  /** True if lists leave the record out, as they do with merged employees. */
  hidden: boolean
  record: R
  internal: InternalColumns
}

export interface NewRecord<R> {
  id: string
  record: R
  internal?: InternalColumns
  hidden?: boolean
  /** Creation time, which determines the position in lists. */
  createdAtSeconds: number
}

/** Returns the JSON text of a record; undefined if the organization has no such record. */
export async function readRecordText(
  db: Reader,
  collection: Collection,
  org: number,
  id: string,
): Promise<string | undefined> {
  const row = await db.get<{ record: string }>(tableOf(collection).recordById, [org, id])
  return row?.record
}

/** Returns true if the organization has the record. */
export const recordExists = async (
  db: Reader,
  collection: Collection,
  org: number,
  id: string,
): Promise<boolean> => (await readRecordText(db, collection, org, id)) !== undefined

/** Reads a record that this transaction will change, and locks it; undefined if the organization has no such record. */
export const getRecord = async <C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  id: string,
): Promise<Stored<RecordOf<C>> | undefined> =>
  (await selectForUpdate<C>(tx, collection, 'org = ? AND id = ?', [org, id]))[0]

/** Reads records that this transaction will change, by ID, in no particular order. IDs without a record are left out. */
export const getRecordsByIds = <C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  ids: readonly string[],
): Promise<Stored<RecordOf<C>>[]> =>
  seekRecords<C>(tx, collection, org, 'id', idIndexOf(tableOf(collection)), ids)

/** Reads records like {@link getRecordsByIds}, by the values of an indexed filter or internal column. */
export const getRecordsByValues = <C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  member: string,
  values: readonly string[],
): Promise<Stored<RecordOf<C>>[]> => {
  const column = snakeCase(member)
  return seekRecords<C>(tx, collection, org, column, indexOf(tableOf(collection), column), values)
}

const seekRecords = <C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  column: string,
  index: string,
  values: readonly string[],
): Promise<Stored<RecordOf<C>>[]> => {
  const source = tx.dialect.seekByValues(tableOf(collection).name, column, index, true)
  return select<C>(tx, collection, source, [JSON.stringify(distinct(values)), org], 't.')
}

/** Returns all records with a value in a filter or internal column, oldest first. */
export const recordsWhere = <C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  member: string,
  value: Param,
): Promise<Stored<RecordOf<C>>[]> =>
  selectForUpdate<C>(tx, collection, `org = ? AND ${snakeCase(member)} = ?`, [org, value])

const selectForUpdate = <C extends Collection>(
  tx: Tx,
  collection: C,
  where: string,
  params: Param[],
): Promise<Stored<RecordOf<C>>[]> =>
  select<C>(
    tx,
    collection,
    `${tableOf(collection).name} WHERE ${where} ORDER BY seq${tx.dialect.forUpdate}`,
    params,
  )

async function select<C extends Collection>(
  tx: Tx,
  collection: C,
  source: string,
  params: Param[],
  prefix = '',
): Promise<Stored<RecordOf<C>>[]> {
  const table = tableOf(collection)
  const names = ['seq', 'id', 'unlisted', ...table.internal.map((column) => column.name), 'record']
  const sql = `SELECT ${names.map((name) => prefix + name).join(', ')} FROM ${source}`
  const rows = await tx.all<Record<string, Param>>(sql, params)
  return rows.map((row) => ({
    seq: Number(row.seq),
    id: String(row.id),
    hidden: Number(row.unlisted) === 1,
    record: JSON.parse(String(row.record)) as RecordOf<C>,
    internal: Object.fromEntries(table.internal.map(({ name }) => [camelCase(name), row[name] ?? null])),
  }))
}

const camelNames = new Map<string, string>()

/** Converts the column name `facts_timestamp` to `factsTimestamp`. */
function camelCase(name: string): string {
  const known = camelNames.get(name)
  if (known !== undefined) return known
  const converted = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  camelNames.set(name, converted)
  return converted
}

/**
 * Adds records, in the given order. No other function writes columns, side tables and substring indexes of new records.
 *
 * @throws UniqueViolationError if an ID exists already
 * @throws SequenceExhaustedError if a second of creation has no sequence number left
 */
export async function insertRecords<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  added: readonly NewRecord<RecordOf<C>>[],
): Promise<void> {
  if (added.length === 0) return
  const table = tableOf(collection)
  if (isInstallationTable(table)) await recordExtensionNames(tx, org, added.map(recordOf))
  const [only] = added
  if (tx.enqueueRecord && only && added.length === 1) {
    const text = JSON.stringify(only.record)
    tx.enqueueRecord(recordInsert(table, org, only as NewRecord<PublicRecord>, text))
    return recordChange(tx, collection, org, newChange(only as NewRecord<PublicRecord>, text))
  }
  const seqs = await allocateSequenceNumbers(
    tx,
    collection,
    org,
    added.map(({ createdAtSeconds }) => createdAtSeconds),
  )
  const rows = added.map((item, at) => ({
    seq: seqs[at] ?? 0,
    item,
    record: item.record as PublicRecord,
    text: JSON.stringify(item.record),
  }))
  const names = [
    'org',
    'unlisted',
    'seq',
    'id',
    ...table.columns.map((column) => column.name),
    ...table.internal.map((column) => column.name),
    'record',
  ]
  const values = rows.map(({ seq, item, record, text }) => [
    org,
    item.hidden ? 1 : 0,
    seq,
    item.id,
    ...columnValues(table, record),
    ...internalValues(table, item.internal ?? {}, record),
    text,
  ])
  for (const { item, text } of rows) {
    const noted = recordChange(tx, collection, org, newChange(item as NewRecord<PublicRecord>, text))
    if (noted) await noted
  }
  await tx.insert(table.name, names, values)
  for (const side of table.sides) {
    const pairs = rows.flatMap(({ seq, record }) =>
      sideValues(side, record).map((value) => [org, value, seq] as const),
    )
    if (pairs.length > 0) await insertSideRows(tx, side.table, pairs)
  }
  await indexNewTexts(tx, table, org, rows)
}

const recordOf = ({ record }: NewRecord<object>): PublicRecord => record as PublicRecord

const newChange = ({ id, record }: NewRecord<PublicRecord>, text: string) => ({
  id,
  before: null,
  after: record,
  text,
})

function recordInsert(table: Table, org: number, added: NewRecord<PublicRecord>, text: string): RecordInsert {
  const { id, record, hidden, internal = {}, createdAtSeconds } = added
  const columns = [...table.columns, ...table.internal].map(({ name }) => name)
  const sides = table.sides.map((side) => ({ table: side.table, values: sideValues(side, record) }))
  return {
    table: table.name,
    org,
    firstSeq: firstSequenceOf(createdAtSeconds),
    columns: ['unlisted', 'id', ...columns, 'record'],
    values: [
      hidden ? 1 : 0,
      id,
      ...columnValues(table, record),
      ...internalValues(table, internal, record),
      text,
    ],
    sides: sides.filter(({ values }) => values.length > 0),
  }
}

/** Adds one record. */
export const insertRecord = <C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  added: NewRecord<RecordOf<C>>,
): Promise<void> => insertRecords(tx, collection, org, [added])

const internalValues = (table: Table, internal: InternalColumns, record: PublicRecord): Param[] =>
  table.internal.map(({ name, derive }) => derive?.(record) ?? internal[camelCase(name)] ?? null)

/** Updates a record that was read in this transaction. Only changed columns are written. */
export async function updateRecord<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  stored: Stored<RecordOf<C>>,
  change: { record?: RecordOf<C>; internal?: InternalColumns; hidden?: boolean },
): Promise<Stored<RecordOf<C>>> {
  const table = tableOf(collection)
  const before = stored.record as PublicRecord
  const record = change.record ?? stored.record
  const after = record as PublicRecord
  const internal = { ...change.internal, ...derivedColumns(table, after) }
  const next = {
    ...stored,
    record,
    internal: { ...stored.internal, ...internal },
    hidden: change.hidden ?? stored.hidden,
  }
  if (isInstallationTable(table) && before.name !== after.name) await recordExtensionNames(tx, org, [after])
  const changed = changedColumns(table, before, after)
  const text = JSON.stringify(after)
  const noted =
    after === before ? undefined : recordChange(tx, collection, org, { id: stored.id, before, after, text })
  const assignments: [string, Param][] = [
    ['record', text],
    ...changed.map((column): [string, Param] => [column.name, columnValue(column, after[column.member])]),
    ...changedInternalColumns(table, stored.internal, internal),
  ]
  const moved = next.hidden !== stored.hidden
  const set = assignments.map(([name]) => `${name} = ?`)
  if (moved) set.push(tx.dialect.setHidden(next.hidden ? 1 : 0))
  const values = [...assignments.map(([, value]) => value), org, stored.hidden ? 1 : 0, stored.seq]
  await tx.run(`UPDATE ${table.name} SET ${set.join(', ')} WHERE ${tx.dialect.recordAt}`, values)
  for (const side of table.sides)
    await updateSide(tx, org, stored.seq, side.table, sideValues(side, before), sideValues(side, after))
  await indexChangedTexts(tx, table, org, stored.seq, before, after)
  await noted
  return next
}

const changedColumns = (table: Table, before: PublicRecord, after: PublicRecord): Column[] =>
  table.columns.filter(
    (column) => columnValue(column, before[column.member]) !== columnValue(column, after[column.member]),
  )

const derivedColumns = (table: Table, record: PublicRecord): InternalColumns =>
  Object.fromEntries(
    table.internal.flatMap(({ name, derive }) => (derive ? [[camelCase(name), derive(record)]] : [])),
  )

/** Returns the internal columns to write. A derived value is always compared: an older version may not have written it. */
const changedInternalColumns = (
  table: Table,
  stored: InternalColumns,
  change: InternalColumns,
): [string, Param][] =>
  table.internal.flatMap(({ name, derive }): [string, Param][] => {
    const value = change[camelCase(name)]
    if (value === undefined || (derive && value === stored[camelCase(name)])) return []
    return [[name, value]]
  })

async function updateSide(
  tx: Tx,
  org: number,
  seq: number,
  table: string,
  before: string[],
  after: string[],
): Promise<void> {
  const removed = before.filter((value) => !after.includes(value))
  const added = after.filter((value) => !before.includes(value))
  for (const value of removed)
    await tx.run(`DELETE FROM ${table} WHERE org = ? AND value = ? AND seq = ?`, [org, value, seq])
  if (added.length > 0)
    await tx.insert(
      table,
      ['org', 'value', 'seq'],
      added.map((value) => [org, value, seq]),
    )
}

/** Removes a record, with its side table rows and indexed texts. */
export async function removeRecord<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  stored: Stored<RecordOf<C>>,
): Promise<void> {
  const table = tableOf(collection)
  const before = stored.record as PublicRecord
  const noted = recordChange(tx, collection, org, { id: stored.id, before, after: null, text: null })
  await tx.run(`DELETE FROM ${table.name} WHERE ${tx.dialect.recordAt}`, [
    org,
    stored.hidden ? 1 : 0,
    stored.seq,
  ])
  for (const side of table.sides)
    await updateSide(tx, org, stored.seq, side.table, sideValues(side, before), [])
  await indexChangedTexts(tx, table, org, stored.seq, before)
  await noted
}

/** Removes all records of a collection and returns their number. */
export async function removeAllRecords(tx: Tx, collection: Collection, org: number): Promise<number> {
  const table = tableOf(collection)
  if (hasChangeEvents(collection)) {
    const rows = await tx.all<{ id: string; record: string }>(
      `SELECT id, record FROM ${table.name} WHERE org = ?`,
      [org],
    )
    for (const { id, record } of rows)
      await recordChange(tx, collection, org, { id, before: JSON.parse(record), after: null, text: null })
  }
  for (const side of table.sides) await tx.run(`DELETE FROM ${side.table} WHERE org = ?`, [org])
  await removeAllTexts(tx, table, org)
  return tx.run(`DELETE FROM ${table.name} WHERE org = ?`, [org])
}
