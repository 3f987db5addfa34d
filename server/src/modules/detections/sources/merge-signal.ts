import type { Detection } from '@muster/contract/records/detection'
import type { DetectionSignal, Response, Severity } from './detection-source.ts'

/** Signals within this time before the first and after the last one belong to the same detection (domain contract, section 6). */
const mergeWithinSeconds = 60 * 60

const severityRank: Readonly<Record<Severity, number>> = { LOW: 0, MEDIUM: 1, HIGH: 2, CRITICAL: 3 }

/** Rank by possible harm, in the order of the severities. */
const responseRank: Readonly<Record<Response, number>> = {
  BLOCKED: 0,
  EMPLOYEE_WARNED: 1,
  MONITORED: 2,
  EMPLOYEE_IGNORED_WARNING: 3,
}

/**
 * Returns true if a signal belongs to a detection with the same employee, browser, type and subject.
 *
 * @param firstSeen observed time of the first signal; UNIX seconds
 * @param lastSeen observed time of the last signal
 */
export const isSameAttack = (firstSeen: number, lastSeen: number, seenAt: number): boolean =>
  seenAt >= firstSeen - mergeWithinSeconds && seenAt <= lastSeen + mergeWithinSeconds

/** Merges a signal into a detection; severity and response only rise. */
export function mergeSignal(detection: Detection, signal: DetectionSignal, nowSeconds: number): Detection {
  const isMoreSevere = severityRank[signal.severity] > severityRank[detection.severity]
  const isWorseResponse = responseRank[signal.response] > responseRank[detection.response]
  return {
    ...detection,
    severity: isMoreSevere ? signal.severity : detection.severity,
    response: isWorseResponse ? signal.response : detection.response,
    lastActivityTimestamp: Math.max(detection.lastActivityTimestamp, nowSeconds),
  }
}
