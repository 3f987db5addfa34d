import { invalidRequest, notFound } from '@muster/contract/api/errors'
import type { IncidentChange } from '@muster/contract/console/incidents/console-incidents'
import { workBatchMaximum } from '@muster/contract/console/work/work-fields'
import { storable } from '../../kernel/lib/text.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { updateDetections } from '../detections/update-detections.service.ts'
import { addNotes, changeWork, namedChange, type WorkBy } from '../work/change-work.ts'
import { type MemberPosition, membersAfter } from './incident-members.store.ts'
import { findIncidentId } from './read-incident.ts'

/** Outcome of the change of some detections of an incident. */
interface ChangedPart {
  readonly found: number
  readonly changed: number
  readonly cursor: string | null
}

/**
 * Changes the next detections of an incident in one transaction: assignee, classification, archive and a note.
 *
 * @param after position of the last detection that was changed before
 * @throws ApiError not_found, or invalid_request if there is no such administrator
 */
export async function changeIncident(
  db: Db,
  by: WorkBy,
  anyId: string,
  { assigneeId, note, ...update }: IncidentChange,
  after: MemberPosition,
): Promise<ChangedPart> {
  const { org } = by.administrator
  const id = await findIncidentId(db, org, anyId)
  if (id === undefined) throw notFound()
  const named = assigneeId === undefined ? undefined : await namedChange(db, org, { assigneeId })
  if (assigneeId !== undefined && !named)
    throw invalidRequest([
      { in: 'body', name: 'assigneeId', message: 'must be the ID of an administrator, or null' },
    ])
  const text = note?.trim()
  if (text === '') throw invalidRequest([{ in: 'body', name: 'note', message: 'must not be empty' }])
  const members = await membersAfter(db, org, id, after, workBatchMaximum)
  const last = members.at(-1)
  if (!last) return { found: 0, changed: 0, cursor: null }
  const ids = members.map(({ detectionId }) => detectionId)
  const changed = new Set<string>()
  await db.inTransaction(async (tx) => {
    const done = [
      Object.keys(update).length > 0 ? await updateDetections(tx, org, ids, update, by.audit) : [],
      named ? await changeWork(tx, by, 'detections', ids, named) : [],
      text === undefined ? [] : await addNotes(tx, by, 'detections', ids, text),
    ]
    for (const one of done.flat()) changed.add(one)
  })
  return {
    found: ids.length,
    changed: changed.size,
    cursor: members.length < workBatchMaximum ? null : writePosition(last),
  }
}

/** Returns a position as text. */
const writePosition = ({ firstTimestamp, detectionId }: MemberPosition): string =>
  Buffer.from(JSON.stringify([firstTimestamp, detectionId])).toString('base64url')

/**
 * Reads a position. Without one, that before the first detection.
 *
 * @throws ApiError invalid_request
 */
export function readPosition(cursor: string | undefined): MemberPosition {
  if (cursor === undefined) return { firstTimestamp: -1, detectionId: '' }
  try {
    const [firstTimestamp, detectionId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (Number.isSafeInteger(firstTimestamp) && typeof detectionId === 'string' && storable(detectionId))
      return { firstTimestamp: Number(firstTimestamp), detectionId }
  } catch {
    // Not a cursor.
  }
  const message = 'must be the cursor of the previous answer; leave it out to start over'
  throw invalidRequest([{ in: 'body', name: 'cursor', message }])
}
