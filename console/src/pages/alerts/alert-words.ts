import {
  type AlertDestination,
  type AlertSchedule,
  type AlertTrigger,
  weekdays,
} from '@muster/contract/console/alerts/alert-kinds'
import type { AlertRule } from '@muster/contract/console/alerts/alert-rule'
import { labelOf } from '../../ui/text/labels.ts'

export const triggerNames: Readonly<Record<AlertTrigger, string>> = {
  DETECTION: 'Detections',
  FINDING: 'Findings',
  NEW_APP: 'New apps',
  NEW_UNRECOGNIZED_APP: 'New unrecognized apps',
  SILENT_AGENT: 'Silent agents',
}

export const destinationNames: Readonly<Record<AlertDestination, string>> = {
  EMAIL: 'E-mail',
  SLACK: 'Slack',
  TEAMS: 'Microsoft Teams',
  PAGERDUTY: 'PagerDuty',
  WEBHOOK: 'Webhook',
}

export const scheduleNames: Readonly<Record<AlertSchedule, string>> = {
  IMMEDIATE: 'Immediately',
  HOURLY: 'Hourly digest',
  DAILY: 'Daily digest',
  WEEKLY: 'Weekly digest',
}

/** Returns a full hour: `09:00`. */
export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Describes when messages are sent: `Every Monday at 09:00 (Europe/Berlin)`. */
export function scheduleText(
  { schedule, hour, weekday }: Pick<AlertRule, 'schedule' | 'hour' | 'weekday'>,
  timeZone: string,
): string {
  if (schedule === 'IMMEDIATE') return 'Immediately'
  if (schedule === 'HOURLY') return 'Every hour'
  const day = schedule === 'DAILY' ? 'day' : (weekdays[weekday - 1] ?? 'week')
  return `Every ${day} at ${hourText(hour)} (${timeZone})`
}

type Conditions = Pick<
  AlertRule,
  'triggers' | 'detectionTypes' | 'minSeverity' | 'findingTypes' | 'minPriority' | 'groups' | 'silentDays'
>

/** Describes the events of a rule: `Detections (Phishing, High or higher), new apps`. */
export function conditionsText(rule: Conditions): string {
  const { triggers, detectionTypes, minSeverity, findingTypes, minPriority, groups, silentDays } = rule
  const facts: Readonly<Record<AlertTrigger, readonly (string | false)[]>> = {
    DETECTION: [
      detectionTypes.map(labelOf).join(', '),
      minSeverity !== 'LOW' &&
        (minSeverity === 'CRITICAL' ? 'Critical' : `${labelOf(minSeverity)} or higher`),
    ],
    FINDING: [
      findingTypes.map(labelOf).join(', '),
      minPriority !== 'P4' && (minPriority === 'P1' ? 'P1' : `P1 to ${minPriority}`),
    ],
    NEW_APP: [],
    NEW_UNRECOGNIZED_APP: [],
    SILENT_AGENT: [silentDays === 1 ? '1 day' : `${silentDays} days`],
  }
  const parts = triggers.map((trigger) => {
    const own = facts[trigger].filter(Boolean).join('; ')
    return own === '' ? triggerNames[trigger] : `${triggerNames[trigger]} (${own})`
  })
  return `${parts.join(', ')}${groups.length === 0 ? '' : ` of ${groups.join(', ')}`}`
}

/** Describes the receivers of a rule. */
export const receiverText = ({ destination, target, addresses }: AlertRule): string =>
  destination === 'EMAIL'
    ? addresses.join(', ')
    : [destinationNames[destination], target].filter(Boolean).join(' · ')

/** Returns the state of a rule as a label and a color. */
export function ruleState({ enabled, undelivered }: Pick<AlertRule, 'enabled' | 'undelivered'>): {
  readonly text: string
  readonly tone: string
} {
  if (!enabled) return { text: 'Disabled', tone: '' }
  return undelivered === 0
    ? { text: 'Enabled', tone: 'good' }
    : { text: `${undelivered} not delivered`, tone: 'high' }
}

/** Splits a text with one entry per line. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]
