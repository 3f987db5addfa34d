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
} from '../fields.ts'
import { consoleOperation } from './console-operation.ts'

/** What a key may do, and what people call it (REST API document, section 3). */
export const keyPermissions = { READ_ONLY: 'Read only', FULL_ACCESS: 'Full access' } as const
export type KeyPermission = keyof typeof keyPermissions
const permission = oneOf(Object.keys(keyPermissions) as KeyPermission[], 'What the key may do.', 'READ_ONLY')

/** Name of a key. */
export const keyName = typedName('What the key is for.', 'siem', 128)

const facts = {
  id: id('The id of the key.'),
  name: text('What the key is for.', 'siem', 128),
  permission,
  holder: email('The administrator who holds it: all keys of a holder share one rate limit.'),
  start: text('The first characters of the key, by which it is recognized.', 'mstr_a1B2', 16),
  creationTimestamp: timestamp('When the key was made.'),
  expiryTimestamp: nullable(timestamp('When it stops working; null: never.')),
}

export const ConsoleKey = closed(
  {
    ...facts,
    state: oneOf(['ACTIVE', 'EXPIRED', 'REVOKED'], 'Whether the key works.', 'ACTIVE'),
    lastUsedTimestamp: nullable(timestamp('When it was last used.')),
    revokedTimestamp: nullable(timestamp('When it was revoked.')),
    replacedBy: nullable(id('The key that was made in its place, which is the one to rotate next.')),
  },
  { $id: 'ConsoleKey', description: 'An API key, without the key itself.' },
)
export type ConsoleKey = Static<typeof ConsoleKey>

const IssuedConsoleKey = closed(
  {
    ...facts,
    key: text('The key itself. It is shown this once.', 'mstr_…', 64),
    curl: text('A line for the shell that uses the key.', 'curl …', 1024),
  },
  { $id: 'IssuedConsoleKey', description: 'A new API key, with the key itself.' },
)

/** The API keys of the organization. */
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
    summary: 'Make an API key and show it once.',
    body: closed(
      {
        name: keyName,
        permission,
        holder: Type.Optional(
          lookup('The e-mail address of the administrator.', 'ada.byron@example.com', 254, 1),
        ),
        expiryTimestamp: Type.Optional(
          nullable(timestamp('When it stops working; null or left out: never.')),
        ),
      },
      { description: 'The key to make. It is held by who makes it unless another administrator is named.' },
    ),
    response: IssuedConsoleKey,
  }),
  rotateKey: consoleOperation({
    method: 'POST',
    path: '/console/api/keys/:id/rotate',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Make a new key in the place of one, once; that stops working after an overlap.',
    body: closed(
      {
        overlapSeconds: Type.Integer({
          description: 'For how long both work; 0: the old one stops at once.',
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
    summary: 'Make an API key stop working.',
    response: ConsoleKey,
  }),
  readKeyRequests: consoleOperation({
    method: 'GET',
    path: '/console/api/keys/:id/requests',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Say how many requests came with a key in each hour of the last 30 days.',
    response: closed(
      {
        hours: listOf(
          closed(
            {
              hourTimestamp: timestamp('The first second of the hour.'),
              requests: count('How many requests came in it.', 12),
            },
            { description: 'An hour with requests.' },
          ),
          'The hours that had any, oldest first.',
          [],
          31 * 24,
        ),
      },
      { description: 'Requests over time.' },
    ),
  }),
} as const
