import type { AuditObject } from '@muster/contract/console/console-audit'
import { auditListMaximum } from '@muster/contract/events/event-audit-records'
import type { EventFor } from '@muster/contract/events/event-objects'
import type { App } from '@muster/contract/records/app'
import type { BlockedUrl } from '@muster/contract/records/blocked-url'
import type { Detection } from '@muster/contract/records/detection'
import { type Employee, mergedEmployeesMaximum } from '@muster/contract/records/employee'
import { auditedChanges } from './audit-changes.rules.ts'

/**
 * Derives the audit events of a change from the record before and after it. Every code path that changes a record uses
 * these functions. Otherwise a detection rule on one event type (`LICENSE_REMOVED`) could be evaded by using another path.
 */

/** Audit event without actor and time. */
export interface RecordAuditEvent<O extends AuditObject = AuditObject> {
  readonly object: O
  readonly new: EventFor<O>['new']
}

/** Record before and after a change; null if it did not exist. */
export interface Change<R> {
  readonly before: R | null
  readonly after: R | null
}

const auditEvent = <O extends AuditObject>(object: O, facts: EventFor<O>['new']): RecordAuditEvent =>
  ({ object, new: facts }) as RecordAuditEvent

/** Returns the members by which audit events identify an employee. */
export const auditedEmployee = ({ id, email }: Employee) => ({ employeeId: id, employeeEmail: email })

const without = (list: readonly string[], other: readonly string[]): string[] => {
  const known = new Set(other)
  return list.filter((one) => !known.has(one))
}

type MemberEvents<R> = { readonly [M in keyof R]?: (before: R, after: R) => RecordAuditEvent[] }

/** Members of an employee whose change has a specific event type, in addition to `EMPLOYEE_UPDATED`. */
const employeeMembers: MemberEvents<Employee> = {
  email: (before, { id, email }) => [
    auditEvent('EMPLOYEE_EMAIL_UPDATED', { employeeId: id, oldEmail: before.email, newEmail: email }),
  ],
  licensed: (_, after) => [
    auditEvent(after.licensed ? 'LICENSE_ASSIGNED' : 'LICENSE_REMOVED', auditedEmployee(after)),
  ],
  groups: (before, after) => [
    ...without(before.groups, after.groups).map((group) =>
      auditEvent('EMPLOYEE_REMOVED_FROM_GROUP', { ...auditedEmployee(after), group }),
    ),
    ...without(after.groups, before.groups).map((group) =>
      auditEvent('EMPLOYEE_ADDED_TO_GROUP', { ...auditedEmployee(after), group }),
    ),
  ],
  mergedIntoId: (before, after) =>
    before.mergedIntoId !== null && after.mergedIntoId === null
      ? [
          auditEvent('EMPLOYEE_UNMERGED', {
            ...auditedEmployee(after),
            primaryEmployeeId: before.mergedIntoId,
          }),
        ]
      : [],
}

const memberEvents = <R extends object>(table: MemberEvents<R>, before: R, after: R): RecordAuditEvent[] =>
  (Object.keys(table) as (keyof R)[]).flatMap((member) =>
    JSON.stringify(before[member]) === JSON.stringify(after[member])
      ? []
      : (table[member]?.(before, after) ?? []),
  )

/**
 * Returns the audit events of changes of employees: `EMPLOYEE_ADDED` or `EMPLOYEE_UPDATED` for each record that
 * changed, and the specific event types. A removed record has none: only `muster employee erase` removes employees, and
 * it records the removal itself, by ID only.
 *
 * @param primaryOf finds the employee that others were merged into
 */
export function employeeAuditEvents(
  changes: readonly Change<Employee>[],
  primaryOf: (id: string) => Employee | undefined,
): RecordAuditEvent[] {
  const own = changes.flatMap(({ before, after }) => {
    if (after === null) return []
    if (before === null) {
      const newcomer = { ...after, licensed: false, groups: [], mergedIntoId: null }
      return [
        auditEvent('EMPLOYEE_ADDED', auditedEmployee(after)),
        ...memberEvents(employeeMembers, newcomer, after),
      ]
    }
    const changed = auditedChanges(before, after)
    if (changed.length === 0) return []
    return [
      auditEvent('EMPLOYEE_UPDATED', { ...auditedEmployee(after), changes: changed }),
      ...memberEvents(employeeMembers, before, after),
    ]
  })
  return [...mergeEvents(changes, primaryOf), ...own]
}

