import type { Static } from 'typebox'
import { closed, email, exact, flag, id, nullable, timestamp } from '../api/fields.ts'
import { mailedLink } from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

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
} as const
