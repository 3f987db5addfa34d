import { type Static, Type } from 'typebox'
import { eventCategories } from '../event-envelope.ts'
import { eventObjects } from '../event-objects.ts'
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
} from '../fields.ts'
import { Done } from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

/** How many endpoints an organization may have. */
export const webhooksMaximum = 50
/** How many static headers an endpoint may have. */
export const webhookHeadersMaximum = 20
/** How many deliveries a page of the log has, and how many events can be named to be sent again. */
export const deliveriesAtOnce = 100
/** So much of an answer is kept, in bytes (events contract, section 1, rule 5). */
export const answerKeptBytes = 2048

/**
 * What becomes of an event for an endpoint. `PENDING`: it was not tried yet, or will be tried again; `DELIVERED`: it was
 * acknowledged; `FAILED`: it will not be tried again by itself.
 */
export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an endpoint is off: by an administrator, or since nearly all attempts of 24 hours failed (events contract, section 1, rule 5). */
export const disabledReasons = ['ADMINISTRATOR', 'FAILURES'] as const

/** Name of an endpoint. */
export const webhookName = typedName('What people call it.', 'SIEM', 128)
const url = exact('Where events are sent.', 'https://siem.example.com/muster', 2048, 1)
const eventId = id('The event.')
const object = oneOf(eventObjects, 'What an event is about.', 'LOGIN')
const wishes = {
  categories: listOf(
    oneOf(eventCategories, 'A category.', 'DETECTION'),
    'The categories of which all events are sent.',
    ['DETECTION'],
    eventCategories.length,
    { uniqueItems: true },
  ),
  objects: listOf(object, 'Further objects whose events are sent.', ['LOGIN'], eventObjects.length, {
    uniqueItems: true,
  }),
}
const headers = listOf(
  closed(
    {
      name: exact('The name.', 'Authorization', 128, 1),
      value: exact('The value; it is kept encrypted and not shown again.', 'Bearer …', 2048),
    },
    { description: 'A header.' },
  ),
  'Headers that every request has besides those of Muster.',
  [],
  webhookHeadersMaximum,
)

export const Webhook = closed(
  {
    id: id('The id of the endpoint.'),
    name: nullable(text('What people call it.', 'SIEM', 128)),
    url,
    enabled: flag('Whether events are sent.'),
    disabledReason: nullable(oneOf(disabledReasons, 'Why it is off; null while it is on.', 'FAILURES')),
    ...wishes,
    headerNames: listOf(
      text('The name of a header.', 'Authorization', 128),
      'The names of its own headers; their values are secret.',
      ['Authorization'],
      webhookHeadersMaximum,
    ),
    previousSecretEndTimestamp: nullable(
      timestamp('Until when events are signed with the secret before, too; null: with one secret only.'),
    ),
    creationTimestamp: timestamp('When it was added.'),
    createdBy: text('Who added it.', 'ada.byron@example.com', 256),
    pending: count('How many events wait for it, counted to 10,000.', 3),
    oldestPendingTimestamp: nullable(timestamp('When the oldest of them happened; null if none waits.')),
    dayDelivered: count('Attempts of the last 24 hours that were acknowledged.', 1200),
    dayFailed: count('Attempts of the last 24 hours that were not.', 2),
  },
  { $id: 'Webhook', description: 'An endpoint that events are sent to, without its secret.' },
)
export type Webhook = Static<typeof Webhook>

const secret = text('The secret that requests are signed with. It is shown this once.', 'mwhs_…', 64)

const Attempt = closed(
  {
    attempt: count('Which attempt it was, from 1; sending again goes on counting behind the fourth.', 1),
    timestamp: timestamp('When it was made.'),
    status: nullable(count('The status of the answer; null if none came.', 200)),
    latencyMs: count('How long the answer took, or until it was given up, in milliseconds.', 42),
    answer: text(
      'The beginning of the answer, at most 2 KiB; masked for who may only read.',
      'ok',
      answerKeptBytes,
    ),
    error: nullable(text('Why it failed; null if it was acknowledged.', 'no response within 5 s', 512)),
  },
  { $id: 'WebhookAttempt', description: 'One request to an endpoint, and what came of it.' },
)
export type WebhookAttempt = Static<typeof Attempt>

