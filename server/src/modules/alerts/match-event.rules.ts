import { type Detection, severities } from '@muster/contract/records/detection'
import type { Finding } from '@muster/contract/records/finding'
import { priorities } from '@muster/contract/risk/risk-levels'
import {
  type AlertEvent,
  type EventContext,
  type RuleDefinition,
  triggerOfEvent,
} from './alert-facts.rules.ts'

type Conditions = Pick<
  RuleDefinition,
  'triggers' | 'detectionTypes' | 'minSeverity' | 'findingTypes' | 'minPriority' | 'groups'
>

/**
 * Decides if a rule tells people about an event: the record fits the rule, and did not before. So a detection that becomes more
 * severe counts, but not one that is assigned or seen again.
 */
export function matchesRule(rule: Conditions, event: AlertEvent, context: EventContext): boolean {
  if (!rule.triggers.includes(triggerOfEvent(event))) return false
  if (rule.groups.length > 0 && !rule.groups.some((group) => context.groups.includes(group))) return false
  const fits = (record: AlertEvent['new']) => record !== null && fitsRule(rule, event, record, context)
  return event.type !== 'DELETE' && fits(event.new) && !fits(event.old)
}

function fitsRule(
  { detectionTypes, minSeverity, findingTypes, minPriority }: Conditions,
  event: AlertEvent,
  record: Readonly<Record<string, unknown>>,
  { priority }: EventContext,
): boolean {
  const trigger = triggerOfEvent(event)
  if (trigger === 'DETECTION') {
    const { archived, detectionType, severity } = record as unknown as Detection
    return !archived && isAmong(detectionType, detectionTypes) && isAtLeast(severity, minSeverity)
  }
  if (trigger === 'FINDING') {
    const { state, type } = record as unknown as Finding
    if (state !== 'OPEN' || !isAmong(type, findingTypes)) return false
    return minPriority === 'P4' || (priority !== null && isAsUrgent(priority, minPriority))
  }
  // Every record of an app was new once.
  return true
}

const isAmong = <T>(value: T, list: readonly T[]): boolean => list.length === 0 || list.includes(value)

const isAtLeast = (one: Detection['severity'], other: Detection['severity']): boolean =>
  severities.indexOf(one) >= severities.indexOf(other)

const isAsUrgent = (one: (typeof priorities)[number], other: (typeof priorities)[number]): boolean =>
  priorities.indexOf(one) <= priorities.indexOf(other)