function mergeEvents(
  changes: readonly Change<Employee>[],
  primaryOf: (id: string) => Employee | undefined,
): RecordAuditEvent[] {
  const merged = new Map<string, Employee[]>()
  for (const { before, after } of changes) {
    const into = after?.mergedIntoId ?? null
    if (after === null || into === null || into === (before?.mergedIntoId ?? null)) continue
    merged.set(into, [...(merged.get(into) ?? []), after])
  }
  return [...merged].flatMap(([id, secondaries]) => {
    const primary = primaryOf(id)
    if (!primary) return []
    const most = mergedEmployeesMaximum - 1
    return Array.from({ length: Math.ceil(secondaries.length / most) }, (_, at) =>
      auditEvent('EMPLOYEES_MERGED', {
        ...auditedEmployee(primary),
        mergedEmployees: secondaries.slice(at * most, (at + 1) * most).map(auditedEmployee),
      }),
    )
  })
}

const auditedApp = ({ id, type }: App) => ({ appId: id, appType: type })

const appMembers: MemberEvents<App> = {
  labels: (before, after) => {
    const [removed, added] = [without(before.labels, after.labels), without(after.labels, before.labels)]
    return [
      ...(removed.length > 0
        ? [auditEvent('APP_LABELS_REMOVED', { ...auditedApp(after), labels: removed })]
        : []),
      ...(added.length > 0 ? [auditEvent('APP_LABELS_ADDED', { ...auditedApp(after), labels: added })] : []),
    ]
  },
}

/** Initial values of the members of an app that only administrators set. */
const undecided = { approvalStatus: null, sensitivityLevel: null, ownerId: null, notes: '', labels: [] }

/** Returns the audit events of changes of apps. For an added app these are the values that an administrator set. */
export const appAuditEvents = (changes: readonly Change<App>[]): RecordAuditEvent[] =>
  changes.flatMap(({ before, after }) => {
    if (after === null) return []
    const known: App = before ?? { ...after, ...undecided }
    const changed = auditedChanges(known, after).filter(({ name }) => name !== 'labels')
    return [
      ...(changed.length > 0 ? [auditEvent('APP_UPDATED', { ...auditedApp(after), changes: changed })] : []),
      ...memberEvents(appMembers, known, after),
    ]
  })

/** Returns the audit events of changes of existing detections. */
export const detectionAuditEvents = (changes: readonly Change<Detection>[]): RecordAuditEvent[] =>
  changes.flatMap(({ before, after }) => {
    const changed = before && after ? auditedChanges(before, after) : []
    if (after === null || changed.length === 0) return []
    const { id, detectionType } = after
    return [auditEvent('DETECTION_UPDATED', { detectionId: id, detectionType, changes: changed })]
  })

/** Returns the count and the first patterns, as audit events list them. */
export const auditedPatterns = (count: number, first: readonly string[]) => ({
  count,
  urls: first.slice(0, auditListMaximum),
})

/** Returns the audit events of changes of blocked URLs: at most one for all added and one for all removed. */
export function blockedUrlAuditEvents(changes: readonly Change<BlockedUrl>[]): RecordAuditEvent[] {
  const urls = (side: 'before' | 'after') => changes.flatMap((change) => change[side]?.url ?? [])
  const [old, now] = [urls('before'), urls('after')]
  const [removed, added] = [without(old, now), without(now, old)]
  return [
    ...(removed.length > 0
      ? [auditEvent('BLOCKED_URLS_REMOVED', auditedPatterns(removed.length, removed))]
      : []),
    ...(added.length > 0 ? [auditEvent('BLOCKED_URLS_ADDED', auditedPatterns(added.length, added))] : []),
  ]
}
