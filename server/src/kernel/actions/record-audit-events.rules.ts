import type { App } from '@muster/contract/app'
import type { BlockedUrl } from '@muster/contract/blocked-url'
import type { AuditObject } from '@muster/contract/console/console-audit'
import type { Detection } from '@muster/contract/detection'
import { type Employee, mergedEmployeesMaximum } from '@muster/contract/employee'
import { auditListMaximum } from '@muster/contract/event-audit-records'
import type { EventFor } from '@muster/contract/event-objects'
import { auditedChanges } from './audit-changes.rules.ts'

/**
 * Derives the audit events of a change from the record before and after it. Every way to change a record uses these
 * functions, so that a detection rule on one object (`LICENSE_REMOVED`) cannot be evaded by taking another way.
 */

/** An audit event without who caused it and when. */
export interface RecordAuditEvent<O extends AuditObject = AuditObject> {
  readonly object: O
  readonly new: EventFor<O>['new']
}

/** A record before and after a change; null where there was none, or is none. */
export interface Change<R> {
  readonly before: R | null
  readonly after: R | null
}

const act = <O extends AuditObject>(object: O, facts: EventFor<O>['new']): RecordAuditEvent =>
  ({ object, new: facts }) as RecordAuditEvent

/** Returns how audit events identify an employee. */
export const auditedEmployee = ({ id, email }: Employee) => ({ employeeId: id, employeeEmail: email })

const without = (list: readonly string[], other: readonly string[]): string[] => {
  const known = new Set(other)
  return list.filter((one) => !known.has(one))
}

type MemberActs<R> = { readonly [M in keyof R]?: (before: R, after: R) => RecordAuditEvent[] }

/** Members of an employee whose change has an object of its own, besides `EMPLOYEE_UPDATED`. */
const employeeMembers: MemberActs<Employee> = {
  email: (before, { id, email }) => [
    act('EMPLOYEE_EMAIL_UPDATED', { employeeId: id, oldEmail: before.email, newEmail: email }),
  ],
  licensed: (_, after) => [
    act(after.licensed ? 'LICENSE_ASSIGNED' : 'LICENSE_REMOVED', auditedEmployee(after)),
  ],
  groups: (before, after) => [
    ...without(before.groups, after.groups).map((group) =>
      act('EMPLOYEE_REMOVED_FROM_GROUP', { ...auditedEmployee(after), group }),
    ),
    ...without(after.groups, before.groups).map((group) =>
      act('EMPLOYEE_ADDED_TO_GROUP', { ...auditedEmployee(after), group }),
    ),
  ],
  mergedIntoId: (before, after) =>
    before.mergedIntoId !== null && after.mergedIntoId === null
      ? [act('EMPLOYEE_UNMERGED', { ...auditedEmployee(after), primaryEmployeeId: before.mergedIntoId })]
      : [],
}

const memberActs = <R extends object>(table: MemberActs<R>, before: R, after: R): RecordAuditEvent[] =>
  (Object.keys(table) as (keyof R)[]).flatMap((member) =>
    JSON.stringify(before[member]) === JSON.stringify(after[member])
      ? []
      : (table[member]?.(before, after) ?? []),
  )

/**
 * Returns the audit events of changes of employees: `EMPLOYEE_ADDED` or `EMPLOYEE_UPDATED` for each record that
 * changed, and the specific objects besides. A removed record has none: only `muster employee erase` removes employees,
 * and records that itself, by ids alone.
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
      return [act('EMPLOYEE_ADDED', auditedEmployee(after)), ...memberActs(employeeMembers, newcomer, after)]
    }
    const changed = auditedChanges(before, after)
    if (changed.length === 0) return []
    return [
      act('EMPLOYEE_UPDATED', { ...auditedEmployee(after), changes: changed }),
      ...memberActs(employeeMembers, before, after),
    ]
  })
  return [...mergeActs(changes, primaryOf), ...own]
}

function mergeActs(
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
      act('EMPLOYEES_MERGED', {
        ...auditedEmployee(primary),
        mergedEmployees: secondaries.slice(at * most, (at + 1) * most).map(auditedEmployee),
      }),
    )
  })
}

const auditedApp = ({ id, type }: App) => ({ appId: id, appType: type })

const appMembers: MemberActs<App> = {
  labels: (before, after) => {
    const [gone, come] = [without(before.labels, after.labels), without(after.labels, before.labels)]
    return [
      ...(gone.length > 0 ? [act('APP_LABELS_REMOVED', { ...auditedApp(after), labels: gone })] : []),
      ...(come.length > 0 ? [act('APP_LABELS_ADDED', { ...auditedApp(after), labels: come })] : []),
    ]
  },
}

/** Members of an app that only an administrator sets, as they are when an app is first seen. */
const undecided = { approvalStatus: null, sensitivityLevel: null, ownerId: null, notes: '', labels: [] }

/** Returns the audit events of changes of apps. An added app has those of what it was added with. */
export const appAuditEvents = (changes: readonly Change<App>[]): RecordAuditEvent[] =>
  changes.flatMap(({ before, after }) => {
    if (after === null) return []
    const known: App = before ?? { ...after, ...undecided }
    const changed = auditedChanges(known, after).filter(({ name }) => name !== 'labels')
    return [
      ...(changed.length > 0 ? [act('APP_UPDATED', { ...auditedApp(after), changes: changed })] : []),
      ...memberActs(appMembers, known, after),
    ]
  })

/** Returns the audit events of changes of detections that were there before. */
export const detectionAuditEvents = (changes: readonly Change<Detection>[]): RecordAuditEvent[] =>
  changes.flatMap(({ before, after }) => {
    const changed = before && after ? auditedChanges(before, after) : []
    if (after === null || changed.length === 0) return []
    const { id, detectionType } = after
    return [act('DETECTION_UPDATED', { detectionId: id, detectionType, changes: changed })]
  })

/** Returns how audit events list patterns: their number, and the first of them. */
export const auditedPatterns = (count: number, first: readonly string[]) => ({
  count,
  urls: first.slice(0, auditListMaximum),
})

/** Returns the audit events of changes of blocked URLs: at most one for all that were added, one for all removed. */
export function blockedUrlAuditEvents(changes: readonly Change<BlockedUrl>[]): RecordAuditEvent[] {
  const urls = (side: 'before' | 'after') => changes.flatMap((change) => change[side]?.url ?? [])
  const [old, now] = [urls('before'), urls('after')]
  const [gone, come] = [without(old, now), without(now, old)]
  return [
    ...(gone.length > 0 ? [act('BLOCKED_URLS_REMOVED', auditedPatterns(gone.length, gone))] : []),
    ...(come.length > 0 ? [act('BLOCKED_URLS_ADDED', auditedPatterns(come.length, come))] : []),
  ]
}