const delivery = {
  eventId,
  object,
  category: oneOf(eventCategories, 'The kind of the event.', 'ACTIVITY'),
  timestamp: timestamp('When the event happened.'),
  state: oneOf(deliveryStates, 'What became of it.', 'DELIVERED'),
  test: flag('Whether it is a test event.', false),
  attempts: count('How many attempts there were.', 1),
  dueTimestamp: nullable(timestamp('When the next attempt is due; null if there is none.')),
}
const Delivery = closed(
  {
    ...delivery,
    lastStatus: nullable(count('The status of the last answer; null if none came.', 200)),
    lastError: nullable(
      text('Why the last attempt failed; null if it did not.', 'no response within 5 s', 512),
    ),
  },
  { $id: 'WebhookDelivery', description: 'An event and an endpoint.' },
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
              value: nullable(text('The value; null: it is secret, or another one each time.', 'x', 256)),
            },
            { description: 'A header.' },
          ),
          'The headers.',
          [],
          webhookHeadersMaximum + 10,
        ),
        body: text('The body, exactly as it is sent.', '{"version":"1"}', 16 * 1024 * 1024),
      },
      { description: 'The request, as it would be sent now.' },
    ),
    history: listOf(Attempt, 'The attempts of the last 30 days, oldest first.', [], 1000),
  },
  { $id: 'WholeWebhookDelivery', description: 'An event and an endpoint, with request and answers.' },
)
export type WholeWebhookDelivery = Static<typeof WholeDelivery>

const IssuedWebhook = closed({ webhook: Webhook, secret }, { description: 'The endpoint and its secret.' })

/** Endpoints that events are sent to. */
export const webhookOperations = {
  listWebhooks: consoleOperation({
    method: 'GET',
    path: '/console/api/webhooks',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the endpoints that events are sent to.',
    response: closed(
      {
        webhooks: listOf(Webhook, 'The endpoints, oldest first.', [], webhooksMaximum),
        allowsPrivate: flag('Whether private and loopback addresses are allowed by setting.', false),
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
      },
      { description: 'The endpoint. Without categories and objects it is sent everything.' },
    ),
    response: IssuedWebhook,
  }),
  changeWebhook: consoleOperation({
    method: 'PATCH',
    path: '/console/api/webhooks/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Change an endpoint, or switch it off or on.',
    body: closed(
      {
        url: Type.Optional(url),
        name: Type.Optional(nullable(webhookName)),
        enabled: Type.Optional(flag('Whether events are sent; what waited goes on when it is on again.')),
        categories: Type.Optional(wishes.categories),
        objects: Type.Optional(wishes.objects),
        headers: Type.Optional(headers),
      },
      { description: 'What is to change; lists are replaced as a whole.' },
    ),
    response: Webhook,
  }),
  removeWebhook: consoleOperation({
    method: 'DELETE',
    path: '/console/api/webhooks/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Remove an endpoint, with what waits for it and its log.',
    response: Done,
  }),
  rotateWebhook: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/rotate',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Give an endpoint a new secret; events are signed with both for 24 hours.',
    response: IssuedWebhook,
  }),
  testWebhook: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/test',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Send a made-up event at once, in one attempt, also to an endpoint that is off.',
    body: closed(
      { object: Type.Optional(object) },
      { description: 'What it is about; left out: the first object that the endpoint is sent.' },
    ),
    response: closed(
      { eventId, delivered: flag('Whether it was acknowledged.'), attempt: Attempt },
      { description: 'What came of it.' },
    ),
  }),
  readWebhookHours: consoleOperation({
    method: 'GET',
    path: '/console/api/webhooks/:id/hours',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Say how attempts went in each hour of the last 30 days.',
    response: closed(
      {
        hours: listOf(
          closed(
            {
              hourTimestamp: timestamp('The first second of the hour.'),
              delivered: count('Attempts that were acknowledged.', 120),
              failed: count('Attempts that were not.', 2),
              latencyMs: count('How long an attempt took on the average, in milliseconds.', 42),
            },
            { description: 'An hour with attempts.' },
          ),
          'The hours that had any, oldest first.',
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
        cursor: Type.Optional(exact('What the page before gave; left out: from the newest.', '', 64)),
      },
      { description: 'What to look for.' },
    ),
    response: closed(
      {
        deliveries: listOf(Delivery, 'The deliveries.', [], deliveriesAtOnce),
        cursor: nullable(text('To be passed for what follows; null at the end.', '', 64)),
      },
      { description: 'A page of the log. It may be short, or empty, and yet go on.' },
    ),
  }),
  readDelivery: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/delivery',
    access: 'READ_ONLY',
    sensitive: false,
    summary:
      'Read one delivery with its request and the answers. Changes nothing. An event of the audit trail is for who may read that.',
    body: closed({ eventId }, { description: 'The event.' }),
    response: WholeDelivery,
  }),
  sendAgain: consoleOperation({
    method: 'POST',
    path: '/console/api/webhooks/:id/send-again',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Send events to an endpoint again: some, or those of a time.',
    body: closed(
      {
        eventIds: Type.Optional(
          listOf(eventId, 'These events.', ['01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90'], deliveriesAtOnce, {
            minItems: 1,
          }),
        ),
        since: Type.Optional(timestamp('Events that were written at this time or later.')),
        until: Type.Optional(timestamp('Events that were written before this time; left out: until now.')),
        onlyFailed: Type.Optional(flag('Of a time: only those that the endpoint did not acknowledge.')),
      },
      { description: 'Either eventIds, or since with or without until.' },
    ),
    response: closed(
      { events: count('How many events will be sent.', 12) },
      { description: 'They wait to be sent.' },
    ),
  }),
} as const
