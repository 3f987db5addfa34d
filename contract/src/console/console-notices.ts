import { type Static, Type } from 'typebox'
import { closed, count, email, flag, id, listOf, nullable, oneOf, text, timestamp } from '../fields.ts'
import { apiVersions, noticeKinds, noticeStates } from '../notice.ts'
import { consoleOperation } from './console-operation.ts'

const deprecationTimestamp = timestamp('From when on the version is deprecated.', 1811808000)
const sunsetTimestamp = nullable(
  timestamp(
    'The end of the version, after which nobody should count on it; null: that is not decided.',
    1827619200,
  ),
)

const noticeCounts = closed(
  {
    waiting: count('How many wait to be sent, or are being sent.', 0),
    sent: count('How many were sent.', 12),
    failed: count('How many could not be sent.', 0),
    inDoubt: count('How many were given to the mail server, whose answer nobody heard.', 0),
  },
  { description: 'The messages of the organization by where they stand.' },
)

export const ApiDeprecation = closed(
  {
    version: oneOf(apiVersions, 'The version of the API.', 'v1'),
    deprecationTimestamp: nullable(deprecationTimestamp),
    sunsetTimestamp,
    changedTimestamp: nullable(timestamp('When these dates were set; null: there are none.')),
    holders: count('How many people of the organization hold a key that works: they are told.', 12),
    messages: noticeCounts,
    changeable: flag(
      'Whether who asks may change the dates: they are those of the whole server, so that only owners of its first organization may.',
    ),
  },
  { $id: 'ApiDeprecation', description: 'Whether a version of the API is deprecated, and who was told.' },
)
export type ApiDeprecation = Static<typeof ApiDeprecation>

export const ConsoleNotice = closed(
  {
    id: id('The id of the message, which its Message-ID begins with.'),
    kind: oneOf(noticeKinds, 'What it is about.', 'API_DEPRECATED'),
    address: email('Whom it goes to.'),
    about: text('What it is about, in a few words.', 'API v1 deprecated from 2027-06-01', 512),
    state: oneOf(noticeStates, 'Where it stands.', 'SENT'),
    attempts: count('How often it was tried to send it.', 1),
    nextAttemptTimestamp: nullable(timestamp('When it is tried next; null: it is not.')),
    lastError: nullable(
      text('What the mail server said, or why it was not reached, the last time.', '450 try later', 512),
    ),
    way: nullable(oneOf(['SMTP', 'FILE'], 'Where it went; null: nowhere yet.', 'SMTP')),
    creationTimestamp: timestamp('When it was decided to send it.'),
    sentTimestamp: nullable(timestamp('When it was sent; null: it was not, or nobody knows.')),
  },
  { $id: 'ConsoleNotice', description: 'A message to a person, by mail.' },
)
export type ConsoleNotice = Static<typeof ConsoleNotice>

/** How many messages the list shows at most: those that were not sent first, then the newest. */
export const shownNoticesMaximum = 500

/** The dates of versions of the API, and the messages that tell people of them and of other things. */
export const noticeOperations = {
  readDeprecation: consoleOperation({
    method: 'GET',
    path: '/console/api/deprecation',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Say whether the version of the API is deprecated, and who was told.',
    response: ApiDeprecation,
  }),
  setDeprecation: consoleOperation({
    method: 'PUT',
    path: '/console/api/deprecation',
    access: 'OWNER',
    sensitive: true,
    summary: 'Set the date from which the version of the API is deprecated, and tell all holders of keys.',
    body: closed(
      { deprecationTimestamp, sunsetTimestamp: Type.Optional(sunsetTimestamp) },
      {
        description:
          'The dates: today (UTC) or later, the end not before the deprecation. The same dates once more change nothing.',
      },
    ),
    response: ApiDeprecation,
  }),
  withdrawDeprecation: consoleOperation({
    method: 'DELETE',
    path: '/console/api/deprecation',
    access: 'OWNER',
    sensitive: true,
    summary: 'Take the dates back, and tell whoever was told of them.',
    response: ApiDeprecation,
  }),
  listNotices: consoleOperation({
    method: 'GET',
    path: '/console/api/notices',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the messages to people, those that were not sent first, then the newest.',
    response: closed(
      {
        notices: listOf(ConsoleNotice, 'The messages.', [], shownNoticesMaximum),
        messages: noticeCounts,
        mailWay: oneOf(['SMTP', 'FILE'], 'Where messages go.', 'FILE'),
      },
      { description: 'The messages.' },
    ),
  }),
  resendNotice: consoleOperation({
    method: 'POST',
    path: '/console/api/notices/:id/resend',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Try once more to send a message that failed or is in doubt; it may then arrive twice.',
    response: ConsoleNotice,
  }),
} as const
