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
} from '../fields.ts'
import { Done, mailedLink } from './console-fields.ts'
import { type ConsoleListName, consoleLists } from './console-lists.ts'
import { consoleOperation } from './console-operation.ts'

/** How many filters an administrator may have named. */
export const savedFiltersMaximum = 100

const listName = oneOf(
  Object.keys(consoleLists) as ConsoleListName[],
  'The list that it is a filter of.',
  'accounts',
)
const query = exact(
  'The filters, the search and the order, as they stand in the address.',
  'sort=-lastUsedTimestamp&mfaRegistered=false',
  4096,
)

const SavedFilter = closed(
  {
    id: id('The id of the filter.'),
    list: listName,
    name: text('What its owner calls it.', 'Without a second step', 64, 1),
    query,
    creationTimestamp: timestamp('When it was named.'),
  },
  { $id: 'SavedFilter', description: 'Filters of a list that an administrator has given a name.' },
)
export type SavedFilter = Static<typeof SavedFilter>

const MailedLink = closed(
  { email: email('Where the mail went: the address of the employee.'), ...mailedLink },
  { description: 'A link by which an employee connects a browser, and how it was sent.' },
)

const PasswordPage = closed(
  {
    url: nullable(
      exact('Where to go, by https; null if nothing is known.', 'https://example.com/password', 2048),
    ),
    changesPassword: flag('True if the password is changed there; false for the web site of the app.'),
  },
  { description: 'Where the password of an app is changed.' },
)
export type PasswordPage = Static<typeof PasswordPage>

/** What the lists and pages of the inventory can do besides. */
export const inventoryOperations = {
  readExtensionCounting: consoleOperation({
    method: 'GET',
    path: '/console/api/extension-counting',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Say of when the list of extensions over all browsers is.',
    response: closed(
      {
        countedTimestamp: nullable(
          timestamp('What was installed then is what the list shows; null if it was never counted.'),
        ),
        running: flag('Whether it is being counted anew.', false),
      },
      { description: 'How the counting stands.' },
    ),
  }),
  readPasswordPage: consoleOperation({
    method: 'GET',
    path: '/console/api/apps/:id/password-page',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read where people change the password of an app.',
    response: PasswordPage,
  }),
  mailEnrollmentLink: consoleOperation({
    method: 'POST',
    path: '/console/api/enrollment-mails',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary:
      'Make an enrollment link and mail it to the employee. An older unused link of theirs stops working; an employee without a license gets one.',
    body: closed({ employeeId: id('The employee.') }, { description: 'Who gets the link.' }),
    response: MailedLink,
  }),
  listSavedFilters: consoleOperation({
    method: 'GET',
    path: '/console/api/saved-filters',
    access: 'SESSION',
    sensitive: false,
    summary: 'List the filters that one has named.',
    response: closed(
      { filters: listOf(SavedFilter, 'The filters, by name.', [], savedFiltersMaximum) },
      { description: 'One’s own filters.' },
    ),
  }),
  saveFilter: consoleOperation({
    method: 'POST',
    path: '/console/api/saved-filters',
    access: 'SESSION',
    sensitive: false,
    summary: 'Name a filter; one of the same name and list is replaced.',
    body: closed(
      {
        list: listName,
        name: typedName('What to call it.', 'Without a second step', 64),
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
    summary: 'Forget a filter that one has named.',
    response: Done,
  }),
} as const
