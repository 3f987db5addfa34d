import type { ControlScope } from '@muster/contract/console/console-controls'
import { counted } from '../../../ui/text/counted.ts'
import { labelOf } from '../../../ui/text/labels.ts'

/** Removes empty lists from a scope. An empty list means no restriction. */
export function trimmedScope(scope: ControlScope): ControlScope {
  const kept = Object.entries(scope).filter(([, values]) => values !== undefined && values.length > 0)
  return Object.fromEntries(kept) as ControlScope
}

/** Returns the scope members of a rule or banner. */
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
 * Describes a scope in words.
 *
 * @param appName returns the name of an app type
 */
export function scopeText(rule: ControlScope, appName: (appType: string) => string): string {
  const { employeeIds, groups, appTypes, approvalStatuses, sensitivityLevels, labels } = scopeOf(rule)
  const whom = [
    groups && `groups ${list(groups)}`,
    employeeIds && counted(employeeIds.length, 'employee'),
  ].filter(Boolean)
  const what = [
    appTypes && list(appTypes.map(appName)),
    approvalStatuses && list(approvalStatuses.map(labelOf)).toLowerCase(),
    sensitivityLevels && `sensitivity ${list(sensitivityLevels.map(labelOf)).toLowerCase()}`,
    labels && `labeled ${list(labels)}`,
  ].filter(Boolean)
  const people = whom.length === 0 ? 'Everyone' : `Only ${whom.join(' and ')}`
  return `${people}, ${what.length === 0 ? 'all apps' : `apps: ${what.join('; ')}`}`
}

/** Returns a copy with an element moved; an unchanged copy if the target is out of range. */
export function moved<T>(elements: readonly T[], from: number, to: number): T[] {
  if (to < 0 || to >= elements.length) return [...elements]
  const next = [...elements]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}
