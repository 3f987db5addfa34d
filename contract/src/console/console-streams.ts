import type { Static } from 'typebox'
import { closed, count, flag, listOf, nullable, oneOf, text, timestamp } from '../api/fields.ts'
import { streamKinds } from '../events/stream-kinds.ts'
import { consoleOperation } from './console-operation.ts'

const EventStream = closed(
  {
    kind: oneOf(streamKinds, 'Kind of the stream.', 'SYSLOG'),
    target: text('Target of the stream.', 'tls://siem.example.com:6514', 4096),
    heldUp: flag('True if the stream has accepted nothing since it failed. Delivery is retried.', false),
    deliveredTimestamp: nullable(
      timestamp('Time of the last delivered event of the organization; null if none.'),
    ),
    pending: count('Number of pending events of the organization.', 0),
    oldestPendingTimestamp: nullable(timestamp('Time of the oldest pending event; null if none.')),
    lastError: nullable(text('Last error; null if none.', 'ECONNREFUSED', 512)),
    lastErrorTimestamp: nullable(timestamp('Time of the last error.')),
  },
  { $id: 'EventStream', description: 'An event stream of the server and its state.' },
)
export type EventStream = Static<typeof EventStream>

/** Operations on the event streams that the operator configures for the whole server. */
export const streamOperations = {
  listStreams: consoleOperation({
    method: 'GET',
    path: '/console/api/streams',
    access: 'OWNER',
    sensitive: false,
    summary: 'List the event streams of the server with their state.',
    response: closed(
      { streams: listOf(EventStream, 'Configured streams.', [], streamKinds.length) },
      { description: 'The streams.' },
    ),
  }),
} as const
