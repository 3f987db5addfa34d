import { type Static, Type } from 'typebox'
import { closed, count, exact, id, lines, listOf, nullable, oneOf, timestamp } from '../../api/fields.ts'
import { consoleOperation } from '../console-operation.ts'
import {
  FindingWork,
  noteLengthMaximum,
  pauseStatuses,
  shownEntriesMaximum,
  WorkEntry,
  workBatchMaximum,
  workLists,
} from './work-fields.ts'

const { workStatus, ...others } = FindingWork.properties

const Work = closed(
  {
    workStatus: nullable(workStatus),
    ...others,
    entries: listOf(WorkEntry, 'The history, newest first.', [], shownEntriesMaximum),
  },
  {
    $id: 'Work',
    description:
      'Work on a finding or a detection. The work status of a detection is null: it is archived instead.',
  },
)
export type Work = Static<typeof Work>

const change = {
  assigneeId: Type.Optional(nullable(id('The administrator who works on it from now on; null: nobody.'))),
  status: Type.Optional(
    oneOf(['TO_DO', ...pauseStatuses] as const, 'New work status. Findings only.', 'SNOOZED'),
  ),
  untilTimestamp: Type.Optional(
    timestamp('Time when the status ends; required by SNOOZED and RISK_ACCEPTED.', 1_795_248_000),
  ),
  reason: Type.Optional(
    lines(
      'Reason; required by RISK_ACCEPTED.',
      'The app has no second factor. It is replaced in March.',
      noteLengthMaximum,
    ),
  ),
}

const list = oneOf(workLists, 'The list that the records are in.', 'findings')
const query = exact('Filters and search as in the URL of the list.', 'type=WEAK_PASSWORD', 4096)

const WorkChange = closed(change, { description: 'The members to change.', minProperties: 1 })
export type WorkChange = Static<typeof WorkChange>

/** Operations on the work on findings and detections. */
export const workOperations = {
  readWork: consoleOperation({
    method: 'GET',
    path: '/console/api/work/:id',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the work on a finding or a detection.',
    response: Work,
  }),
  addNote: consoleOperation({
    method: 'POST',
    path: '/console/api/work/:id/notes',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Add a note to a finding or a detection.',
    body: closed(
      { text: lines('The note.', 'She is on vacation until Monday.', noteLengthMaximum, 1) },
      { description: 'The note.' },
    ),
    response: Work,
  }),
  changeWork: consoleOperation({
    method: 'POST',
    path: '/console/api/work',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary:
      'Assign, snooze or accept findings, or assign detections: those with the given IDs, or the next ones that match filters. Resolved findings keep their status.',
    body: closed(
      {
        list,
        ids: Type.Optional(
          listOf(id('A record.'), 'The records; or `query`.', [], workBatchMaximum, { minItems: 1 }),
        ),
        query: Type.Optional(query),
        cursor: Type.Optional(exact('Cursor of the previous answer; with `query` only.', 'WzEwMF0', 1024, 1)),
        change: WorkChange,
      },
      { description: 'The records and the change.' },
    ),
    response: closed(
      {
        found: count('Number of records that were looked at.', 250),
        changed: count('Number of changed records.', 240),
        cursor: nullable(
          exact(
            'Cursor of the next request; null at the end. A request can change nothing.',
            'WzEwMF0',
            1024,
          ),
        ),
      },
      { description: 'The outcome.' },
    ),
  }),
  countWork: consoleOperation({
    method: 'POST',
    path: '/console/api/work/count',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Count all records that match filters.',
    body: closed({ list, query }, { description: 'The filters.' }),
    response: closed({ count: count('Number of records.', 1200) }, { description: 'The number.' }),
  }),
} as const
