import { type Static, Type } from 'typebox'
import {
  closed,
  count,
  exact,
  flag,
  id,
  lines,
  listOf,
  nullable,
  oneOf,
  text,
  timestamp,
} from '../../api/fields.ts'
import { classifications } from '../../records/detection.ts'
import { consoleOperation } from '../console-operation.ts'
import { noteLengthMaximum, workBatchMaximum } from '../work/work-fields.ts'
import { Incident, IncidentAdditions } from './incident.ts'

/** Maximum number of detections that the timeline of an incident shows: the latest. */
export const shownDetectionsMaximum = 200

/** Maximum number of employees on the page of an incident. */
export const shownPeopleMaximum = 200
/** Maximum number of entries of a timeline. */
export const timelineMaximum = 500

const incidentEntryKinds = ['DETECTION', 'FINDING', 'ASSIGNEE', 'NOTE'] as const

const nameLengthMaximum = 1024

const IncidentEntry = closed(
  {
    kind: oneOf(
      incidentEntryKinds,
      'DETECTION: a detection was first seen. FINDING: a finding opened in an app that a detection is about. ASSIGNEE: somebody else works on detections. NOTE: a note on detections.',
      'DETECTION',
    ),
    timestamp: timestamp('Time of the entry.'),
    id: nullable(id('The detection or the finding; null otherwise.')),
    type: nullable(text('Type of the detection or the finding; null otherwise.', 'PHISHING', 64)),
    severity: nullable(text('Severity of the detection; null otherwise.', 'HIGH', 16)),
    state: nullable(
      text('OPEN or ARCHIVED for a detection, OPEN or RESOLVED for a finding; null otherwise.', 'OPEN', 16),
    ),
    response: nullable(text('Response to the attack; null otherwise.', 'BLOCKED', 64)),
    employeeId: nullable(id('The employee whom it concerns; null for the work of administrators.')),
    employeeName: nullable(
      text('Name of that employee; null if there is none.', 'Ada Byron', nameLengthMaximum),
    ),
    author: nullable(text('Name of the administrator; null otherwise.', 'Robin Keller', 254)),
    to: nullable(text('Name of the new assignee; null if none.', 'Robin Keller', 254)),
    text: nullable(
      text('Text of the note; null otherwise, and if it was erased.', 'Called her.', noteLengthMaximum),
    ),
    detections: count('Number of detections that a note or an assignment is about; 1 otherwise.', 3),
  },
  { $id: 'IncidentEntry', description: 'An entry of the timeline of an incident.' },
)
export type IncidentEntry = Static<typeof IncidentEntry>

const IncidentDetail = closed(
  {
    incident: closed(
      { ...Incident.properties, ...IncidentAdditions.properties },
      { description: 'The incident.' },
    ),
    people: listOf(
      closed(
        {
          id: id('The employee.'),
          name: text('Name, or the e-mail address without one.', 'Ada Byron', nameLengthMaximum),
          detections: count('Number of detections in the incident.', 2),
        },
        { description: 'An employee.' },
      ),
      'Employees, those with most detections first.',
      [],
      shownPeopleMaximum,
    ),
    entries: listOf(IncidentEntry, 'The timeline, newest first.', [], timelineMaximum),
    shownDetections: count('Number of detections in the timeline: the latest.', 7),
  },
  { $id: 'IncidentDetail', description: 'An incident with its timeline.' },
)
export type IncidentDetail = Static<typeof IncidentDetail>

/** Operations on incidents. Their list is in `console-lists.ts`. */
export const incidentOperations = {
  readIncident: consoleOperation({
    method: 'GET',
    path: '/console/api/incidents/:id',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read an incident with its timeline, by its ID or the ID of one of its detections.',
    response: IncidentDetail,
  }),
  changeIncident: consoleOperation({
    method: 'POST',
    path: '/console/api/incidents/:id/detections',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary:
      'Assign, classify, archive or comment the detections of an incident: the next ones after a cursor.',
    body: closed(
      {
        assigneeId: Type.Optional(
          nullable(id('The administrator who works on them from now on; null: nobody.')),
        ),
        classification: Type.Optional(oneOf(classifications, 'New classification.', 'TRUE_POSITIVE')),
        archived: Type.Optional(flag('True to archive them, false to open them again.')),
        note: Type.Optional(lines('A note to add to each.', 'Called all of them.', noteLengthMaximum, 1)),
        cursor: Type.Optional(exact('Cursor of the previous answer.', 'WzEwMF0', 1024, 1)),
      },
      { description: 'What to change; at least one.', minProperties: 1 },
    ),
    response: closed(
      {
        found: count('Number of detections that were looked at.', workBatchMaximum),
        changed: count('Number of detections that were changed.', 240),
        cursor: nullable(exact('Cursor of the next request; null at the end.', 'WzEwMF0', 1024)),
      },
      { description: 'The outcome.' },
    ),
  }),
} as const
export type IncidentChange = Omit<
  Static<NonNullable<(typeof incidentOperations)['changeIncident']['body']>>,
  'cursor'
>
