import type { ControlScope } from '@muster/contract/console/console-controls'
import { counted } from '../../../ui/text/counted.ts'
import { wordsOf } from '../../../ui/text/words.ts'

/** The scope without what names nothing: that is left out, for it stands for everybody. */
export function trimmedScope(scope: ControlScope): ControlScope {
  const kept = Object.entries(scope).filter(([, values]) => values !== undefined && values.length > 0)
  return Object.fromEntries(kept) as ControlScope
}

/** Only the members of a rule or a banner that say whom and what it is for. */
export function scopeOf(rule: ControlScope): ControlScope {
  const { employeeIds, groups, appTypes, approvalStatuses, sensitivityLevels, labels } = rule
  return trimmedScope({
    employeeIds: employeeIds ?? [],
    groups: groups ?? [],
    appTypes: appTypes ?? [],
    approvalStatuses: approvalStatuses ?? [],
    sensitivityLevels: sensitivityLevels ?? [],
    labels: labels ?? [],
  })
}

const list = (values: readonly string[]): string =>
  values.length > 4 ? `${values.slice(0, 3).join(', ')} and ${values.length - 3} more` : values.join(', ')

/**
 * Whom and what a rule is for, in words.
 *
 * @param nameOf what people call an app
 */
export function scopeText(rule: ControlScope, nameOf: (appType: string) => string): string {
  const { employeeIds, groups, appTypes, approvalStatuses, sensitivityLevels, labels } = scopeOf(rule)
  const whom = [
    groups && `groups ${list(groups)}`,
    employeeIds && counted(employeeIds.length, 'employee'),
  ].filter(Boolean)
  const what = [
    appTypes && list(appTypes.map(nameOf)),
    approvalStatuses && list(approvalStatuses.map(wordsOf)).toLowerCase(),
    sensitivityLevels && `sensitivity ${list(sensitivityLevels.map(wordsOf)).toLowerCase()}`,
    labels && `labeled ${list(labels)}`,
  ].filter(Boolean)
  const people = whom.length === 0 ? 'Everyone' : `Only ${whom.join(' and ')}`
  return `${people}, ${what.length === 0 ? 'all apps' : `apps: ${what.join('; ')}`}`
}

/** The list with an element moved to another place; the same list where there is no such place. */
export function moved<T>(elements: readonly T[], from: number, to: number): T[] {
  if (to < 0 || to >= elements.length) return [...elements]
  const next = [...elements]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}
