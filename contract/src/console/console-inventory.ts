import type { Static } from 'typebox'
import {
  closed,
  email,
  exact,
  flag,
  id,
  listOf,
  nullable,
  oneOf,
  text,
  timestamp,
  typedName,
} from '../api/fields.ts'
import { Done, mailedLink } from './console-fields.ts'
import { type ConsoleListName, consoleLists } from './console-lists.ts'
import { consoleOperation } from './console-operation.ts'

/** Maximum number of saved filters per administrator. */
export const savedFiltersMaximum = 100

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

const SavedFilter = closed(
  {
    id: id('ID of the filter.'),
    list: listName,
    name: text('Name of the filter.', 'Without a second step', 64, 1),
    query,
    creationTimestamp: timestamp('Time when it was named.'),
  },
  { $id: 'SavedFilter', description: 'A named set of list filters.' },
)
export type SavedFilter = Static<typeof SavedFilter>

const MailedLink = closed(
  { email: email('Recipient: the address of the employee.'), ...mailedLink },
  { description: 'An enrollment link and its delivery.' },
)

const PasswordPage = closed(
  {
    url: nullable(
      exact('URL of the page, https only; null if unknown.', 'https://example.com/password', 2048),
    ),
    changesPassword: flag('True if the password is changed there; false for the web site of the app.'),
  },
  { description: 'Page where the password of an app is changed.' },
)
export type PasswordPage = Static<typeof PasswordPage>

/** Further operations of inventory pages. */
export const inventoryOperations = {
  readExtensionCounting: consoleOperation({
    method: 'GET',
    path: '/console/api/extension-counting',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the state of the extension count.',
    response: closed(
      {
        countedTimestamp: nullable(timestamp('Time of the last count; null if there was none.')),
        running: flag('True while a count is running.', false),
      },
      { description: 'State of the extension count.' },
    ),
  }),
  readPasswordPage: consoleOperation({
    method: 'GET',
    path: '/console/api/apps/:id/password-page',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the page where people change the password of an app.',
    response: PasswordPage,
  }),
  mailEnrollmentLink: consoleOperation({
    method: 'POST',
    path: '/console/api/enrollment-mails',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary:
      'Create an enrollment link and send it to the employee by e-mail. Older unused links stop working. An employee without a license gets one.',
    body: closed({ employeeId: id('The employee.') }, { description: 'Recipient of the link.' }),
    response: MailedLink,
  }),
  listSavedFilters: consoleOperation({
    method: 'GET',
    path: '/console/api/saved-filters',
    access: 'SESSION',
    sensitive: false,
    summary: 'List the saved filters of the administrator.',
    response: closed(
      { filters: listOf(SavedFilter, 'The filters, by name.', [], savedFiltersMaximum) },
      { description: 'Saved filters of the administrator.' },
    ),
  }),
  saveFilter: consoleOperation({
    method: 'POST',
    path: '/console/api/saved-filters',
    access: 'SESSION',
    sensitive: false,
    summary: 'Save a filter. A filter with the same name and list is replaced.',
    body: closed(
      {
        list: listName,
        name: typedName('Name of the filter.', 'Without a second step', 64),
        query,
      },
      { description: 'The filter.' },
    ),
    response: SavedFilter,
  }),
  removeSavedFilter: consoleOperation({
    method: 'DELETE',
    path: '/console/api/saved-filters/:id',
    access: 'SESSION',
    sensitive: false,
    summary: 'Remove a saved filter.',
    response: Done,
  }),
} as const
