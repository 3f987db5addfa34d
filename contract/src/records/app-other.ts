import type { Static } from 'typebox'
import { collection, contains, exact, window } from '../api/collection.ts'
import { closed, flag, id, oneOf, text, timestamp } from '../api/fields.ts'
import { operation } from '../api/operation.ts'

export const requestSupportStatuses = ['DISCOVERED', 'REQUESTED'] as const

export const AppOther = closed(
  {
    id: id('Unique identifier of the app (other).'),
    domain: text('Host name of the app.', 'intranet.example.com', 253, 1),
    requestSupportStatus: oneOf(
      requestSupportStatuses,
      'Status of the request to add the app to the catalog.',
      'DISCOVERED',
    ),
    hidden: flag('True if the app is left out of the overviews of the console.', false),
    creationTimestamp: timestamp('Time when the app was first seen; UNIX seconds.'),
  },
  { $id: 'AppOther', description: 'An app outside the catalog, known by its domain.' },
)
export type AppOther = Static<typeof AppOther>

export const appsOther = collection({
  name: 'appsOther',
  record: AppOther,
  filters: {
    domain: contains('domain'),
    requestSupportStatus: exact('requestSupportStatus'),
    hidden: exact('hidden'),
    ...window('creationTimestamp'),
  },
})

export const appOtherOperations = {
  listAppsOther: operation({
    kind: 'list',
    collection: appsOther,
    path: '/v1/appsOther',
    summary: 'List apps (other)',
  }),
  getAppOther: operation({
    kind: 'get',
    collection: appsOther,
    path: '/v1/appsOther/:id',
    summary: 'Retrieve an app (other) record',
  }),
}
