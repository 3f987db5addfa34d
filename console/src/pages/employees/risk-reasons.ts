import type { Detection } from '@muster/contract/detection'
import type { Finding } from '@muster/contract/finding'
import { stringifySearch } from '../../data/list-search.ts'
import { wordsOf } from '../../ui/text/words.ts'
import { detectionSteps } from '../detections/detection-advice.ts'
import { findingAdvice } from '../findings/finding-advice.ts'

/** Why a person is at risk: one kind of detection or finding, and how many there are of it. */
export interface RiskReason {
  readonly key: string
  readonly tone: 'critical' | 'high' | 'medium' | ''
  /** The number, with a plus where there are more. */
  readonly count: string
  readonly text: string
  /** What to do about it. */
  readonly remedy: string
  /** The list of them. */
  readonly path: string
}

const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
const tones = ['critical', 'high', 'medium', ''] as const

type Severity = (typeof severities)[number]

const toneOf = (severity: Severity): (typeof tones)[number] => tones[severities.indexOf(severity)] ?? ''

/** The number of records of one kind. */
export interface Counted {
  readonly count: number
  readonly more: boolean
}

/** The open detections of one type: how many, and the worst. */
export interface DetectedType extends Counted {
  readonly worst: Pick<Detection, 'detectionType' | 'severity' | 'response' | 'url'>
}

/** The open findings of one type. */
export interface FoundType extends Counted {
  readonly type: Finding['type']
}

const countText = ({ count, more }: Counted): string => `${count.toLocaleString('en-GB')}${more ? '+' : ''}`

/** Why a person is at risk, from open detections and findings by type; the worst first. */
export function riskReasons(
  employeeId: string,
  detected: readonly DetectedType[],
  found: readonly FoundType[],
): RiskReason[] {
  const ofDetections = detected.map((one) => ({
    count: one.count,
    reason: {
      key: `detection ${one.worst.detectionType}`,
      tone: toneOf(one.worst.severity),
      count: countText(one),
      text: wordsOf(one.worst.detectionType),
      remedy: detectionSteps(one.worst)[0] ?? '',
      path: `/detections${stringifySearch({ employeeId, detectionType: one.worst.detectionType })}`,
    },
  }))
  const ofFindings = found.map((one) => ({
    count: one.count,
    reason: {
      key: `finding ${one.type}`,
      tone: findingAdvice[one.type].tone,
      count: countText(one),
      text: wordsOf(one.type),
      remedy: findingAdvice[one.type].remedy,
      path: `/findings${stringifySearch({ employeeId, type: one.type })}`,
    },
  }))
  return [...ofDetections, ...ofFindings]
    .sort(
      (one, other) =>
        tones.indexOf(one.reason.tone) - tones.indexOf(other.reason.tone) || other.count - one.count,
    )
    .map(({ reason }) => reason)
}
