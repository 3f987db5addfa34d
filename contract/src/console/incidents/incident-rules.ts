import type { Detection } from '../../records/detection.ts'

/**
 * Rules that group detections into incidents. Each detection belongs to exactly one incident, whatever the order of arrival.
 * An incident has detections on one site and of one calendar week (Monday to Sunday, UTC).
 * 1. Detections of the types that spread are one incident if they concern at least `people` employees.
 * 2. All others are one incident per employee, as long as less than `pauseSeconds` pass between two of them.
 */
export const incidentRules = {
  /** Types whose site is the attacker or blocked, not an app that was attacked. */
  spreads: { PHISHING: true, MALWARE_DELIVERY: true, BLOCKED_URL: true } as Readonly<
    Partial<Record<Detection['detectionType'], true>>
  >,
  people: 3,
  pauseSeconds: 3600,
} as const

const weekSeconds = 7 * 86_400
/** Monday, 5 January 1970. */
const firstMonday = 4 * 86_400

/** Returns the number of the calendar week of a time. */
export const weekOf = (seconds: number): number => Math.floor((seconds - firstMonday) / weekSeconds)
