import type { Static, TObject } from 'typebox'
import { deploymentModes } from '../browser-extension.ts'
import { all, collection, exact, type Filter } from '../collection.ts'
import { closed, count, flag, id, listOf, oneOf, text, timestamp } from '../fields.ts'
import { permissionRisks } from './permission-risk.ts'

/** How many versions, permissions and patterns of hosts an extension's group names; it counts them all. */
export const namedMaximum = { versions: 20, permissions: 200, hosts: 50 } as const

/** Which pages extensions may read and change. */
export const hostReaches = ['EVERY_SITE', 'SOME_SITES', 'NO_SITE'] as const
/** Where installations come from: a store of extensions, anywhere else, or now one and now the other. */
export const extensionSources = ['STORE', 'ELSEWHERE', 'BOTH'] as const

const extensionVersion = closed(
  { version: text('The version.', '1.58.0', 256), browsers: count('How many browsers have it.', 42) },
  { description: 'A version of an extension.' },
)

/** An extension, whichever browsers have it: what its installations have in common, and how many they are. */
export const ExtensionGroup = closed(
  {
    id: id('The identifier of the extension, which is the same in every browser.'),
    extensionId: text('The same identifier.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
    name: text('Its name in most browsers.', 'uBlock Origin', 1024),
    description: text('Its description in most browsers.', 'An efficient blocker.', 1024),
    browsers: count('In how many browsers it is installed.', 420),
    enabledBrowsers: count('In how many of these it is enabled.', 400),
    people: count('How many employees have it.', 400),
    versions: listOf(
      extensionVersion,
      'Its versions, the most common first.',
      [{ version: '1.58.0', browsers: 420 }],
      namedMaximum.versions,
    ),
    versionCount: count('How many versions there are.', 1),
    permissions: listOf(
      text('A permission.', 'storage', 2048),
      'What any installation may do, the most dangerous first.',
      ['storage'],
      namedMaximum.permissions,
    ),
    permissionCount: count('How many permissions there are.', 1),
    hostPermissions: listOf(
      text('A URL match pattern.', 'https://*/*', 4096),
      'The pages that any installation may read and change, the widest first.',
      ['https://*/*'],
      namedMaximum.hosts,
    ),
    hostPermissionCount: count('How many such patterns there are.', 1),
    hostReach: oneOf(hostReaches, 'Which pages it may read and change.', 'EVERY_SITE'),
    risk: oneOf(permissionRisks, 'How much it can do, by the worst of its permissions.', 'HIGH'),
    riskScore: count(
      'How much it can do, as a number to sort by: 100 for each high risk and 10 for each medium one.',
      110,
    ),
    source: oneOf(extensionSources, 'Where it comes from.', 'STORE'),
    deploymentModes: listOf(
      oneOf(deploymentModes, 'How it was installed.', 'MANUAL'),
      'All ways in which it was installed.',
      ['MANUAL'],
      deploymentModes.length,
    ),
    blocked: flag('Whether the controls block it.', false),
    creationTimestamp: timestamp('When it was first seen in a browser; UNIX seconds.'),
  },
  { $id: 'ExtensionGroup', description: 'An extension, over all browsers of the organization.' },
)
export type ExtensionGroup = Static<typeof ExtensionGroup>

const atLeast = <const M extends string>(member: M, description: string): Filter<'after', M> => ({
  kind: 'after',
  member,
  description,
})

/** It is no resource of `/v1`: it follows from the browser extensions. */
export const extensionGroups = collection({
  name: 'extensionGroups',
  record: ExtensionGroup satisfies TObject,
  filters: {
    risk: exact('risk', 'How much it can do.'),
    hostReach: exact('hostReach', 'Which pages it may read and change.'),
    source: exact('source', 'Where it comes from.'),
    blocked: exact('blocked', 'Only extensions that are blocked (true), or that are not (false).'),
    permissions: all('permissions', 'Only extensions with certain permissions: all that are given.'),
    browsersAtLeast: atLeast('browsers', 'Only extensions in at least so many browsers.'),
    peopleAtLeast: atLeast('people', 'Only extensions that at least so many employees have.'),
    riskScoreAtLeast: atLeast('riskScore', 'Only extensions that can do at least so much.'),
  },
})
