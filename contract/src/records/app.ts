import { type Static, Type } from 'typebox'
import { allWithoutCase, collection, exact, window } from '../api/collection.ts'
import {
  closed,
  exact as exactLine,
  id,
  line,
  lines,
  listOf,
  lookup,
  nullable,
  oneOf,
  timestamp,
  typedName,
  urlLengthMaximum,
} from '../api/fields.ts'
import { operation } from '../api/operation.ts'

export const approvalStatuses = ['UNDER_REVIEW', 'APPROVED', 'NOT_APPROVED'] as const
export const sensitivityLevels = ['HIGH', 'MEDIUM', 'LOW'] as const

/** Maximum number and length of labels of an app (REST contract, App). */
export const labelsMaximum = 50
export const labelLengthMaximum = 64

const approvalStatus = nullable(
  oneOf(approvalStatuses, 'Decision of the organization about the app; null if not decided.', 'APPROVED'),
)
const sensitivityLevel = nullable(
  oneOf(sensitivityLevels, 'Sensitivity of the data in the app; null if not rated.', 'HIGH'),
)
const ownerId = nullable(id('ID of the employee who is responsible for the app; null if nobody is.'))
const notes = lines('Notes of the administrators; may be empty.', 'Contract ends in March.', 10_000)

export const App = closed(
  {
    id: id('Unique identifier of the app.'),
    type: line('App type in the catalog.', 'ZAPIER', 64, 1),
    approvalStatus,
    sensitivityLevel,
    ownerId,
    notes,
    website: exactLine('The web site of the app.', 'https://zapier.com', urlLengthMaximum),
    description: lines('Description of the app.', 'Connects apps and automates workflows.', 10_000),
    friendlyName: line('Display name of the app.', 'Zapier', 256),
    labels: listOf(
      typedName('A label.', 'GenAI', labelLengthMaximum),
      'Labels of the app, with the case of their first use.',
      ['GenAI'],
      labelsMaximum,
    ),
    creationTimestamp: timestamp('Time when the app was first seen; UNIX seconds.'),
  },
  { $id: 'App', description: 'An app of the catalog that is used in the organization.' },
)
export type App = Static<typeof App>

export const apps = collection({
  name: 'apps',
  record: App,
  filters: {
    type: exact('type'),
    approvalStatus: exact('approvalStatus'),
    sensitivityLevel: exact('sensitivityLevel'),
    ownerId: exact('ownerId'),
    labels: allWithoutCase('labels'),
    ...window('creationTimestamp'),
  },
})

export const AppUpdate = closed(
  {
    approvalStatus: Type.Optional(approvalStatus),
    sensitivityLevel: Type.Optional(sensitivityLevel),
    ownerId: Type.Optional(ownerId),
    notes: Type.Optional(nullable(notes)),
  },
  {
    $id: 'AppUpdate',
    description: 'Members to change; at least one. Null clears a member; `notes` becomes empty.',
    minProperties: 1,
  },
)
export type AppUpdate = Static<typeof AppUpdate>

export const LabelBody = closed(
  {
    label: typedName(
      'The label. Case and surrounding whitespace are ignored in comparisons.',
      'GenAI',
      labelLengthMaximum,
    ),
  },
  { $id: 'LabelBody', description: 'A label.' },
)
export type LabelBody = Static<typeof LabelBody>

const LabelRemoval = closed(
  {
    label: lookup(
      'The label. Case and surrounding whitespace are ignored in comparisons.',
      'GenAI',
      labelLengthMaximum,
      1,
    ),
  },
  { $id: 'LabelRemoval', description: 'A label to remove.' },
)

export const appOperations = {
  listApps: operation({ kind: 'list', collection: apps, path: '/v1/apps', summary: 'List apps' }),
  getApp: operation({ kind: 'get', collection: apps, path: '/v1/apps/:id', summary: 'Retrieve an app' }),
  updateApp: operation({
    kind: 'action',
    method: 'PATCH',
    path: '/v1/apps/:id',
    summary: 'Update an app',
    description: 'Changes the given members and returns the app. `ownerId` must be an employee.',
    tag: 'apps',
    body: AppUpdate,
    response: App,
    errors: ['not_found'],
  }),
  addAppLabel: operation({
    kind: 'action',
    method: 'POST',
    path: '/v1/apps/:id/labels',
    summary: 'Add a label to an app',
    description: 'Returns the app. A label that exists already, in any case, is not changed.',
    tag: 'apps',
    body: LabelBody,
    response: App,
    errors: ['not_found'],
  }),
  deleteAppLabel: operation({
    kind: 'action',
    method: 'DELETE',
    path: '/v1/apps/:id/labels',
    summary: 'Delete a label from an app',
    description: 'Returns the app. 404 if the app does not have the label.',
    tag: 'apps',
    body: LabelRemoval,
    valueInQuery: 'label',
    response: App,
    errors: ['not_found'],
  }),
}
