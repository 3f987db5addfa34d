import type { Static } from 'typebox'
import { collection, exact, type Filter, has, window } from '../../api/collection.ts'
import { closed, count, id, listOf, nullable, oneOf, text, timestamp } from '../../api/fields.ts'
import { detectionTypes, severities } from '../../records/detection.ts'

/** Kinds of incidents: one employee, or a site that many employees came to. */
const incidentKinds = ['ONE_PERSON', 'MANY_PEOPLE'] as const
export const incidentStatuses = ['OPEN', 'CLOSED'] as const

/** Maximum length of a host name. */
const siteLengthMaximum = 256

/** Detections that belong together. */
export const Incident = closed(
  {
    id: id('Unique identifier of the incident. The ID of each of its detections finds it, too.'),
    kind: oneOf(incidentKinds, 'One employee, or a site that many employees came to.', 'MANY_PEOPLE'),
    status: oneOf(incidentStatuses, 'OPEN while a detection is not archived.', 'OPEN'),
    severity: oneOf(severities, 'Highest severity of its detections.', 'CRITICAL'),
    detectionTypes: listOf(
      oneOf(detectionTypes, 'Type of detections.', 'PHISHING'),
      'Types of its detections.',
      ['PHISHING'],
      detectionTypes.length,
    ),
    site: nullable(
      text(
        'Registrable domain of the pages; null if its detections have no page.',
        'example.net',
        siteLengthMaximum,
      ),
    ),
    employeeId: nullable(id('The employee of an incident of one person; null otherwise.')),
    people: count('Number of employees.', 5),
    detections: count('Number of detections.', 7),
    openDetections: count('Number of detections that are not archived.', 4),
    creationTimestamp: timestamp('Time when its first detection was first seen; UNIX seconds.'),
    lastActivityTimestamp: timestamp('Time when a detection was last seen; UNIX seconds.'),
  },
  { $id: 'Incident', description: 'Detections that belong together.' },
)
export type Incident = Static<typeof Incident>

const atLeast = <const M extends string>(member: M, description: string): Filter<'after', M> => ({
  kind: 'after',
  member,
  description,
})

/** Not a resource of `/v1`; derived from the detections. */
export const incidents = collection({
  name: 'incidents',
  record: Incident,
  filters: {
    status: exact('status', 'Filter by status.'),
    kind: exact('kind', 'Filter by kind: one employee, or many.'),
    severity: exact('severity', 'Filter by the highest severity of the detections.'),
    detectionType: has('detectionTypes', 'Only incidents with a detection of this type.'),
    site: exact('site', 'Filter by the site: the registrable domain of the pages.'),
    employeeId: exact('employeeId', 'Only incidents of one person: this employee.'),
    peopleAtLeast: atLeast('people', 'Minimum number of employees.'),
    detectionsAtLeast: atLeast('detections', 'Minimum number of detections.'),
    openDetectionsAtLeast: atLeast('openDetections', 'Minimum number of open detections.'),
    ...window('creationTimestamp'),
    ...window('lastActivityTimestamp'),
  },
})

/** Maximum length of a title: words, a name and a site. */
const titleLengthMaximum = 1024

/** Members that the list of incidents has in addition. */
export const IncidentAdditions = closed(
  {
    title: text('Title in words.', 'Phishing on example.net: 5 people', titleLengthMaximum),
    assignees: count('Number of administrators who work on its open detections.', 1),
    assigneeId: nullable(
      id('The administrator who works on its open detections; null if nobody or several.'),
    ),
    assigneeName: nullable(
      text('Name of that administrator, or the e-mail address without a name.', 'Ada Byron', 254),
    ),
  },
  { $id: 'IncidentAdditions', description: 'Title of an incident, and the work on it.' },
)
export type IncidentAdditions = Static<typeof IncidentAdditions>
export type ListedIncident = Incident & IncidentAdditions
