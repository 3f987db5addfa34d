import { accounts } from '@muster/contract/account'
import { accountsOther } from '@muster/contract/account-other'
import { apps } from '@muster/contract/app'
import { appsOther } from '@muster/contract/app-other'
import { browsers } from '@muster/contract/browser'
import { browserExtensions } from '@muster/contract/browser-extension'
import type { Collection } from '@muster/contract/collection'
import { detections } from '@muster/contract/detection'
import { employees } from '@muster/contract/employee'
import { type ChangeType, eventVersion } from '@muster/contract/event-envelope'
import { type EventObject, eventDeclarationOf } from '@muster/contract/event-objects'
import { findings } from '@muster/contract/finding'

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

/**
 * The text of the event of a change, as `composeEvent` would make it: the records are spliced in as they are stored.
 *
 * @param next the record now, as JSON
 * @param old the record before, as JSON
 */
export const changeText = (
  object: EventObject,
  type: ChangeType,
  { id, timestamp }: { id: string; timestamp: number },
  next: string,
  old: string,
): string =>
  `{"version":"${eventVersion}","id":"${id}","timestamp":${timestamp},${headOf(object, type)},"new":${next},"old":${old}}`

const heads = new Map<EventObject, Partial<Record<ChangeType, string>>>()

/** What is the same in all events of an object and a type. */
function headOf(object: EventObject, type: ChangeType): string {
  const ofObject = heads.get(object) ?? {}
  heads.set(object, ofObject)
  const known = ofObject[type]
  if (known !== undefined) return known
  const { friendlyName, category, descriptions } = eventDeclarationOf(object)
  const head = { object, friendlyName, category, description: descriptions[type], type }
  const made = JSON.stringify(head).slice(1, -1)
  ofObject[type] = made
  return made
}
