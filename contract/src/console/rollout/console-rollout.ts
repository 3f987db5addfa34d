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

const token = {
  id: id('ID of the token.'),
  name: text('Purpose of the token.', 'laptops', 128),
  creationTimestamp: timestamp('Time when it was created; UNIX seconds.'),
}

const EnrollmentToken = closed(
  {
    ...token,
    revokedTimestamp: nullable(timestamp('Time when it was revoked; null if it works.')),
    lastUsedTimestamp: nullable(timestamp('Time when a browser last enrolled with it; null if never.')),
    uses: count('Number of browsers that enrolled with it.', 12),
  },
  {
    $id: 'EnrollmentToken',
    description: 'An enrollment token of managed browsers, without the token itself.',
  },
)
export type EnrollmentToken = Static<typeof EnrollmentToken>

const Rollout = closed(
  {
    serverUrl: url('Origin of the server.', 'https://muster.example.com'),
    tokens: listOf(EnrollmentToken, 'The tokens, oldest first.', [], 10_000),
  },
  { $id: 'Rollout', description: 'Enrollment tokens, and the address for policy files of managed browsers.' },
)
export type Rollout = Static<typeof Rollout>

const IssuedEnrollmentToken = closed(
  { ...token, token: text('The token. It is shown once.', 'met_…', 64) },
  { $id: 'IssuedEnrollmentToken', description: 'A new enrollment token, with the token itself.' },
)

export const credentialStates = ['ACTIVE', 'REVOKED', 'NONE'] as const

const BrowserConnection = closed(
  {
    credential: oneOf(
      credentialStates,
      'State of the credential of the browser; `NONE` if it was imported or never enrolled.',
      'ACTIVE',
    ),
    revokedTimestamp: nullable(timestamp('Time when the credential was revoked; null if it was not.')),
    dormantBecause: nullable(
      oneOf(
        ['NO_LICENSE', 'MERGED'] as const,
        'Reason for which the browser reports nothing; null if it reports.',
        'NO_LICENSE',
      ),
    ),
    lastDormantCallTimestamp: nullable(
      timestamp('Time of its last call without reports, recorded once a day; null if there was none.'),
    ),
    removedAfterDays: count('Days without contact after which the browser is removed.', 90),
    silent: flag('True if the browser was not online for 30 days.', false),
  },
  { $id: 'BrowserConnection', description: 'Connection of a browser to the server.' },
)
export type BrowserConnection = Static<typeof BrowserConnection>

/** Operations on enrollment tokens and enrolled browsers. */
export const rolloutOperations = {
  readRollout: consoleOperation({
    method: 'GET',
    path: '/console/api/enrollment-tokens',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the enrollment tokens of managed browsers.',
    response: Rollout,
  }),
  createEnrollmentToken: consoleOperation({
    method: 'POST',
    path: '/console/api/enrollment-tokens',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Create an enrollment token and show it once.',
    body: closed(
      { name: typedName('Purpose of the token, such as a device group.', 'laptops', 128) },
      { description: 'The token to create.' },
    ),
    response: IssuedEnrollmentToken,
  }),
  revokeEnrollmentToken: consoleOperation({
    method: 'DELETE',
    path: '/console/api/enrollment-tokens/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Revoke an enrollment token. Enrolled browsers stay enrolled.',
    response: Done,
  }),
  readBrowserConnection: consoleOperation({
    method: 'GET',
    path: '/console/api/browsers/:id/connection',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the state of the connection of a browser.',
    response: BrowserConnection,
  }),
  revokeBrowser: consoleOperation({
    method: 'POST',
    path: '/console/api/browsers/:id/revoke',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Revoke the credential of a browser. Its agent stops working until it enrolls again.',
    response: Done,
  }),
  removeBrowser: consoleOperation({
    method: 'DELETE',
    path: '/console/api/browsers/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Revoke a browser and delete its record and extensions. Its detections stay.',
    response: Done,
  }),
} as const
