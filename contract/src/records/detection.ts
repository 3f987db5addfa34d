import { type Static, Type } from 'typebox'
import { collection, exact, window } from '../api/collection.ts'
import { closed, flag, id, nullable, oneOf, text, timestamp, url } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { Employee } from './employee.ts'

export const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
export const detectionTypes = [
  'PHISHING',
  'STOLEN_CREDENTIALS',
  'BLOCKED_URL',
  'MALWARE_DELIVERY',
  'MALICIOUS_BROWSER_EXTENSION',
] as const
export const detectionResponses = [
  'MONITORED',
  'EMPLOYEE_WARNED',
  'EMPLOYEE_IGNORED_WARNING',
  'BLOCKED',
] as const
export const classifications = [
  'NOT_CLASSIFIED',
  'TRUE_POSITIVE',
  'BENIGN_TRUE_POSITIVE',
  'FALSE_POSITIVE',
] as const

const {
  groups: _groups,
  secondaryEmails: _secondaryEmails,
  mergedIntoId: _mergedIntoId,
  ...person
} = Employee.properties

/** Employee of a detection: the record without groups and merges. */
export const DetectionEmployee = closed(person, {
  $id: 'DetectionEmployee',
  description: 'Employee in whose browser it happened.',
})
export type DetectionEmployee = Static<typeof DetectionEmployee>

/** Returns the part of an employee that detections show. */
export function asDetectionEmployee(employee: Employee): DetectionEmployee {
  const {
    groups: _groups,
    secondaryEmails: _secondaryEmails,
    mergedIntoId: _mergedIntoId,
    ...shown
  } = employee
  return shown
}

const classification = oneOf(classifications, 'Classification by administrators.', 'NOT_CLASSIFIED')
const archived = flag('True if the detection is archived.', false)

export const Detection = closed(
  {
    id: id('Unique identifier of the detection.'),
    employeeId: id('Employee in whose browser it happened.'),
    employee: DetectionEmployee,
    browserId: nullable(id('The browser it happened in; null if that is gone.')),
    severity: oneOf(severities, 'Severity of the detection.', 'HIGH'),
    detectionType: oneOf(detectionTypes, 'Type of the detection.', 'PHISHING'),
    response: oneOf(detectionResponses, 'Response of the browser or of the employee.', 'BLOCKED'),
    classification,
    archived,
    appId: nullable(id('The app it is about; null if none.')),
    appType: nullable(text('App type in the catalog; null if none.', 'ZAPIER', 64, 1)),
    url: nullable(url('URL of the page; null if unknown.', 'https://login.example.net/')),
    referrerUrl: nullable(url('Referrer URL; null if unknown.', 'https://mail.example.com/')),
    sourceIpAddress: nullable(text('The IP address of the browser; null if unknown.', '203.0.113.7', 64)),
    userAgent: nullable(
      text(
        'User agent of the browser; null if unknown.',
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
        8192,
      ),
    ),
    detectionLink: url(
      'URL of the detection in the console.',
      'https://muster.example.com/console/detections/01937b5e',
    ),
    creationTimestamp: timestamp('Time when it was first seen; UNIX seconds.'),
    lastActivityTimestamp: timestamp('Time when it was last seen; UNIX seconds.'),
  },
  { $id: 'Detection', description: 'An attack or a dangerous action that was observed in a browser.' },
)
export type Detection = Static<typeof Detection>

export const detections = collection({
  name: 'detections',
  record: Detection,
  filters: {
    detectionType: exact('detectionType'),
    severity: exact('severity'),
    response: exact('response'),
    classification: exact('classification'),
    archived: exact('archived'),
    employeeId: exact('employeeId'),
    browserId: exact('browserId'),
    ...window('creationTimestamp'),
    ...window('lastActivityTimestamp'),
  },
})

export const DetectionUpdate = closed(
  { archived: Type.Optional(archived), classification: Type.Optional(classification) },
  { $id: 'DetectionUpdate', description: 'Members to change; at least one.', minProperties: 1 },
)
export type DetectionUpdate = Static<typeof DetectionUpdate>

export const detectionOperations = {
  listDetections: operation({
    kind: 'list',
    collection: detections,
    path: '/v1/detections',
    summary: 'Retrieve a list of detection objects',
  }),
  getDetection: operation({
    kind: 'get',
    collection: detections,
    path: '/v1/detections/:id',
    summary: 'Retrieve a detection',
  }),
  updateDetection: operation({
    kind: 'action',
    method: 'PATCH',
    path: '/v1/detections/:id',
    summary: 'Update a detection',
    description: 'Changes the given members and returns the detection.',
    tag: 'detections',
    body: DetectionUpdate,
    response: Detection,
    errors: ['not_found'],
  }),
}
