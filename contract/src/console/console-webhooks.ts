import { type Static, Type } from 'typebox'
import {
  closed,
  count,
  exact,
  flag,
  id,
  listOf,
  nullable,
  oneOf,
  text,
  timestamp,
  typedName,
} from '../api/fields.ts'
import { eventCategories } from '../events/event-envelope.ts'
import { eventObjects } from '../events/event-objects.ts'
import { Done } from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

/** Maximum number of endpoints per organization. */
export const webhooksMaximum = 50
/** Maximum number of custom headers per endpoint. */
export const webhookHeadersMaximum = 20
/** Maximum number of events per request of an endpoint. */
export const webhookBatchMaximum = 500
/** Maximum number of deliveries per page of the log, and of events per resend request. */
export const deliveriesAtOnce = 100
/** Number of bytes of a response that are stored (events contract, section 1, rule 5). */
export const answerKeptBytes = 2048

/**
 * State of a delivery. `PENDING`: not attempted yet, or will be retried; `DELIVERED`: acknowledged; `FAILED`: will not be
 * retried automatically.
 */
export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Reasons for a disabled endpoint: an administrator, or almost only failures within 24 hours (events contract, section 1, rule 5). */
export const disabledReasons = ['ADMINISTRATOR', 'FAILURES'] as const

/** Name of an endpoint. */
export const webhookName = typedName('Display name.', 'SIEM', 128)
const url = exact('URL to which events are sent.', 'https://siem.example.com/muster', 2048, 1)
const eventId = id('The event.')
const object = oneOf(eventObjects, 'An event object.', 'LOGIN')
const wishes = {
  categories: listOf(
    oneOf(eventCategories, 'A category.', 'DETECTION'),
    'Categories whose events are all sent.',
    ['DETECTION'],
    eventCategories.length,
    { uniqueItems: true },
  ),
  objects: listOf(object, 'Further objects whose events are sent.', ['LOGIN'], eventObjects.length, {
    uniqueItems: true,
  }),
}
const batchSize = Type.Integer({
  description:
    'Maximum number of events per request. 1: the request has the event itself; more: an array of events.',
  examples: [1],
  minimum: 1,
  maximum: webhookBatchMaximum,
})
const headers = listOf(
  closed(
    {
      name: exact('The name.', 'Authorization', 128, 1),
      value: exact('The value; it is kept encrypted and not shown again.', 'Bearer …', 2048),
    },
    { description: 'A header.' },
  ),
  'Custom headers of every request.',
  [],
  webhookHeadersMaximum,
)

export const Webhook = closed(
  {
    id: id('ID of the endpoint.'),
    name: nullable(text('Display name.', 'SIEM', 128)),
    url,
    enabled: flag('True if events are sent.'),
    disabledReason: nullable(
      oneOf(disabledReasons, 'Reason why it is disabled; null while enabled.', 'FAILURES'),
    ),
    ...wishes,
    batchSize,
    headerNames: listOf(
      text('The name of a header.', 'Authorization', 128),
      'Names of the custom headers; their values are secret.',
      ['Authorization'],
      webhookHeadersMaximum,
    ),
    previousSecretEndTimestamp: nullable(
      timestamp(
        'Time until which events are also signed with the previous secret; null if there is only one secret.',
      ),
    ),
    creationTimestamp: timestamp('Time when it was added.'),
    createdBy: text('Administrator who added it.', 'ada.byron@example.com', 256),
    pending: count('Number of pending events.', 3),
    oldestPendingTimestamp: nullable(timestamp('Time of the oldest pending event; null if none.')),
    dayDelivered: count('Number of acknowledged attempts in the last 24 hours.', 1200),
    dayFailed: count('Number of failed attempts in the last 24 hours.', 2),
  },
  { $id: 'Webhook', description: 'A webhook endpoint without its secret.' },
)
export type Webhook = Static<typeof Webhook>

const secret = text('The signing secret. It is shown once.', 'mwhs_…', 64)

const Attempt = closed(
  {
    attempt: count('Number of the attempt, from 1. Resent attempts continue after the fourth.', 1),
    timestamp: timestamp('Time when it was made.'),
    status: nullable(count('HTTP status of the response; null if there was none.', 200)),
    latencyMs: count('Time until the response or the timeout, in milliseconds.', 42),
    answer: text(
      'Beginning of the response, at most 2 KiB; masked for read-only administrators.',
      'ok',
      answerKeptBytes,
    ),
    error: nullable(text('Error; null if it was acknowledged.', 'no answer in 5 s', 512)),
  },
  { $id: 'WebhookAttempt', description: 'A delivery attempt.' },
)
export type WebhookAttempt = Static<typeof Attempt>

const delivery = {
  eventId,
  object,
  category: oneOf(eventCategories, 'The kind of the event.', 'ACTIVITY'),
  timestamp: timestamp('Time when the event happened.'),
  state: oneOf(deliveryStates, 'Delivery state.', 'DELIVERED'),
  test: flag('True if it is a test event.', false),
  attempts: count('Number of attempts.', 1),
  dueTimestamp: nullable(timestamp('Time when the next attempt is due; null if there is none.')),
}
const Delivery = closed(
  {
    ...delivery,
    lastStatus: nullable(count('HTTP status of the last response; null if there was none.', 200)),
    lastError: nullable(text('Error of the last attempt; null if it succeeded.', 'no answer in 5 s', 512)),
  },
  { $id: 'WebhookDelivery', description: 'Delivery of an event to an endpoint.' },
)
export type WebhookDelivery = Static<typeof Delivery>

