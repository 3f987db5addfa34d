import type { Static } from 'typebox'
import { closed, count, flag, listOf, nullable, oneOf, text, timestamp } from '../fields.ts'
import { consoleOperation } from './console-operation.ts'

/** How many events that wait for a stream are counted. */
export const streamWaitingMaximum = 10_000

const EventStream = closed(
  {
    kind: oneOf(['FILE', 'SYSLOG'], 'What it is.', 'SYSLOG'),
    target: text('Where it goes.', 'tls://siem.example.com:6514', 4096),
    heldUp: flag('Whether it has taken nothing since it failed; it is tried again.', false),
    deliveredTimestamp: nullable(timestamp('When it last took events of the organization; null: never yet.')),
    pending: count('How many events of the organization wait for it, counted to 10,000.', 0),
    oldestPendingTimestamp: nullable(timestamp('When the oldest of them happened; null if none waits.')),
    lastError: nullable(text('Why it failed the last time; null: it never has.', 'ECONNREFUSED', 512)),
    lastErrorTimestamp: nullable(timestamp('When that was.')),
  },
  { $id: 'EventStream', description: 'A stream of events of the server, and how it fares.' },
)
export type EventStream = Static<typeof EventStream>

/** The streams of events that the operator sets up for the whole server. */
export const streamOperations = {
  listStreams: consoleOperation({
    method: 'GET',
    path: '/console/api/streams',
    access: 'OWNER',
    sensitive: false,
    summary: 'Say how the streams of events of the server fare.',
    response: closed(
      { streams: listOf(EventStream, 'The streams that are set up.', [], 2) },
      { description: 'The streams.' },
    ),
  }),
} as const
