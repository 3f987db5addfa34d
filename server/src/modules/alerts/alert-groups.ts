import { incidentRules } from '@muster/contract/console/incidents/incident-rules'
import { internalId } from '../../kernel/lib/secrets/derived-id.ts'
import { factsOf } from '../incidents/incident-groups.rules.ts'
import { manyPeopleId } from '../incidents/many-people-id.ts'
import { type AlertEvent, detectionOf, findingOf, triggerOfEvent } from './alert-facts.rules.ts'

/** Place of an event among those that belong together. */
export interface AlertGroup {
  /** Events with the same key are one line of a message. */
  readonly key: string
  /**
   * For detections: the incident is reported once. Later detections belong to it if they follow within this time, in seconds;
   * `Infinity` for the detections on one site in one week.
   */
  readonly reportedOnceFor: number | undefined
}

/**
 * Returns the group of an event: the incident of a detection, the type of a finding, all new apps. An incident of many people
 * begins with one person. Detections that spread have its key from the start, so that a campaign is reported once, not once
 * for each of the first people.
 */
export function groupOf(event: AlertEvent): AlertGroup {
  const trigger = triggerOfEvent(event)
  if (trigger === 'FINDING') return { key: `FINDING ${findingOf(event).type}`, reportedOnceFor: undefined }
  if (trigger !== 'DETECTION') return { key: trigger, reportedOnceFor: undefined }
  const detection = detectionOf(event)
  const { site, week, spreads, employeeId } = factsOf(detection)
  if (spreads === 1) return { key: manyPeopleId({ site, week }), reportedOnceFor: Number.POSITIVE_INFINITY }
  // Hashed, because the key is kept when the employee is erased.
  return { key: internalId(0, [employeeId, site]), reportedOnceFor: incidentRules.pauseSeconds }
}
