import { type Static, Type } from 'typebox'
import {
  closed,
  count,
  flag,
  id,
  listOf,
  lookup,
  nullable,
  oneOf,
  text,
  timestamp,
} from '../../api/fields.ts'
import { Done } from '../console-fields.ts'
import { consoleOperation } from '../console-operation.ts'
import { AlertRule, AlertRuleChange, AlertRuleInput, alertRulesMaximum } from './alert-rule.ts'

/** Number of messages that the log of a rule shows: the latest. */
export const shownAlertsMaximum = 100

/**
 * State of a message to one receiver. `PENDING`: not attempted yet, or will be retried; `DELIVERED`: accepted; `FAILED`: refused
 * or not reached; `IN_DOUBT`: an e-mail that was handed over without a response.
 */
export const alertStates = ['PENDING', 'DELIVERED', 'FAILED', 'IN_DOUBT'] as const

export const AlertDelivery = closed(
  {
    messageId: id('ID of the message. It stays the same when the message is sent again.'),
    timestamp: timestamp('Time when the message was written.'),
    title: text('Title of the message.', '7 people on evil.example: Phishing', 512),
    receiver: nullable(text('E-mail address; null for other destinations.', 'soc@example.com', 254)),
    state: oneOf(alertStates, 'Delivery state.', 'DELIVERED'),
    test: flag('True if it is a test message.', false),
    attempts: count('Number of attempts.', 1),
    status: nullable(count('HTTP status of the last response; null if there was none.', 200)),
    error: nullable(text('Error of the last attempt; null if it succeeded.', 'HTTP status 404', 512)),
    nextTimestamp: nullable(timestamp('Time of the next attempt; null if there is none.')),
  },
  { $id: 'AlertDelivery', description: 'A message of a rule to one receiver.' },
)
export type AlertDelivery = Static<typeof AlertDelivery>

/** Operations on alert rules. */
export const alertOperations = {
  listAlertRules: consoleOperation({
    method: 'GET',
    path: '/console/api/alerts',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the alert rules.',
    response: closed(
      {
        rules: listOf(AlertRule, 'The rules, oldest first.', [], alertRulesMaximum),
        timeZone: text('Time zone of digests.', 'Europe/Berlin', 64),
        allowsPrivate: flag('True if private and loopback addresses are allowed by setting.', false),
      },
      { description: 'The rules.' },
    ),
  }),
  addAlertRule: consoleOperation({
    method: 'POST',
    path: '/console/api/alerts',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Add an alert rule.',
    body: AlertRuleInput,
    response: AlertRule,
  }),
  changeAlertRule: consoleOperation({
    method: 'PATCH',
    path: '/console/api/alerts/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Change, enable or disable an alert rule.',
    body: AlertRuleChange,
    response: AlertRule,
  }),
  removeAlertRule: consoleOperation({
    method: 'DELETE',
    path: '/console/api/alerts/:id',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Remove an alert rule with its log.',
    response: Done,
  }),
  testAlertRule: consoleOperation({
    method: 'POST',
    path: '/console/api/alerts/:id/test',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Send a test message in a single attempt, even if the rule is disabled.',
    response: closed(
      {
        delivered: flag('True if all receivers accepted it.'),
        error: nullable(text('Reason why it was not accepted; null if it was.', 'HTTP status 404', 1024)),
      },
      { description: 'Result of the attempt.' },
    ),
  }),
  listAlertDeliveries: consoleOperation({
    method: 'GET',
    path: '/console/api/alerts/:id/deliveries',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the log of an alert rule: the latest messages, newest first.',
    response: closed(
      { deliveries: listOf(AlertDelivery, 'The messages.', [], shownAlertsMaximum) },
      { description: 'The log. Messages are kept for 30 days.' },
    ),
  }),
  resendAlert: consoleOperation({
    method: 'POST',
    path: '/console/api/alerts/:id/send-again',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Send a message again, with the same ID.',
    body: closed(
      {
        messageId: id('The message.'),
        receiver: Type.Optional(
          lookup('E-mail address; omit it for other destinations.', 'soc@example.com', 254, 1),
        ),
      },
      { description: 'The message.' },
    ),
    response: Done,
  }),
} as const
