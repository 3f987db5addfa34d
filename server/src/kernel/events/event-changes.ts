import { accounts } from '@muster/contract/account'
import { accountsOther } from '@muster/contract/account-other'
import { apps } from '@muster/contract/app'
import { appsOther } from '@muster/contract/app-other'
import { browsers } from '@muster/contract/browser'
import { browserExtensions } from '@muster/contract/browser-extension'
import type { Collection } from '@muster/contract/collection'
import { type DetectionEmployee, detections } from '@muster/contract/detection'
import { employees } from '@muster/contract/employee'
import { type ChangeType, eventVersion } from '@muster/contract/event-envelope'
import { type EventObject, eventDeclarationOf } from '@muster/contract/event-objects'
import { sentenceOf } from '@muster/contract/event-sentences'
import { findings } from '@muster/contract/finding'
import { needsPeople, type People } from './event-people.ts'

/** What a change of a record tells: which event, if any, and its text. */

type PublicRecord = Readonly<Record<string, unknown>>

/** A record before and after: null where there was none, or is none. */
export interface RecordChange {
  readonly id: string
  readonly before: PublicRecord | null
  readonly after: PublicRecord | null
  /** `after` as it is stored. */
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

/** Whether events tell of changes of a collection's records. */
export const tellsChanges = (collection: Collection): boolean =>
  collection === detections || entityObjects.has(collection)

/** What an event of a change is about (events contract, section 3); undefined for what no event tells of. */
export function changeObject(collection: Collection, record: PublicRecord | null): EventObject | undefined {
  if (collection === detections) return record?.detectionType as EventObject | undefined
  return entityObjects.get(collection)
}

/** A change of these alone is no event (events contract, section 2). */
const quietMembers: ReadonlySet<string> = new Set(['notes', 'lastUsedTimestamp', 'lastOnlineTimestamp'])

/** Whether an event tells that a record has changed: something that a reader can see, and that is not quiet. */
export function isTold(before: PublicRecord, after: PublicRecord): boolean {
  for (const [member, value] of Object.entries(after)) {
    if (quietMembers.has(member) || value === before[member]) continue
    if (JSON.stringify(value) !== JSON.stringify(before[member])) return true
  }
  return false
}

/** What became of a record; undefined if nothing that an event tells. */
export function changeTypeOf({ before, after }: RecordChange): ChangeType | undefined {
  if (before === null) return after === null ? undefined : 'CREATE'
  if (after === null) return 'DELETE'
  return isTold(before, after) ? 'UPDATE' : undefined
}

/** Two changes of one record, the one after the other, as one. */
export const oneChange = (first: RecordChange, then: RecordChange): RecordChange => ({
  ...then,
  before: first.before,
})

/** A change as its event is made of it. */
interface ToldChange {
  readonly id: string
  readonly timestamp: number
  readonly type: ChangeType
  readonly change: RecordChange
  /** The record before as it may be shown, if not as it was. */
  readonly old: unknown
  readonly people: People
}

/** Returns the text of the event of a change, as `composeEvent` would make it, with the stored text where that is shown. */
export function changeText(
  object: EventObject,
  { id, timestamp, type, change, old: before, people }: ToldChange,
): string {
  const next = shownIn(object, change.after, people)
  const old = shownIn(object, before as PublicRecord | null, people)
  const text = next === change.after ? (change.text ?? 'null') : JSON.stringify(next)
  // Extensions show no employee, but their sentence names them.
  const named = (record: PublicRecord | null) =>
    record && needsPeople(object) ? { ...record, employee: employeeOf(record, people) } : record
  const description = sentenceOf(object, { type, new: named(next), old: named(old) })
  return `{"version":"${eventVersion}","id":"${id}","timestamp":${timestamp},${headOf(object)},"description":${JSON.stringify(description)},"type":"${type}","new":${text},"old":${JSON.stringify(old)}}`
}

const employeeOf = ({ employeeId }: PublicRecord, people: People): DetectionEmployee | null =>
  people.get(String(employeeId)) ?? null

/** Returns a record as events show it, which differs from `/v1` for few. */
function shownIn(object: EventObject, record: PublicRecord | null, people: People): PublicRecord | null {
  if (record === null) return null
  if (object === 'ACCOUNT' && record.mfaMethods === null) return { ...record, mfaMethods: [] }
  return object === 'FINDING' ? { ...record, employee: employeeOf(record, people) } : record
}

const heads = new Map<EventObject, string>()

/** Returns the members that all events of an object share. */
function headOf(object: EventObject): string {
  const known = heads.get(object)
  if (known !== undefined) return known
  const { friendlyName, category } = eventDeclarationOf(object)
  const made = JSON.stringify({ object, friendlyName, category }).slice(1, -1)
  heads.set(object, made)
  return made
}
