import type { Detection } from '@muster/contract/records/detection'
import type { Finding } from '@muster/contract/records/finding'
import { findingWords } from '@muster/contract/records/finding-words'
import { linkOptions } from '@tanstack/react-router'
import type { listLink } from '../../list/list-paths.ts'
import { countText } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { detectionSteps } from '../detections/detection-advice.ts'

/** A type of detection or finding with its count and recommended action. */
export interface RiskReason {
  readonly key: string
  readonly tone: 'critical' | 'high' | 'medium' | ''
  /** Number of records, or `many` if they were not counted in time. */
  readonly count: string
  readonly text: string
  /** Recommended action. */
  readonly remedy: string
  /** Link to their list. */
  readonly link: ReturnType<typeof listLink>
}

const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
const tones = ['critical', 'high', 'medium', ''] as const

type Severity = (typeof severities)[number]

const toneOf = (severity: Severity): (typeof tones)[number] => tones[severities.indexOf(severity)] ?? ''

interface Counted {
  /** Number of records; null if they were not counted in time. */
  readonly count: number | null
}

/** Open detections of one type, with the most severe one. */
export interface DetectedType extends Counted {
  readonly worst: Pick<Detection, 'detectionType' | 'severity' | 'response' | 'url'>
}

/** Open findings of one type. */
export interface FoundType extends Counted {
  readonly type: Finding['type']
}

const textOf = ({ count }: Counted): string => (count === null ? 'many' : countText(count))

/** Returns the risks of a person, most severe first. */
export function riskReasons(
  employeeId: string,
  detected: readonly DetectedType[],
  found: readonly FoundType[],
): RiskReason[] {
  const ofDetections = detected.map((one) => ({
    count: one.count ?? Number.POSITIVE_INFINITY,
    reason: {
      key: `detection ${one.worst.detectionType}`,
      tone: toneOf(one.worst.severity),
      count: textOf(one),
      text: labelOf(one.worst.detectionType),
      remedy: detectionSteps(one.worst)[0] ?? '',
      link: linkOptions({
        to: '/detections',
        search: { employeeId, detectionType: one.worst.detectionType },
      }),
    },
  }))
  const ofFindings = found.map((one) => ({
    count: one.count ?? Number.POSITIVE_INFINITY,
    reason: {
      key: `finding ${one.type}`,
      tone: findingWords[one.type].tone,
      count: textOf(one),
      text: labelOf(one.type),
      remedy: findingWords[one.type].remedy,
      link: linkOptions({ to: '/findings', search: { employeeId, type: one.type } }),
    },
  }))
  return [...ofDetections, ...ofFindings]
    .sort(
      (one, other) =>
        tones.indexOf(one.reason.tone) - tones.indexOf(other.reason.tone) || other.count - one.count,
    )
    .map(({ reason }) => reason)
}
