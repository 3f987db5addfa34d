import type { Collection } from '@muster/contract/api/collection'
import { type ChangeType, eventVersion } from '@muster/contract/events/event-envelope'
import { type EventObject, eventDeclarationOf } from '@muster/contract/events/event-objects'
import { sentenceOf } from '@muster/contract/events/event-sentences'
import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { asDetectionEmployee, type DetectionEmployee, detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { distinct } from '../lib/distinct.ts'
import type { Reader } from '../store/sql.ts'
import { idIndexOf, tableOf } from '../store/tables.ts'

/** Turns changes of records into events. */

type PublicRecord = Readonly<Record<string, unknown>>

/** A record before and after a change; null if it does not exist. */
export interface RecordChange {
  readonly id: string
  readonly before: PublicRecord | null
  readonly after: PublicRecord | null
  /** `after` as stored JSON. */
  readonly text: string | null
}

const entityObjects: ReadonlyMap<Collection, EventObject> = new Map<Collection, EventObject>([
  [accounts, 'ACCOUNT'],
  [accountsOther, 'ACCOUNT_OTHER'],
  [apps, 'APP'],
  [appsOther, 'APP_OTHER'],
  [browsers, 'BROWSER'],
  [browserExtensions, 'BROWSER_EXTENSION'],
  [employees, 'EMPLOYEE'],
  [findings, 'FINDING'],
])

/** Returns true if changes of a collection's records are events. */
export const hasChangeEvents = (collection: Collection): boolean =>
  collection === detections || entityObjects.has(collection)

/** Returns the object of a change's event (events contract, section 3); undefined if there is no event. */
export function changeObject(collection: Collection, record: PublicRecord | null): EventObject | undefined {
  if (collection === detections) return record?.detectionType as EventObject | undefined
  return entityObjects.get(collection)
}

/** Members whose change alone is no event (events contract, section 2). */
const ignoredMembers: ReadonlySet<string> = new Set(['notes', 'lastUsedTimestamp', 'lastOnlineTimestamp'])

/** Returns true if a visible member changed that is not ignored. */
function isReportedChange(before: PublicRecord, after: PublicRecord): boolean {
  for (const [member, value] of Object.entries(after)) {
    if (ignoredMembers.has(member) || value === before[member]) continue
    if (JSON.stringify(value) !== JSON.stringify(before[member])) return true
  }
  return false
}

/** Returns the type of a change; undefined if it is no event. */
export function changeTypeOf({ before, after }: RecordChange): ChangeType | undefined {
  if (before === null) return after === null ? undefined : 'CREATE'
  if (after === null) return 'DELETE'
  return isReportedChange(before, after) ? 'UPDATE' : undefined
}

/** Merges two consecutive changes of one record. */
export const mergeChanges = (first: RecordChange, then: RecordChange): RecordChange => ({
  ...then,
  before: first.before,
})

/** Parts of the event of a change. */
interface ChangeFacts {
  readonly id: string
  readonly timestamp: number
  readonly type: ChangeType
  readonly change: RecordChange
  /** The record before the change, redacted if necessary. */
  readonly old: unknown
  readonly people: People
}

/** Returns the JSON of a change's event, equal to that of `composeEvent`. Reuses the stored JSON of the record. */
export function changeText(
  object: EventObject,
  { id, timestamp, type, change, old: before, people }: ChangeFacts,
): string {
  const next = shownIn(object, change.after, people)
  const old = shownIn(object, before as PublicRecord | null, people)
  const text = next === change.after ? (change.text ?? 'null') : JSON.stringify(next)
  // The record of an extension shows no employee, but the description names them.
  const named = (record: PublicRecord | null) =>
    record && needsPeople(object) ? { ...record, employee: employeeOf(record, people) } : record
  const description = sentenceOf(object, { type, new: named(next), old: named(old) })
  return `{"version":"${eventVersion}","id":"${id}","timestamp":${timestamp},${headOf(object)},"description":${JSON.stringify(description)},"type":"${type}","new":${text},"old":${JSON.stringify(old)}}`
}

const employeeOf = ({ employeeId }: PublicRecord, people: People): DetectionEmployee | null =>
  people.get(String(employeeId)) ?? null

/** Returns a record as events show it, which differs from `/v1` for some objects. */
function shownIn(object: EventObject, record: PublicRecord | null, people: People): PublicRecord | null {
  if (record === null) return null
  if (object === 'ACCOUNT' && record.mfaMethods === null) return { ...record, mfaMethods: [] }
  return object === 'FINDING' ? { ...record, employee: employeeOf(record, people) } : record
}

const heads = new Map<EventObject, string>()

/** Returns the JSON of the members that all events of an object share. */
function headOf(object: EventObject): string {
  const known = heads.get(object)
  if (known !== undefined) return known
  const { friendlyName, category } = eventDeclarationOf(object)
  const head = JSON.stringify({ object, friendlyName, category }).slice(1, -1)
  heads.set(object, head)
  return head
}

/** Employees by ID, as events show them. */
export type People = ReadonlyMap<string, DetectionEmployee>

export const nobody: People = new Map()

/** Objects whose records hold only the ID of an employee, but whose events show the employee. */
const namesById: ReadonlySet<EventObject> = new Set<EventObject>(['FINDING', 'BROWSER_EXTENSION'])

/** Returns true if change events of an object need {@link readPeople}. */
export const needsPeople = (object: EventObject): boolean => namesById.has(object)

/** Reads the employees of changed records, in their current state in the transaction. */
export async function readPeople(tx: Reader, org: number, changes: readonly RecordChange[]): Promise<People> {
  const named = changes.flatMap(({ before, after }) => [before?.employeeId, after?.employeeId])
  const ids = distinct(named.filter((id) => typeof id === 'string'))
  if (ids.length === 0) return nobody
  const table = tableOf(employees)
  const source = tx.dialect.seekByValues(table.name, 'id', idIndexOf(table))
  const sql = `SELECT t.id AS id, t.record AS record FROM ${source}`
  const rows = await tx.all<{ id: string; record: string }>(sql, [JSON.stringify(ids), org])
  return new Map(rows.map(({ id, record }) => [id, asDetectionEmployee(JSON.parse(record) as Employee)]))
}
