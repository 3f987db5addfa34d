import type { Mistake } from '@muster/contract/api/errors'
import type { AlertRuleChange } from '@muster/contract/console/alerts/alert-rule'
import { type TargetPolicy, targetMistake } from '../webhooks/delivery/target.rules.ts'
import type { RuleDefinition } from './alert-facts.rules.ts'
import type { AlertTarget } from './destinations/destination.ts'
import { destinationOf } from './destinations/destinations.ts'

const bodyMistake = (name: string, message: string): Mistake => ({ in: 'body', name, message })

/**
 * Checks a rule as it would be stored.
 *
 * @param target the new target; undefined if the stored one stays
 * @returns what is wrong
 */
export function ruleMistakes(
  { destination, addresses, triggers, groups }: RuleDefinition,
  target: AlertTarget | undefined,
  hasTarget: boolean,
  policy: TargetPolicy,
): Mistake[] {
  const mistakes: Mistake[] = []
  const withEmployee = ['DETECTION', 'FINDING', 'SILENT_AGENT'] as const
  if (groups.length > 0 && !withEmployee.some((trigger) => triggers.includes(trigger)))
    mistakes.push(bodyMistake('groups', 'must be empty, because new apps belong to no employee'))
  const kind = destinationOf(destination)
  if (!kind) {
    if (addresses.length === 0)
      mistakes.push(bodyMistake('addresses', 'must have at least one e-mail address'))
    if (target) mistakes.push(bodyMistake('target', 'must not be given for e-mail; use addresses'))
    return mistakes
  }
  if (addresses.length > 0)
    mistakes.push(bodyMistake('addresses', 'must be empty unless the destination is EMAIL'))
  if (!target && hasTarget) return mistakes
  const { url, key } = target ?? {}
  if (url === undefined) {
    if (kind.defaultUrl === undefined) mistakes.push(bodyMistake('target.url', 'must be given'))
  } else {
    const mistake = targetMistake(url, policy)
    if (mistake !== undefined) mistakes.push(bodyMistake('target.url', `must ${mistake}`))
  }
  if (key === undefined) {
    if (kind.key === 'REQUIRED') mistakes.push(bodyMistake('target.key', 'must be given'))
  } else if (kind.key === 'NONE')
    mistakes.push(bodyMistake('target.key', 'must not be given for this destination'))
  else {
    const mistake = kind.keyMistake?.(key)
    if (mistake !== undefined) mistakes.push(bodyMistake('target.key', `must ${mistake}`))
  }
  return mistakes
}

/** Returns the definition with the changed members. */
export function changedDefinition(old: RuleDefinition, change: AlertRuleChange): RuleDefinition {
  const { destination = old.destination } = change
  return {
    destination,
    triggers: change.triggers ?? old.triggers,
    detectionTypes: change.detectionTypes ?? old.detectionTypes,
    minSeverity: change.minSeverity ?? old.minSeverity,
    findingTypes: change.findingTypes ?? old.findingTypes,
    minPriority: change.minPriority ?? old.minPriority,
    groups: change.groups ?? old.groups,
    silentDays: change.silentDays ?? old.silentDays,
    // Addresses of an e-mail rule do not stay when it gets another destination.
    addresses: change.addresses ?? (destination === 'EMAIL' ? old.addresses : []),
    schedule: change.schedule ?? old.schedule,
    hour: change.hour ?? old.hour,
    weekday: change.weekday ?? old.weekday,
  }
}
