import type { Static } from 'typebox'
import { all, collection, exact } from '../api/collection.ts'
import { closed, flag, id, listOf, nullable, oneOf, text, timestamp, url } from '../api/fields.ts'
import { operation } from '../api/operation.ts'

export const deploymentModes = ['MANAGED', 'DEVELOPMENT', 'MANUAL', 'SIDELOAD', 'OTHER'] as const

export const BrowserExtension = closed(
  {
    id: id('Unique ID of this browser extension record.'),
    extensionId: text('Static identifier of the extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
    employeeId: id('Identifier of the primary employee the extension belongs to.'),
    browserId: id("Identifier of the employee's browser extension of the platform."),
    name: text('Name of the extension.', 'uBlock Origin', 10_000),
    description: text('Description of the extension.', 'An efficient blocker.', 10_000),
    deploymentMode: oneOf(deploymentModes, 'Method used to install the extension.', 'MANUAL'),
    permissions: listOf(
      text('A permission.', 'storage', 2048),
      'Permissions the extension requires.',
      ['storage', 'tabs'],
      1000,
    ),
    hostPermissions: listOf(
      text('A URL match pattern.', 'https://*/*', 4096),
      'URL match patterns with which the extension may interact.',
      ['https://*/*'],
      10_000,
    ),
    version: text('Version of the extension.', '1.58.0', 256),
    versionName: nullable(
      text('Version label shown to the user; null if there is none.', '1.58.0 beta', 1024),
    ),
    enabled: flag('True if the extension is enabled.'),
    disabledReason: nullable(
      text('Reason the extension was disabled; null if it was not.', 'permissions_increase', 1024),
    ),
    updateUrl: nullable(
      url(
        'URL from which the extension gets updates; null if none.',
        'https://clients2.google.com/service/update2/crx',
      ),
    ),
    homePageUrl: nullable(
      url("Link to the extension's home page; null if none.", 'https://example.com/extension'),
    ),
    creationTimestamp: timestamp('Time when the record was created; UNIX timestamp in seconds.'),
    lastUpdatedTimestamp: timestamp(
      'Time when the extension was last used by an employee; UNIX timestamp in seconds.',
    ),
  },
  { $id: 'BrowserExtension', description: 'An extension that is installed in the browser of an employee.' },
)
export type BrowserExtension = Static<typeof BrowserExtension>

export const browserExtensions = collection({
  name: 'browserExtensions',
  record: BrowserExtension,
  filters: {
    extensionId: exact('extensionId', 'Filter by extension ID.'),
    employeeId: exact('employeeId', 'Filter by an employee ID associated with the extension.'),
    browserId: exact('browserId', 'Filter by a browser ID associated with the extension.'),
    deploymentMode: exact('deploymentMode', 'Filter by deployment mode.'),
    permissions: all('permissions', 'Only extensions that have certain permissions: all that are given.'),
    hostPermissions: all(
      'hostPermissions',
      'Only extensions that have certain host permission patterns: all that are given.',
    ),
    enabled: exact('enabled', 'Only enabled (true) or only disabled (false) extensions.'),
  },
})

export const browserExtensionOperations = {
  listBrowserExtensions: operation({
    kind: 'list',
    collection: browserExtensions,
    path: '/v1/browserExtensions',
    summary: 'Retrieve a list of browser extension objects',
  }),
}