const WholeDelivery = closed(
  {
    ...delivery,
    request: closed(
      {
        url,
        headers: listOf(
          closed(
            {
              name: text('The name.', 'content-type', 128),
              value: nullable(text('The value; null if it is secret or different each time.', 'x', 256)),
            },
            { description: 'A header.' },
          ),
          'The headers.',
          [],
          webhookHeadersMaximum + 10,
        ),
        body: text('The exact request body.', '{"version":"1"}', 16 * 1024 * 1024),
      },
      { description: 'The request as it would be sent now.' },
    ),
    history: listOf(Attempt, 'The attempts of the last 30 days, oldest first.', [], 1000),
  },
  {
    $id: 'WholeWebhookDelivery',
    description: 'Delivery of an event to an endpoint, with request and responses.',
  },
)
export type WholeWebhookDelivery = Static<typeof WholeDelivery>

const IssuedWebhook = closed({ webhook: Webhook, secret }, { description: 'The endpoint and its secret.' })

/** Operations on webhook endpoints. */
export const webhookOperations = {
  listWebhooks: consoleOperation({
    method: 'GET',
    path: '/console/api/webhooks',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the webhook endpoints.',
    response: closed(
      {
        webhooks: listOf(Webhook, 'The endpoints, oldest first.', [], webhooksMaximum),
        allowsPrivate: flag('True if private and loopback addresses are allowed by setting.', false),
      },
      { description: 'The endpoints.' },
    ),
  }),
  addWebhook: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Add an endpoint and show its secret once.',
    body: closed(
      {
        url,
        name: Type.Optional(nullable(webhookName)),
        categories: Type.Optional(wishes.categories),
        objects: Type.Optional(wishes.objects),
        headers: Type.Optional(headers),
        batchSize: Type.Optional(batchSize),
      },
      { description: 'The endpoint. Without categories and objects it receives all events.' },
    ),
    response: IssuedWebhook,
  }),
  changeWebhook: consoleOperation({
    method: 'PATCH',
    path: '/console/api/webhooks/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Change, enable or disable an endpoint.',
    body: closed(
      {
        url: Type.Optional(url),
        name: Type.Optional(nullable(webhookName)),
        enabled: Type.Optional(
          flag('True to send events. Pending events are sent after it is enabled again.'),
        ),
        categories: Type.Optional(wishes.categories),
        objects: Type.Optional(wishes.objects),
        headers: Type.Optional(headers),
        batchSize: Type.Optional(batchSize),
      },
      { description: 'Members to change; lists are replaced as a whole.' },
    ),
    response: Webhook,
  }),
  removeWebhook: consoleOperation({
    method: 'DELETE',
    path: '/console/api/webhooks/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Remove an endpoint with its pending events and its log.',
    response: Done,
  }),
  rotateWebhook: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/rotate',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Rotate the secret of an endpoint. Events are signed with both secrets for 24 hours.',
    response: IssuedWebhook,
  }),
  testWebhook: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/test',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Send a test event in a single attempt, even to a disabled endpoint.',
    body: closed(
      { object: Type.Optional(object) },
      { description: 'The event object; defaults to the first subscribed one.' },
    ),
    response: closed(
      { eventId, delivered: flag('True if it was acknowledged.'), attempt: Attempt },
      { description: 'Result of the attempt.' },
    ),
  }),
  readWebhookHours: consoleOperation({
    method: 'GET',
    path: '/console/api/webhooks/:id/hours',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Count the attempts per hour over the last 30 days.',
    response: closed(
      {
        hours: listOf(
          closed(
            {
              hourTimestamp: timestamp('The first second of the hour.'),
              delivered: count('Number of acknowledged attempts.', 120),
              failed: count('Number of failed attempts.', 2),
              latencyMs: count('Average response time in milliseconds.', 42),
            },
            { description: 'An hour with attempts.' },
          ),
          'Hours with at least one, oldest first.',
          [],
          31 * 24,
        ),
      },
      { description: 'Health over time.' },
    ),
  }),
  listDeliveries: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/deliveries',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the log of an endpoint, newest event first. Changes nothing.',
    body: closed(
      {
        state: Type.Optional(oneOf(deliveryStates, 'Only deliveries in this state.', 'FAILED')),
        object: Type.Optional(object),
        since: Type.Optional(timestamp('Only events written at this time or later.')),
        until: Type.Optional(timestamp('Only events written before this time.')),
        cursor: Type.Optional(
          exact('Cursor from the previous page; omit it to start at the newest.', '', 64),
        ),
      },
      { description: 'Filters of the log.' },
    ),
    response: closed(
      {
        deliveries: listOf(Delivery, 'The deliveries.', [], deliveriesAtOnce),
        cursor: nullable(text('Cursor for the next page; null at the end.', '', 64)),
      },
      { description: 'A page of the log. It may be short or empty even if more follow.' },
    ),
  }),
  readDelivery: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/delivery',
    access: 'READ_ONLY',
    sensitive: false,
    summary:
      'Read a delivery with its request and responses. Changes nothing. Audit events require the permission to read the audit trail.',
    body: closed({ eventId }, { description: 'The event.' }),
    response: WholeDelivery,
  }),
  sendAgain: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/send-again',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Resend events to an endpoint: some, or those of a time range.',
    body: closed(
      {
        eventIds: Type.Optional(
          listOf(eventId, 'These events.', ['01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90'], deliveriesAtOnce, {
            minItems: 1,
          }),
        ),
        since: Type.Optional(timestamp('Events written at or after this time.')),
        until: Type.Optional(timestamp('Events written before this time; defaults to now.')),
        onlyFailed: Type.Optional(flag('In a time range: only events that were not acknowledged.')),
      },
      { description: 'Either eventIds, or since with or without until.' },
    ),
    response: closed(
      { events: count('Number of events that will be sent.', 12) },
      { description: 'The events are queued.' },
    ),
  }),
} as const
