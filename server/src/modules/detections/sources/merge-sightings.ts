import type { Detection } from '@muster/contract/detection'
import type { Response, Severity, Sighting } from './sighting.ts'

/** For so long before it was first seen, and after it was last seen, a detection takes in what is the same (domain contract, section 6). */
const sameWithinSeconds = 60 * 60

const severityRank: Readonly<Record<Severity, number>> = { LOW: 0, MEDIUM: 1, HIGH: 2, CRITICAL: 3 }

/** From what did no harm to what did, as the severities that go with them. */
const responseRank: Readonly<Record<Response, number>> = {
  BLOCKED: 0,
  EMPLOYEE_WARNED: 1,
  MONITORED: 2,
  EMPLOYEE_IGNORED_WARNING: 3,
}

/**
 * Whether a sighting is of the same attack as the detection of its employee, browser, type and subject.
 *
 * @param firstSeen when the detection was first seen, as observed; UNIX seconds
 * @param lastSeen when it was last seen
 */
export const isSameAttack = (firstSeen: number, lastSeen: number, seenAt: number): boolean =>
  seenAt >= firstSeen - sameWithinSeconds && seenAt <= lastSeen + sameWithinSeconds

/** The detection with one more sighting: severity and response only rise. */
export function withSighting(detection: Detection, sighting: Sighting, nowSeconds: number): Detection {
  const rises = severityRank[sighting.severity] > severityRank[detection.severity]
  const worse = responseRank[sighting.response] > responseRank[detection.response]
  return {
    ...detection,
    severity: rises ? sighting.severity : detection.severity,
    response: worse ? sighting.response : detection.response,
    lastActivityTimestamp: Math.max(detection.lastActivityTimestamp, nowSeconds),
  }
}
