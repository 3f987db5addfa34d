import { type Static, Type } from 'typebox'
import {
  closed,
  count,
  exact,
  flag,
  id,
  listOf,
  lookup,
  nullable,
  oneOf,
  secret,
  strictEmail,
  text,
  timestamp,
  typedName,
} from '../../api/fields.ts'
import { detectionTypes, severities } from '../../records/detection.ts'
import { findingTypes } from '../../records/finding.ts'
import { priorities } from '../../risk/risk-levels.ts'
import { alertDestinations, alertSchedules, alertTriggers } from './alert-kinds.ts'

/** Maximum number of alert rules per organization. */
export const alertRulesMaximum = 50
/** Maximum number of e-mail addresses of a rule. */
export const alertAddressesMaximum = 20
/** Maximum number of groups of a rule. */
export const alertGroupsMaximum = 20

const integer = (description: string, example: number, minimum: number, maximum: number) =>
  Type.Integer({ description, examples: [example], minimum, maximum })

/** Members of a rule that can be read and changed. */
const members = {
  name: typedName('Name of the rule; it is shown in the alerts.', 'Phishing to the security channel', 128),
  enabled: flag('True if alerts are sent.'),
  triggers: listOf(
    oneOf(alertTriggers, 'An event.', 'DETECTION'),
    'Events that people are told about.',
    ['DETECTION'],
    alertTriggers.length,
    { minItems: 1, uniqueItems: true },
  ),
  detectionTypes: listOf(
    oneOf(detectionTypes, 'Type of a detection.', 'PHISHING'),
    'Types of detections; empty for all.',
    ['PHISHING'],
    detectionTypes.length,
    { uniqueItems: true },
  ),
  minSeverity: oneOf(severities, 'Lowest severity of detections.', 'HIGH'),
  findingTypes: listOf(
    oneOf(findingTypes, 'Type of a finding.', 'LEAKED_PASSWORD'),
    'Types of findings; empty for all.',
    ['LEAKED_PASSWORD'],
    findingTypes.length,
    { uniqueItems: true },
  ),
  minPriority: oneOf(priorities, 'Lowest priority of findings.', 'P1'),
  groups: listOf(
    lookup('Name of a group.', 'Finance', 128, 1),
    'Groups of employees; empty for everyone. New apps have no employee, so they are left out if groups are set.',
    ['Finance'],
    alertGroupsMaximum,
    { uniqueItems: true },
  ),
  silentDays: integer('Days without contact after which an agent is silent.', 7, 1, 365),
  destination: oneOf(alertDestinations, 'Kind of receiver.', 'SLACK'),
  addresses: listOf(
    strictEmail('An e-mail address.'),
    'Receivers of e-mails; empty for other destinations.',
    ['soc@example.com'],
    alertAddressesMaximum,
    { uniqueItems: true },
  ),
  schedule: oneOf(alertSchedules, 'IMMEDIATE, or a digest every hour, day or week.', 'IMMEDIATE'),
  hour: integer('Hour of daily and weekly digests in the time zone of the organization.', 9, 0, 23),
  weekday: integer('Day of weekly digests: 1 is Monday, 7 is Sunday.', 1, 1, 7),
}

/** Parts of the destination that are secret: stored encrypted, never shown. A key belongs to its URL, so both are replaced at once. */
const target = closed(
  {
    url: Type.Optional(
      exact(
        'URL that alerts are posted to. PagerDuty needs none, unless the account is in another region.',
        'https://hooks.slack.com/services/T000/B000/XXXX',
        2048,
        1,
      ),
    ),
    key: Type.Optional(
      secret('Integration key of PagerDuty, or the signing secret of a webhook.', 'x'.repeat(32), 256, 1),
    ),
  },
  { description: 'Address and key of the destination. They are not shown again.' },
)

export const AlertRule = closed(
  {
    id: id('ID of the rule.'),
    ...members,
    target: nullable(
      text(
        'Scheme and host of the URL; null for e-mail. The rest is secret.',
        'https://hooks.slack.com',
        300,
      ),
    ),
    creationTimestamp: timestamp('Time when the rule was added.'),
    createdBy: text('Administrator who added it.', 'ada.byron@example.com', 256),
    waiting: count('Number of events that wait for the next alert or digest.', 3),
    nextTimestamp: nullable(timestamp('Time of the next digest; null if nothing waits for one.')),
    undelivered: count('Number of messages that are not delivered yet or failed.', 0),
  },
  { $id: 'AlertRule', description: 'A rule that tells people about events, without its secrets.' },
)
export type AlertRule = Static<typeof AlertRule>

/** Members that a new rule need not have. */
export type OptionalRuleMember =
  | 'detectionTypes'
  | 'minSeverity'
  | 'findingTypes'
  | 'minPriority'
  | 'groups'
  | 'silentDays'
  | 'addresses'
  | 'schedule'
  | 'hour'
  | 'weekday'

/** Values of a new rule. */
export const alertDefaults: Readonly<Pick<AlertRule, OptionalRuleMember>> = {
  detectionTypes: [],
  minSeverity: 'LOW',
  findingTypes: [],
  minPriority: 'P4',
  groups: [],
  silentDays: 7,
  addresses: [],
  schedule: 'IMMEDIATE',
  hour: 9,
  weekday: 1,
}

const { name, triggers, destination, ...others } = members
const optional = {
  enabled: Type.Optional(others.enabled),
  detectionTypes: Type.Optional(others.detectionTypes),
  minSeverity: Type.Optional(others.minSeverity),
  findingTypes: Type.Optional(others.findingTypes),
  minPriority: Type.Optional(others.minPriority),
  groups: Type.Optional(others.groups),
  silentDays: Type.Optional(others.silentDays),
  addresses: Type.Optional(others.addresses),
  schedule: Type.Optional(others.schedule),
  hour: Type.Optional(others.hour),
  weekday: Type.Optional(others.weekday),
  target: Type.Optional(target),
}

export const AlertRuleInput = closed(
  { name, triggers, destination, ...optional },
  {
    $id: 'AlertRuleInput',
    description:
      'The new rule. By default it is enabled, sends at once, and includes all types and every severity and priority.',
  },
)
export type AlertRuleInput = Static<typeof AlertRuleInput>

export const AlertRuleChange = closed(
  {
    name: Type.Optional(name),
    triggers: Type.Optional(triggers),
    destination: Type.Optional(destination),
    ...optional,
  },
  {
    $id: 'AlertRuleChange',
    description: 'Members to change; at least one. Another destination needs a new target or new addresses.',
    minProperties: 1,
  },
)
export type AlertRuleChange = Static<typeof AlertRuleChange>
