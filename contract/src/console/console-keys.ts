import { type Static, Type } from 'typebox'
import {
  closed,
  count,
  email,
  id,
  listOf,
  lookup,
  nullable,
  oneOf,
  text,
  timestamp,
  typedName,
} from '../api/fields.ts'
import { consoleOperation } from './console-operation.ts'

/** Permissions of keys with their labels (REST API document, section 3). */
export const keyPermissions = { READ_ONLY: 'Read only', FULL_ACCESS: 'Full access' } as const
export type KeyPermission = keyof typeof keyPermissions
const permission = oneOf(
  Object.keys(keyPermissions) as KeyPermission[],
  'Permission of the key.',
  'READ_ONLY',
)

/** Name of a key. */
export const keyName = typedName('Name of the key.', 'siem', 128)

const facts = {
  id: id('ID of the key.'),
  name: text('Name of the key.', 'siem', 128),
  permission,
  holder: email('Administrator who holds the key. All keys of a holder share one rate limit.'),
  start: text('The first characters of the key, by which it is recognized.', 'mstr_a1B2', 16),
  creationTimestamp: timestamp('Time when the key was made.'),
  expiryTimestamp: nullable(timestamp('Time when it stops working; null: never.')),
}

export const ConsoleKey = closed(
  {
    ...facts,
    state: oneOf(['ACTIVE', 'EXPIRED', 'REVOKED'], 'State of the key.', 'ACTIVE'),
    lastUsedTimestamp: nullable(timestamp('Time when it was last used.')),
    revokedTimestamp: nullable(timestamp('Time when it was revoked.')),
    replacedBy: nullable(id('ID of its successor, which is the one to rotate next.')),
  },
  { $id: 'ConsoleKey', description: 'An API key, without the key itself.' },
)
export type ConsoleKey = Static<typeof ConsoleKey>

const IssuedConsoleKey = closed(
  {
    ...facts,
    key: text('The key. It is shown once.', 'mstr_…', 64),
    curl: text('A sample shell command that uses the key.', 'curl …', 1024),
  },
  { $id: 'IssuedConsoleKey', description: 'A new API key, with the key itself.' },
)

/** Operations on API keys. */
export const keyOperations = {
  listKeys: consoleOperation({
    method: 'GET',
    path: '/console/api/keys',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the API keys.',
    response: closed(
      { keys: listOf(ConsoleKey, 'The keys, oldest first.', [], 100_000) },
      { description: 'The keys.' },
    ),
  }),
  createKey: consoleOperation({
    method: 'POST',
    path: '/console/api/keys',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Create an API key and show it once.',
    body: closed(
      {
        name: keyName,
        permission,
        holder: Type.Optional(
          lookup('The e-mail address of the administrator.', 'ada.byron@example.com', 254, 1),
        ),
        expiryTimestamp: Type.Optional(
          nullable(timestamp('Time when it stops working; null or left out: never.')),
        ),
      },
      { description: 'The key to create. Its holder is the caller unless another administrator is given.' },
    ),
    response: IssuedConsoleKey,
  }),
  rotateKey: consoleOperation({
    method: 'POST',
    path: '/console/api/keys/:id/rotate',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Rotate a key. The old one stops working after an overlap.',
    body: closed(
      {
        overlapSeconds: Type.Integer({
          description: 'Time for which both keys work; with 0 the old one stops immediately.',
          examples: [86_400],
          minimum: 0,
          maximum: 90 * 86_400,
        }),
      },
      { description: 'The overlap.' },
    ),
    response: IssuedConsoleKey,
  }),
  revokeKey: consoleOperation({
    method: 'DELETE',
    path: '/console/api/keys/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Revoke an API key.',
    response: ConsoleKey,
  }),
  readKeyRequests: consoleOperation({
    method: 'GET',
    path: '/console/api/keys/:id/requests',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Count the requests of a key per hour over the last 30 days.',
    response: closed(
      {
        hours: listOf(
          closed(
            {
              hourTimestamp: timestamp('The first second of the hour.'),
              requests: count('Number of requests.', 12),
            },
            { description: 'An hour with requests.' },
          ),
          'Hours with at least one, oldest first.',
          [],
          31 * 24,
        ),
      },
      { description: 'Requests over time.' },
    ),
  }),
} as const
