import { registrableHost } from '@muster/contract/catalog/catalog'
import { incidentRules, weekOf } from '@muster/contract/console/incidents/incident-rules'
import type { Detection } from '@muster/contract/records/detection'

/** Members of a detection that decide about its incident, and those that are counted. */
export interface DetectionFacts {
  readonly detectionId: string
  /** Registrable domain of the page; empty without one. */
  readonly site: string
  /** Calendar week of the first time. */
  readonly week: number
  readonly employeeId: string
  readonly detectionType: Detection['detectionType']
  readonly severity: Detection['severity']
  /** 1 if it is not archived. */
  readonly open: number
  /** 1 if many employees' detections of its type on a site are one incident. */
  readonly spreads: number
  readonly firstTimestamp: number
  readonly lastTimestamp: number
}

/** Longer hosts are not valid. */
const hostLengthMaximum = 253

/** Returns the registrable domain of a page; an empty text without a page, and for addresses without a host. */
export function siteOf(url: string | null): string {
  const host = url === null ? undefined : URL.parse(url)?.hostname
  if (!host || host.length > hostLengthMaximum) return ''
  return registrableHost(host) ?? host
}

/** Returns the facts of a detection. */
export function factsOf(detection: Detection): DetectionFacts {
  const { id, employeeId, detectionType, severity, archived, url } = detection
  const site = siteOf(url)
  return {
    detectionId: id,
    site,
    week: weekOf(detection.creationTimestamp),
    employeeId,
    detectionType,
    severity,
    open: archived ? 0 : 1,
    spreads: site !== '' && incidentRules.spreads[detectionType] ? 1 : 0,
    firstTimestamp: detection.creationTimestamp,
    lastTimestamp: detection.lastActivityTimestamp,
  }
}

type Grouped = Pick<
  DetectionFacts,
  'detectionId' | 'site' | 'week' | 'employeeId' | 'spreads' | 'firstTimestamp' | 'lastTimestamp'
>

/**
 * Returns the incidents of detections of one site and week, by detection. The incident of one person has the ID of its first
 * detection.
 *
 * @param detections all detections of each employee that has any
 * @param manyPeopleId ID of their incident, if the detections that spread concern enough employees
 */
export function groupDetections(
  detections: readonly Grouped[],
  manyPeopleId: string | undefined,
): ReadonlyMap<string, string> {
  const groups = new Map<string, string>()
  const alone: Grouped[] = []
  for (const one of detections) {
    if (manyPeopleId !== undefined && one.spreads === 1) groups.set(one.detectionId, manyPeopleId)
    else alone.push(one)
  }
  for (const own of Map.groupBy(alone, ({ employeeId }) => employeeId).values()) {
    let first: string | undefined
    let last = 0
    for (const { detectionId, firstTimestamp, lastTimestamp } of own.toSorted(inOrder)) {
      if (first === undefined || firstTimestamp - last >= incidentRules.pauseSeconds) first = detectionId
      last = Math.max(last, lastTimestamp)
      groups.set(detectionId, first)
    }
  }
  return groups
}

const inOrder = (one: Grouped, other: Grouped): number =>
  one.firstTimestamp - other.firstTimestamp || (one.detectionId < other.detectionId ? -1 : 1)
