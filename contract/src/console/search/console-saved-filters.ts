import { type Static, Type } from 'typebox'
import {
  closed,
  exact,
  flag,
  id,
  listOf,
  nullable,
  oneOf,
  text,
  timestamp,
  typedName,
} from '../../api/fields.ts'
import { Done } from '../console-fields.ts'
import { type ConsoleListName, consoleLists } from '../console-lists.ts'
import { consoleOperation } from '../console-operation.ts'

/** Maximum number of saved filters per administrator. */
export const savedFiltersMaximum = 100

/** Maximum number of saved filters that an organization shares. */
export const sharedFiltersMaximum = 200

const listName = oneOf(
  Object.keys(consoleLists) as ConsoleListName[],
  'The list that it is a filter of.',
  'accounts',
)
const query = exact(
  'Filters, search and sort order as in the URL.',
  'sort=-lastUsedTimestamp&mfaRegistered=false',
  4096,
)
const shared = flag('True if all administrators of the organization see it.', false)
const name = typedName('Name of the filter.', 'Without a second step', 64)

const SavedFilter = closed(
  {
    id: id('ID of the filter.'),
    list: listName,
    name: text('Name of the filter.', 'Without a second step', 64, 1),
    query,
    creationTimestamp: timestamp('Time when it was named.'),
    shared,
    own: flag('True if it belongs to the caller.'),
    ownerName: nullable(
      text('Name of the administrator who owns it; null if they were removed.', 'Ada Lovelace', 254),
    ),
  },
  { $id: 'SavedFilter', description: 'A named set of list filters.' },
)
export type SavedFilter = Static<typeof SavedFilter>

/** Operations of saved filters. */
export const savedFilterOperations = {
  listSavedFilters: consoleOperation({
    method: 'GET',
    path: '/console/api/saved-filters',
    access: 'SESSION',
    sensitive: false,
    summary: 'List the saved filters of the administrator, and those that others share.',
    response: closed(
      {
        filters: listOf(SavedFilter, 'The filters, by name.', [], savedFiltersMaximum + sharedFiltersMaximum),
      },
      { description: 'Saved filters that the administrator can use.' },
    ),
  }),
  saveFilter: consoleOperation({
    method: 'POST',
    path: '/console/api/saved-filters',
    access: 'SESSION',
    sensitive: false,
    summary:
      'Save a filter. An own filter with the same name and list is replaced. Sharing needs FULL_ACCESS.',
    body: closed(
      { list: listName, name, query, shared: Type.Optional(shared) },
      { description: 'The filter.' },
    ),
    response: SavedFilter,
  }),
  changeSavedFilter: consoleOperation({
    method: 'PATCH',
    path: '/console/api/saved-filters/:id',
    access: 'SESSION',
    sensitive: false,
    summary:
      'Rename, change, share or unshare a saved filter. That of another administrator, and sharing, need FULL_ACCESS.',
    body: closed(
      { name: Type.Optional(name), query: Type.Optional(query), shared: Type.Optional(shared) },
      { description: 'The members to change.' },
    ),
    response: SavedFilter,
  }),
  removeSavedFilter: consoleOperation({
    method: 'DELETE',
    path: '/console/api/saved-filters/:id',
    access: 'SESSION',
    sensitive: false,
    summary: 'Remove a saved filter. A shared one of another administrator needs FULL_ACCESS.',
    response: Done,
  }),
} as const
