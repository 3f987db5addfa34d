import { type Static, Type } from 'typebox'
import { closed, count, email, flag, id, listOf, nullable, oneOf, text, timestamp } from '../api/fields.ts'
import { apiVersions, noticeKinds, noticeStates } from '../records/notice.ts'
import { consoleOperation } from './console-operation.ts'

const deprecationTimestamp = timestamp('Time from which the version is deprecated.', 1811808000)
const sunsetTimestamp = nullable(
  timestamp('Time after which the version may stop working; null if not decided.', 1827619200),
)

const noticeCounts = closed(
  {
    waiting: count('Number of messages that are waiting or being sent.', 0),
    sent: count('Number of sent messages.', 12),
    failed: count('Number of failed messages.', 0),
    inDoubt: count('Number of messages handed to the mail server without a response.', 0),
  },
  { description: 'Messages of the organization by state.' },
)

export const ApiDeprecation = closed(
  {
    version: oneOf(apiVersions, 'The version of the API.', 'v1'),
    deprecationTimestamp: nullable(deprecationTimestamp),
    sunsetTimestamp,
    changedTimestamp: nullable(timestamp('Time when these dates were set; null: there are none.')),
    holders: count('Number of people with an active key, who are notified.', 12),
    messages: noticeCounts,
    changeable: flag(
      'True if the caller may change the dates. They apply to the whole server, so only owners of its first organization may.',
    ),
  },
  { $id: 'ApiDeprecation', description: 'Deprecation state of an API version.' },
)
export type ApiDeprecation = Static<typeof ApiDeprecation>

export const ConsoleNotice = closed(
  {
    id: id('ID of the message. Its Message-ID starts with it.'),
    kind: oneOf(noticeKinds, 'Kind of the message.', 'API_DEPRECATED'),
    address: email('Recipient.'),
    about: text('Short subject.', 'v1, deprecated from 2027-06-01', 512),
    state: oneOf(noticeStates, 'Delivery state.', 'SENT'),
    attempts: count('Number of attempts.', 1),
    nextAttemptTimestamp: nullable(timestamp('Time of the next attempt; null if there is none.')),
    lastError: nullable(text('Last error from the mail server or the connection.', '450 try later', 512)),
    way: nullable(oneOf(['SMTP', 'FILE'], 'Delivery method; null if not sent yet.', 'SMTP')),
    creationTimestamp: timestamp('Time when the message was created.'),
    sentTimestamp: nullable(timestamp('Time when it was sent; null if not sent or unknown.')),
  },
  { $id: 'ConsoleNotice', description: 'An e-mail to a person.' },
)
export type ConsoleNotice = Static<typeof ConsoleNotice>

/** Maximum number of messages in the list: unsent ones first, then the newest. */
export const shownNoticesMaximum = 500

/** Operations on API deprecation dates and on messages to people. */
export const noticeOperations = {
  readDeprecation: consoleOperation({
    method: 'GET',
    path: '/console/api/deprecation',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the deprecation state of the API version.',
    response: ApiDeprecation,
  }),
  setDeprecation: consoleOperation({
    method: 'PUT',
    path: '/console/api/deprecation',
    access: 'OWNER',
    sensitive: true,
    summary: 'Set the deprecation dates of the API version, and notify all key holders.',
    body: closed(
      { deprecationTimestamp, sunsetTimestamp: Type.Optional(sunsetTimestamp) },
      {
        description:
          'The dates: today (UTC) or later; the end not before the deprecation. Sending the same dates again changes nothing.',
      },
    ),
    response: ApiDeprecation,
  }),
  withdrawDeprecation: consoleOperation({
    method: 'DELETE',
    path: '/console/api/deprecation',
    access: 'OWNER',
    sensitive: true,
    summary: 'Withdraw the deprecation, and notify everyone who was notified of it.',
    response: ApiDeprecation,
  }),
  listNotices: consoleOperation({
    method: 'GET',
    path: '/console/api/notices',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the messages to people: unsent ones first, then the newest.',
    response: closed(
      {
        notices: listOf(ConsoleNotice, 'The messages.', [], shownNoticesMaximum),
        messages: noticeCounts,
        mailWay: oneOf(['SMTP', 'FILE'], 'Delivery method.', 'FILE'),
      },
      { description: 'The messages.' },
    ),
  }),
  resendNotice: consoleOperation({
    method: 'POST',
    path: '/console/api/notices/:id/resend',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Resend a message that failed or is in doubt. It may arrive twice.',
    response: ConsoleNotice,
  }),
} as const
