import { type IncidentEntry, timelineMaximum } from '@muster/contract/console/incidents/console-incidents'
import type { WorkEntry } from '@muster/contract/console/work/work-fields'
import type { Detection } from '@muster/contract/records/detection'
import type { Finding } from '@muster/contract/records/finding'

/** Parts of the timeline of an incident. */
export interface TimelineFacts {
  readonly detections: readonly Detection[]
  readonly findings: readonly Finding[]
  /** Entries of the histories of the detections. */
  readonly work: readonly WorkEntry[]
  /** Returns the name of an employee. */
  readonly nameOf: (employeeId: string) => string | null
}

const none: Omit<IncidentEntry, 'kind' | 'timestamp'> = {
  id: null,
  type: null,
  severity: null,
  state: null,
  response: null,
  employeeId: null,
  employeeName: null,
  author: null,
  to: null,
  text: null,
  detections: 1,
}

/** Returns the timeline of an incident, newest first. An act on several detections is one entry. */
export function timelineOf({ detections, findings, work, nameOf }: TimelineFacts): IncidentEntry[] {
  const entries: IncidentEntry[] = [
    ...detections.map((one) => ({
      ...none,
      kind: 'DETECTION' as const,
      timestamp: one.creationTimestamp,
      id: one.id,
      type: one.detectionType,
      severity: one.severity,
      state: one.archived ? 'ARCHIVED' : 'OPEN',
      response: one.response,
      employeeId: one.employeeId,
      employeeName: nameOf(one.employeeId),
    })),
    ...findings.map((one) => ({
      ...none,
      kind: 'FINDING' as const,
      timestamp: one.creationTimestamp,
      id: one.id,
      type: one.type,
      state: one.state,
      employeeId: one.employeeId,
      employeeName: one.employeeId === null ? null : nameOf(one.employeeId),
    })),
    ...acts(work),
  ]
  return entries.toSorted((one, other) => other.timestamp - one.timestamp).slice(0, timelineMaximum)
}

function acts(work: readonly WorkEntry[]): IncidentEntry[] {
  const shown = work.filter(({ kind }) => kind === 'NOTE' || kind === 'ASSIGNEE')
  const same = Map.groupBy(shown, ({ kind, timestamp, author, to, text }) =>
    JSON.stringify([kind, timestamp, author, to, text]),
  )
  return [...same.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { timestamp, author, to, text } = first
    const kind = first.kind === 'NOTE' ? 'NOTE' : 'ASSIGNEE'
    return [{ ...none, kind, timestamp, author, to, text, detections: others.length + 1 }]
  })
}

/**
 * Returns the findings that may come from detections: those of an employee in an app that a detection of this employee is
 * about, unless they were resolved before.
 */
export function findingsOfDetections(
  detections: readonly Detection[],
  findings: readonly Finding[],
): Finding[] {
  const key = (employeeId: string | null, appId: string | null) => `${employeeId} ${appId}`
  const since = new Map<string, number>()
  for (const { employeeId, appId, creationTimestamp } of detections) {
    if (appId === null) continue
    const known = since.get(key(employeeId, appId)) ?? Number.POSITIVE_INFINITY
    since.set(key(employeeId, appId), Math.min(known, creationTimestamp))
  }
  return findings.filter(({ employeeId, appId, state, lastUpdatedTimestamp }) => {
    const first = since.get(key(employeeId, appId))
    return first !== undefined && (state === 'OPEN' || lastUpdatedTimestamp >= first)
  })
}
