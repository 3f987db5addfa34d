import type { Static, TObject } from 'typebox'
import { all, collection, exact, type Filter } from '../api/collection.ts'
import { closed, count, flag, id, listOf, oneOf, text, timestamp } from '../api/fields.ts'
import { deploymentModes } from '../records/browser-extension.ts'
import { permissionRisks } from './permission-risk.ts'

/** Maximum number of listed versions, permissions and host patterns. All are counted. */
export const namedMaximum = { versions: 20, permissions: 200, hosts: 50 } as const

/** Site access of extensions. */
export const hostReaches = ['EVERY_SITE', 'SOME_SITES', 'NO_SITE'] as const
/** Sources of installations: an extension store, elsewhere, or both. */
export const extensionSources = ['STORE', 'ELSEWHERE', 'BOTH'] as const

const extensionVersion = closed(
  {
    version: text('The version.', '1.58.0', 256),
    browsers: count('Number of browsers with this version.', 42),
  },
  { description: 'A version of an extension.' },
)

/** An extension grouped over all browsers, with the numbers of its installations. */
export const ExtensionGroup = closed(
  {
    id: id('The identifier of the extension, which is the same in every browser.'),
    extensionId: text('The same identifier.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
    name: text('Its name in most browsers.', 'uBlock Origin', 1024),
    description: text('Its description in most browsers.', 'An efficient blocker.', 1024),
    browsers: count('Number of browsers in which it is installed.', 420),
    enabledBrowsers: count('Number of browsers in which it is enabled.', 400),
    people: count('Number of employees who have it.', 400),
    versions: listOf(
      extensionVersion,
      'Versions, most common first.',
      [{ version: '1.58.0', browsers: 420 }],
      namedMaximum.versions,
    ),
    versionCount: count('Number of versions.', 1),
    permissions: listOf(
      text('A permission.', 'storage', 2048),
      'Permissions of all installations, most dangerous first.',
      ['storage'],
      namedMaximum.permissions,
    ),
    permissionCount: count('Number of permissions.', 1),
    hostPermissions: listOf(
      text('A URL match pattern.', 'https://*/*', 4096),
      'URL match patterns of all installations, widest first.',
      ['https://*/*'],
      namedMaximum.hosts,
    ),
    hostPermissionCount: count('Number of patterns.', 1),
    hostReach: oneOf(hostReaches, 'Pages that it may read and change.', 'EVERY_SITE'),
    risk: oneOf(permissionRisks, 'Risk class, by the most dangerous permission.', 'HIGH'),
    riskScore: count('Risk as a number to sort by: 100 for each high risk and 10 for each medium one.', 110),
    source: oneOf(extensionSources, 'Source of the installations.', 'STORE'),
    deploymentModes: listOf(
      oneOf(deploymentModes, 'Installation method.', 'MANUAL'),
      'All installation methods.',
      ['MANUAL'],
      deploymentModes.length,
    ),
    blocked: flag('True if the controls block it.', false),
    creationTimestamp: timestamp('Time when it was first seen in a browser; UNIX seconds.'),
  },
  { $id: 'ExtensionGroup', description: 'An extension, over all browsers of the organization.' },
)
export type ExtensionGroup = Static<typeof ExtensionGroup>

const atLeast = <const M extends string>(member: M, description: string): Filter<'after', M> => ({
  kind: 'after',
  member,
  description,
})

/** Not a resource of `/v1`; derived from the browser extensions. */
export const extensionGroups = collection({
  name: 'extensionGroups',
  record: ExtensionGroup satisfies TObject,
  filters: {
    risk: exact('risk', 'Filter by risk class.'),
    hostReach: exact('hostReach', 'Filter by the pages that it may read and change.'),
    source: exact('source', 'Filter by source.'),
    blocked: exact('blocked', 'Only extensions that are blocked (true), or that are not (false).'),
    permissions: all('permissions', 'Only extensions with certain permissions: all that are given.'),
    browsersAtLeast: atLeast('browsers', 'Minimum number of browsers.'),
    peopleAtLeast: atLeast('people', 'Minimum number of employees.'),
    riskScoreAtLeast: atLeast('riskScore', 'Minimum risk score.'),
  },
})
