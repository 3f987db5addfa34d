import type { Static } from 'typebox'
import {
  closed,
  count,
  flag,
  id,
  listOf,
  nullable,
  oneOf,
  text,
  timestamp,
  typedName,
  url,
} from '../../api/fields.ts'
import { Done } from '../console-fields.ts'
import { consoleOperation } from '../console-operation.ts'

/** Maximum length of the name of a token. */
export const scimTokenNameMaximum = 100

const token = {
  id: id('ID of the token.'),
  name: text('Name of the directory.', 'Okta', scimTokenNameMaximum),
  assignsLicenses: flag('True if users get a license when they become active.'),
  creationTimestamp: timestamp('Time when it was created; UNIX seconds.'),
}

const DirectoryToken = closed(
  {
    ...token,
    createdBy: text('Creator of the token.', 'ada.byron@example.com', 256),
    lastUsedTimestamp: nullable(timestamp('Time of the last request, to the minute; null if never.')),
    revokedTimestamp: nullable(timestamp('Time when it was revoked; null if it works.')),
  },
  { $id: 'DirectoryToken', description: 'A bearer token of a directory, without the token itself.' },
)
export type DirectoryToken = Static<typeof DirectoryToken>

export const directoryProblems = ['NO_ADDRESS', 'ADDRESS_TAKEN'] as const

/** Maximum number of listed users with a problem. */
export const directoryProblemsMaximum = 50

const Directory = closed(
  {
    baseUrl: url('Base URL for directories.', 'https://muster.example.com/scim/v2'),
    tokens: listOf(DirectoryToken, 'The tokens, oldest first.', [], 10_000),
    users: count('Number of users.', 400),
    activeUsers: count('Number of active users.', 380),
    groups: count('Number of groups.', 12),
    problems: count('Number of users without an employee, or whose address belongs to another person.', 1),
    problemUsers: listOf(
      closed(
        {
          userName: text('Name of the user in the directory.', 'ada.byron', 256),
          problem: oneOf(
            directoryProblems,
            '`NO_ADDRESS`: the user has no email address; `ADDRESS_TAKEN`: another person has it.',
            'ADDRESS_TAKEN',
          ),
          employeeId: nullable(id('Employee of the user; null if there is none.')),
        },
        { description: 'A user with a problem.' },
      ),
      'The first of these users, by name.',
      [],
      directoryProblemsMaximum,
    ),
  },
  { $id: 'Directory', description: 'Directories that manage employees by SCIM.' },
)
export type Directory = Static<typeof Directory>

const IssuedDirectoryToken = closed(
  { ...token, token: text('The token. It is shown once.', 'msct_…', 64) },
  { $id: 'IssuedDirectoryToken', description: 'A new token of a directory, with the token itself.' },
)

/** Members of an employee that a directory can manage. */
export const directoryMembers = ['email', 'firstName', 'lastName', 'department', 'location'] as const
export type DirectoryMember = (typeof directoryMembers)[number]

const DirectoryEntry = closed(
  {
    userName: nullable(
      text('Name of the user in the directory; null if no directory manages the employee.', 'ada.byron', 256),
    ),
    active: flag('True if the user is active.'),
    changedTimestamp: nullable(timestamp('Time of the last change by the directory.')),
    members: listOf(
      oneOf(directoryMembers, 'A member of the employee.', 'department'),
      'Members that only the directory changes.',
      ['email'],
      directoryMembers.length,
    ),
    groups: listOf(
      text('Name of a group.', 'Engineers', 128),
      'Groups that only the directory changes.',
      ['Engineers'],
      1000,
    ),
  },
  { $id: 'DirectoryEntry', description: 'Part of an employee that a directory manages.' },
)
export type DirectoryEntry = Static<typeof DirectoryEntry>

/** Operations on directories. */
export const directoryOperations = {
  readDirectory: consoleOperation({
    method: 'GET',
    path: '/console/api/directory',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the tokens and figures of directories.',
    response: Directory,
  }),
  createDirectoryToken: consoleOperation({
    method: 'POST',
    path: '/console/api/directory/tokens',
    access: 'OWNER',
    sensitive: true,
    summary: 'Create a token for a directory and show it once.',
    body: closed(
      {
        name: typedName('Name of the directory.', 'Okta', scimTokenNameMaximum),
        assignsLicenses: flag('True if users get a license when they become active.'),
      },
      { description: 'The token to create.' },
    ),
    response: IssuedDirectoryToken,
  }),
  revokeDirectoryToken: consoleOperation({
    method: 'DELETE',
    path: '/console/api/directory/tokens/:id',
    access: 'OWNER',
    sensitive: true,
    summary: 'Revoke a token of a directory. Users and groups stay.',
    response: Done,
  }),
  readDirectoryEntry: consoleOperation({
    method: 'GET',
    path: '/console/api/employees/:id/directory',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the part of an employee that a directory manages.',
    response: DirectoryEntry,
  }),
} as const
