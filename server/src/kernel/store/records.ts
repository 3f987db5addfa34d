import type { Collection, RecordOf } from '@muster/contract/collection'
import { hasChangeEvents } from '../events/event-changes.ts'
import { recordChange } from '../events/outbox.ts'
import { distinct } from '../lib/distinct.ts'
import { holdsInstallations, noteExtensionNames } from './extension-names.ts'
import { takePlaces } from './places.ts'
import { firstSequenceOf } from './sequence.ts'
import { insertSideRows } from './side-rows.ts'
import type { Param, Reader, RecordInsert, Tx } from './sql.ts'
import { forgetAllTexts, indexChangedTexts, indexNewTexts } from './substrings.ts'
import { type Column, idIndexOf, indexOf, snakeCase, type Table, tableOf } from './tables.ts'
import { columnValue, columnValues, sideValues } from './values.ts'

type PublicRecord = Readonly<Record<string, unknown>>

/** What a row knows beyond its record, by the names of the private columns in camel case. */
export type Privates = Readonly<Record<string, Param>>

export interface Stored<R> {
  seq: number
  id: string
  unlisted: boolean
  record: R
  privates: Privates
}

export interface NewRecord<R> {
  id: string
  record: R
  privates?: Privates
  unlisted?: boolean
  /** The second that gives it its place in the order of creation. */
  createdAtSeconds: number
}

/** A record as the API shows it, without being parsed; undefined if the organization has none. */
export async function readRecordText(
  db: Reader,
  collection: Collection,
  org: number,
  id: string,
): Promise<string | undefined> {
  const row = await db.get<{ record: string }>(tableOf(collection).recordById, [org, id])
  return row?.record
}

/** Whether the organization has the record. */
export const recordExists = async (
  db: Reader,
  collection: Collection,
  org: number,
  id: string,
): Promise<boolean> => (await readRecordText(db, collection, org, id)) !== undefined

/** A record that this transaction will change; undefined if the organization has none. */
export const getRecord = async <C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  id: string,
): Promise<Stored<RecordOf<C>> | undefined> =>
  (await selectForUpdate<C>(tx, collection, 'org = ? AND id = ?', [org, id]))[0]

/** Records that this transaction will change, by id, in no order; those that are not there are left out. */
export const getRecordsByIds = <C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  ids: readonly string[],
): Promise<Stored<RecordOf<C>>[]> =>
  seekRecords<C>(tx, collection, org, 'id', idIndexOf(tableOf(collection)), ids)

/** Like {@link getRecordsByIds}, by the values of an indexed column (of a filter, or a private one). */
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

/** All records whose column (of a filter, or a private one) has a value, oldest first. */
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
  of = '',
): Promise<Stored<RecordOf<C>>[]> {
  const table = tableOf(collection)
  const names = ['seq', 'id', 'unlisted', ...table.privates.map((column) => column.name), 'record']
  const sql = `SELECT ${names.map((name) => of + name).join(', ')} FROM ${source}`
  const rows = await tx.all<Record<string, Param>>(sql, params)
  return rows.map((row) => ({
    seq: Number(row.seq),
    id: String(row.id),
    unlisted: Number(row.unlisted) === 1,
    record: JSON.parse(String(row.record)) as RecordOf<C>,
    privates: Object.fromEntries(table.privates.map(({ name }) => [camelCase(name), row[name] ?? null])),
  }))
}

const camelNames = new Map<string, string>()

/** `facts_timestamp` → `factsTimestamp`; the names are those of the private columns. */
function camelCase(name: string): string {
  const known = camelNames.get(name)
  if (known !== undefined) return known
  const made = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  camelNames.set(name, made)
  return made
}

/**
 * Adds records, in the order given. All that finds them later (columns, side tables, substrings)
 * is written here and nowhere else.
 *
 * @throws UniqueViolationError when an id is there already, FullSecondError when the second of creation has no place left.
 */
