import type { Static } from 'typebox'
import { closed, id, nullable, oneOf, text, timestamp } from '../../api/fields.ts'

/** Records that administrators work on. */
export const workLists = ['findings', 'detections'] as const
export type WorkList = (typeof workLists)[number]

/** Work statuses that a finding has until a time. Then it is to do again. */
export const pauseStatuses = ['SNOOZED', 'RISK_ACCEPTED'] as const
export type PauseStatus = (typeof pauseStatuses)[number]

/** Work statuses of a finding. */
export const workStatuses = ['TO_DO', ...pauseStatuses, 'RESOLVED'] as const
export type WorkStatus = (typeof workStatuses)[number]

/** Values of the filter `assignee` beside IDs of administrators: the caller, and nobody. */
export const assigneeMe = 'ME'
export const assigneeNobody = 'NOBODY'

/** Maximum length of a name or an address of an administrator. */
const nameLengthMaximum = 254

const assignee = {
  assigneeId: nullable(id('The administrator who works on it; null if nobody.')),
  assigneeName: nullable(
    text('Name of that administrator, or the e-mail address without a name.', 'Ada Byron', nameLengthMaximum),
  ),
}

/** Members that the list of detections has in addition to those of `/v1`. */
export const DetectionWork = closed(assignee, {
  $id: 'DetectionWork',
  description: 'Work on a detection.',
})
export type DetectionWork = Static<typeof DetectionWork>

/** Members that the list of findings has in addition to those of `/v1`. */
export const FindingWork = closed(
  {
    workStatus: oneOf(
      workStatuses,
      'Work status. SNOOZED and RISK_ACCEPTED end by themselves, and when the finding is resolved or reopens.',
      'TO_DO',
    ),
    pausedUntilTimestamp: nullable(
      timestamp('Time until which it is snoozed or its risk is accepted; UNIX seconds; null otherwise.'),
    ),
    ...assignee,
  },
  { $id: 'FindingWork', description: 'Work on a finding.' },
)
export type FindingWork = Static<typeof FindingWork>

export const workEntryKinds = ['STATE', 'STATUS', 'ASSIGNEE', 'NOTE', 'ASKED'] as const

/** Maximum length of a note or a reason, in characters. */
export const noteLengthMaximum = 2000

/** An entry of the history of a finding or a detection. */
export const WorkEntry = closed(
  {
    kind: oneOf(
      workEntryKinds,
      'STATE: it was resolved or opened. STATUS: the work status changed. ASSIGNEE: somebody else works on it. NOTE: a note. ASKED: the employee was asked by e-mail.',
      'NOTE',
    ),
    timestamp: timestamp('Time of the entry.'),
    author: nullable(
      text(
        'Name of the administrator at that time; null if it happened by itself.',
        'Ada Byron',
        nameLengthMaximum,
      ),
    ),
    from: nullable(text('Value before the change; null if none.', 'TO_DO', nameLengthMaximum)),
    to: nullable(text('Value after the change; null if none.', 'SNOOZED', nameLengthMaximum)),
    untilTimestamp: nullable(timestamp('Time when the status ends by itself; null if it does not.')),
    text: nullable(
      text(
        'The note or the reason; null if there is none, or if it was erased.',
        'On vacation',
        noteLengthMaximum,
      ),
    ),
  },
  { $id: 'WorkEntry', description: 'An entry of the history of a finding or a detection.' },
)
export type WorkEntry = Static<typeof WorkEntry>

/** Maximum number of findings in one request of a change. */
export const workBatchMaximum = 250
/** Maximum number of notes on a record, and of entries that its history shows. */
export const notesMaximum = 200
export const shownEntriesMaximum = 500
/** Maximum time until which a finding can be snoozed or its risk accepted, in seconds from now: 3 years. */
export const pauseSecondsMaximum = 3 * 366 * 86_400
