import type { Static } from 'typebox'
import { collection, contains, exact, window } from '../api/collection.ts'
import { closed, email, flag, id, nullable, oneOf, text, timestamp } from '../api/fields.ts'
import { operation } from '../api/operation.ts'

export const tokenTypes = ['INDIVIDUAL', 'MANAGED'] as const
export const browserKinds = ['CHROME', 'EDGE', 'FIREFOX', 'SAFARI', 'OPERA', 'BRAVE', 'ARC', 'OTHER'] as const
export const operatingSystems = ['WINDOWS', 'MACOS', 'LINUX', 'CHROMEOS', 'OTHER'] as const

export const Browser = closed(
  {
    id: id('Unique identifier of the browser.'),
    employeeId: id('ID of the employee who uses the browser.'),
    email: email('The e-mail address of the employee.'),
    version: text('Version of the browser.', '142.0.7444.60', 128),
    tokenType: oneOf(tokenTypes, 'Enrollment method: link or managed policy.', 'MANAGED'),
    isActive: flag('True if the browser was seen in the last 30 days.'),
    browser: oneOf(browserKinds, 'The kind of browser.', 'CHROME'),
    os: oneOf(operatingSystems, 'The operating system that the browser runs on.', 'MACOS'),
    extensionVersion: text("Version of the platform's extension in the browser.", '1.4.0', 128),
    language: nullable(text('The language the browser is set to; null if unknown.', 'en-GB', 64)),
    profileEmail: nullable(email('The e-mail address of the browser profile; null if there is none.')),
    profileSyncEnabled: nullable(
      flag('True if the browser profile is synchronized; null if unknown.', false),
    ),
    creationTimestamp: timestamp('Time when the browser was enrolled; UNIX seconds.'),
    lastOnlineTimestamp: timestamp('Time of the last report of the browser; UNIX seconds.'),
  },
  { $id: 'Browser', description: 'An enrolled browser of an employee.' },
)
export type Browser = Static<typeof Browser>

export const browsers = collection({
  name: 'browsers',
  record: Browser,
  filters: {
    employeeId: exact('employeeId'),
    email: contains('email'),
    browser: exact('browser'),
    os: exact('os'),
    tokenType: exact('tokenType'),
    isActive: exact('isActive'),
    ...window('lastOnlineTimestamp'),
    ...window('creationTimestamp'),
  },
})

export const browserOperations = {
  listBrowsers: operation({
    kind: 'list',
    collection: browsers,
    path: '/v1/browsers',
    summary: 'Retrieve a list of browser objects',
  }),
  getBrowser: operation({
    kind: 'get',
    collection: browsers,
    path: '/v1/browsers/:id',
    summary: 'Retrieve a browser',
  }),
}