export async function insertRecords<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  added: readonly NewRecord<RecordOf<C>>[],
): Promise<void> {
  if (added.length === 0) return
  const table = tableOf(collection)
  if (holdsInstallations(table)) await noteExtensionNames(tx, org, added.map(recordOf))
  const [only] = added
  if (tx.optimistic && only && added.length === 1) {
    const text = JSON.stringify(only.record)
    tx.optimistic.enqueueRecord(numberedRow(table, org, only as NewRecord<PublicRecord>, text))
    return recordChange(tx, collection, org, newChange(only as NewRecord<PublicRecord>, text), true)
  }
  const places = await takePlaces(
    tx,
    collection,
    org,
    added.map(({ createdAtSeconds }) => createdAtSeconds),
  )
  const rows = added.map((item, at) => ({
    seq: places[at] ?? 0,
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
    ...table.privates.map((column) => column.name),
    'record',
  ]
  const values = rows.map(({ seq, item, record, text }) => [
    org,
    item.unlisted ? 1 : 0,
    seq,
    item.id,
    ...columnValues(table, record),
    ...privateValues(table, item.privates ?? {}, record),
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

function numberedRow(table: Table, org: number, added: NewRecord<PublicRecord>, text: string): RecordInsert {
  const { id, record, unlisted, privates = {}, createdAtSeconds } = added
  const columns = [...table.columns, ...table.privates].map(({ name }) => name)
  const sides = table.sides.map((side) => ({ table: side.table, values: sideValues(side, record) }))
  return {
    table: table.name,
    org,
    firstSeq: firstSequenceOf(createdAtSeconds),
    columns: ['unlisted', 'id', ...columns, 'record'],
    values: [
      unlisted ? 1 : 0,
      id,
      ...columnValues(table, record),
      ...privateValues(table, privates, record),
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

const privateValues = (table: Table, privates: Privates, record: PublicRecord): Param[] =>
  table.privates.map(({ name, derive }) => derive?.(record) ?? privates[camelCase(name)] ?? null)

/** Puts a changed record in the place of the one that was read; only what differs is written. */
export async function updateRecord<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  stored: Stored<RecordOf<C>>,
  change: { record?: RecordOf<C>; privates?: Privates; unlisted?: boolean },
): Promise<Stored<RecordOf<C>>> {
  const table = tableOf(collection)
  const before = stored.record as PublicRecord
  const record = change.record ?? stored.record
  const after = record as PublicRecord
  const privates = { ...change.privates, ...derivedPrivates(table, after) }
  const next = {
    ...stored,
    record,
    privates: { ...stored.privates, ...privates },
    unlisted: change.unlisted ?? stored.unlisted,
  }
  if (holdsInstallations(table) && before.name !== after.name) await noteExtensionNames(tx, org, [after])
  const changed = changedColumns(table, before, after)
  const text = JSON.stringify(after)
  const noted =
    after === before ? undefined : recordChange(tx, collection, org, { id: stored.id, before, after, text })
  const assignments: [string, Param][] = [
    ['record', text],
    ...changed.map((column): [string, Param] => [column.name, columnValue(column, after[column.member])]),
    ...changedPrivates(table, stored.privates, privates),
  ]
  const { recordAt: at, setHidden } = tx.dialect
  const moved = next.unlisted !== stored.unlisted
  const set = assignments.map(([name]) => `${name} = ?`)
  if (moved) set.push(setHidden(next.unlisted ? 1 : 0))
  const values = [...assignments.map(([, value]) => value), org, stored.unlisted ? 1 : 0, stored.seq]
  await tx.run(`UPDATE ${table.name} SET ${set.join(', ')} WHERE ${at}`, values)
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

const derivedPrivates = (table: Table, record: PublicRecord): Privates =>
  Object.fromEntries(
    table.privates.flatMap(({ name, derive }) => (derive ? [[camelCase(name), derive(record)]] : [])),
  )

/** A derived value is compared with what is stored: an older version may have left it out. */
const changedPrivates = (table: Table, stored: Privates, change: Privates): [string, Param][] =>
  table.privates.flatMap(({ name, derive }): [string, Param][] => {
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
  const gone = before.filter((value) => !after.includes(value))
  const come = after.filter((value) => !before.includes(value))
  for (const value of gone)
    await tx.run(`DELETE FROM ${table} WHERE org = ? AND value = ? AND seq = ?`, [org, value, seq])
  if (come.length > 0)
    await tx.insert(
      table,
      ['org', 'value', 'seq'],
      come.map((value) => [org, value, seq]),
    )
}

/** Removes a record and all that finds it. */
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
    stored.unlisted ? 1 : 0,
    stored.seq,
  ])
  for (const side of table.sides)
    await updateSide(tx, org, stored.seq, side.table, sideValues(side, before), [])
  await indexChangedTexts(tx, table, org, stored.seq, before)
  await noted
}

/** Removes every record of a collection, and says how many there were. */
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
  await forgetAllTexts(tx, table, org)
  return tx.run(`DELETE FROM ${table.name} WHERE org = ?`, [org])
}
