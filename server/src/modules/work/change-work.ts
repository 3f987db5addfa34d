import { ApiError, notFound } from '@muster/contract/api/errors'
import { consoleLists } from '@muster/contract/console/console-lists'
import type { Work, WorkChange } from '@muster/contract/console/work/console-work'
import {
  notesMaximum,
  shownEntriesMaximum,
  type WorkList,
  workLists,
} from '@muster/contract/console/work/work-fields'
import type { Finding } from '@muster/contract/records/finding'
import { type AuditedChange, added } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { getRecordsByIds, readRecordText } from '../../kernel/store/records.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import type { AdministratorRow } from '../administrators/administrators.service.ts'
import type { auditContext } from '../console/audit-context.ts'
import { type ChangedWork, changedWork, historyOf, type NamedChange, noWork } from './work.rules.ts'
import {
  addWorkEntries,
  countNotes,
  readAssigneeName,
  readWorkEntries,
  readWorkState,
  readWorkStates,
  writeWork,
} from './work.store.ts'
import { findingWork } from './work-lists.service.ts'

/** Administrator who changes something, and the context of the audit events. */
export interface WorkBy {
  readonly administrator: Pick<AdministratorRow, 'org' | 'name' | 'email'>
  readonly audit: ReturnType<typeof auditContext>
}

/** Returns the author of history entries. */
export const authorOf = ({ administrator: { name, email }, audit }: WorkBy) => ({
  name: name || email,
  timestamp: audit.timestamp,
})

interface FoundRecord {
  readonly list: WorkList
  /** State of a finding; undefined for a detection. */
  readonly state: Finding['state'] | undefined
}

/** @throws ApiError not_found */
async function findRecord(db: Reader, org: number, id: string): Promise<FoundRecord> {
  for (const list of workLists) {
    const text = await readRecordText(db, consoleLists[list].collection, org, id)
    if (text !== undefined) return { list, state: (JSON.parse(text) as Partial<Finding>).state }
  }
  throw notFound()
}

/**
 * Returns the work on a finding or a detection.
 *
 * @throws ApiError not_found
 */
export async function readWork(db: Reader, org: number, id: string, nowSeconds: number): Promise<Work> {
  const { list, state } = await findRecord(db, org, id)
  const work = findingWork(state ?? 'OPEN', await readWorkState(db, org, id), nowSeconds)
  const history = historyOf(await readWorkEntries(db, org, id, shownEntriesMaximum), nowSeconds)
  return {
    ...work,
    workStatus: list === 'findings' ? work.workStatus : null,
    entries: history.slice(0, shownEntriesMaximum),
  }
}

/**
 * Adds a note to a finding or a detection. The text is not in the audit trail, because it can be erased.
 *
 * @throws ApiError not_found, or conflict if there are too many
 */
export async function addNote(db: Db, by: WorkBy, id: string, text: string): Promise<Work> {
  const { org } = by.administrator
  const { list } = await findRecord(db, org, id)
  await db.inTransaction(async (tx) => {
    const noted = await addNotes(tx, by, list, [id], text)
    if (noted.length > 0) return
    await findRecord(tx, org, id)
    throw new ApiError('conflict', `There are ${notesMaximum} notes, which is the maximum.`)
  })
  return readWork(db, org, id, by.audit.timestamp)
}

/**
 * Adds a note to each of several records. Those that have the maximum are left out.
 *
 * @returns the IDs of the records that got the note
 */
export async function addNotes(
  tx: Tx,
  by: WorkBy,
  list: WorkList,
  ids: readonly string[],
  text: string,
): Promise<string[]> {
  const { org } = by.administrator
  const locked = await getRecordsByIds(tx, consoleLists[list].collection, org, ids.toSorted())
  const counts = await countNotes(tx, org, ids)
  const noted = locked.map(({ id }) => id).filter((id) => (counts.get(id) ?? 0) < notesMaximum)
  if (noted.length === 0) return []
  const note = { kind: 'NOTE', from: null, to: null, untilTimestamp: null, text: text.trim() } as const
  await addWorkEntries(tx, org, new Map(noted.map((id) => [id, [note]])), authorOf(by))
  const [only] = noted.length === 1 ? noted : []
  const what =
    only === undefined
      ? `A note was added to ${noted.length} ${list}`
      : `A note was added to the ${nounOf[list]} ${only}`
  await recordWork(tx, by, list, [added('note', only ?? noted)], what)
  return noted
}

const nounOf = { findings: 'finding', detections: 'detection' } as const

/**
 * Changes the work on records. A history entry of each record tells what changed.
 *
 * @returns the IDs of the changed records
 * @throws ApiError invalid_request if there is no such administrator
 */
export async function changeWork(
  tx: Tx,
  by: WorkBy,
  list: WorkList,
  ids: readonly string[],
  change: NamedChange,
): Promise<string[]> {
  const { org } = by.administrator
  const { timestamp } = by.audit
  // Locked in the order of their keys, as elsewhere.
  const records = await getRecordsByIds(tx, consoleLists[list].collection, org, ids.toSorted())
  const states = await readWorkStates(tx, org, ids)
  const changes = new Map<string, ChangedWork>()
  for (const { id, record } of records) {
    const { state } = record as Partial<Finding>
    const changed = changedWork(state, states.get(id) ?? noWork, change, timestamp)
    if (changed) changes.set(id, changed)
  }
  if (changes.size === 0) return []
  await writeWork(tx, org, changes, authorOf(by))
  const changed = [...changes.keys()]
  await recordWork(tx, by, list, auditedWork(change, changed), whatOf(list, change, changes.size))
  return changed
}

/** Returns a change with the name of the new assignee; undefined if there is no such administrator. */
export async function namedChange(
  db: Reader,
  org: number,
  change: WorkChange,
): Promise<NamedChange | undefined> {
  const { assigneeId = null } = change
  if (assigneeId === null) return { ...change, assigneeName: null }
  const assigneeName = await readAssigneeName(db, org, assigneeId)
  return assigneeName === undefined ? undefined : { ...change, assigneeName }
}

/** Returns the audited changes. Reasons are left out, because they can be erased. */
const auditedWork = (change: NamedChange, ids: readonly string[]): AuditedChange[] => [
  ...(change.assigneeId === undefined ? [] : [added('assignee', change.assigneeName)]),
  ...(change.status === undefined ? [] : [added('workStatus', change.status)]),
  ...(change.untilTimestamp === undefined ? [] : [added('untilTimestamp', change.untilTimestamp)]),
  added('records', ids),
]

const statusWords = {
  TO_DO: 'set to do',
  SNOOZED: 'snoozed',
  RISK_ACCEPTED: 'accepted as a risk',
} as const

function whatOf(list: WorkList, { assigneeId, assigneeName, status }: NamedChange, count: number): string {
  const words = [
    ...(status === undefined ? [] : [statusWords[status]]),
    ...(assigneeId === undefined
      ? []
      : [assigneeName === null ? 'assigned to nobody' : `assigned to ${assigneeName}`]),
  ]
  const subject = count === 1 ? `1 ${nounOf[list]} was` : `${count} ${list} were`
  return `${subject} ${words.join(' and ')}`
}

/** Records a change of the work. The events contract has no object for it. */
const recordWork = (
  tx: Tx,
  { administrator: { org }, audit }: WorkBy,
  list: WorkList,
  changes: AuditedChange[],
  what: string,
): Promise<void> =>
  recordAudit(tx, org, 'SETTING_UPDATED', { ...audit, new: { setting: list, changes }, what })
