import type { Detection } from '@muster/contract/detection'
import type { Finding } from '@muster/contract/finding'
import { stringifySearch } from '../../data/list-search.ts'
import { wordsOf } from '../../ui/words.ts'
import { detectionSteps } from '../detections/detection-advice.ts'
import { findingAdvice } from '../findings/finding-advice.ts'

/** Why a person is at risk: one kind of detection or finding, and how many there are of it. */
export interface RiskReason {
  readonly key: string
  readonly tone: 'critical' | 'high' | 'medium' | ''
  readonly count: number
  readonly text: string
  /** What to do about it. */
  readonly remedy: string
  /** The list of them. */
  readonly path: string
}

const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
const tones = ['critical', 'high', 'medium', ''] as const

type Severity = (typeof severities)[number]

const worstOf = (found: readonly Severity[]): (typeof tones)[number] =>
  tones[Math.min(...found.map((one) => severities.indexOf(one)))] ?? ''

type Detected = Pick<Detection, 'detectionType' | 'severity' | 'response' | 'url'>

/** What to do first about the worst of some detections. */
function firstStep(detections: readonly Detected[]): string {
  const [worst] = [...detections].sort(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  )
  return (worst && detectionSteps(worst)[0]) ?? ''
}

/** Why a person is at risk, from detections that nobody has put away and open findings; the worst first. */
export function riskReasons(
  employeeId: string,
  detections: readonly Detected[],
  findings: readonly Pick<Finding, 'type'>[],
): RiskReason[] {
  const detected = [...Map.groupBy(detections, ({ detectionType }) => detectionType)].map(
    ([detectionType, all]): RiskReason => ({
      key: `detection ${detectionType}`,
      tone: worstOf(all.map(({ severity }) => severity)),
      count: all.length,
      text: wordsOf(detectionType),
      remedy: firstStep(all),
      path: `/detections${stringifySearch({ employeeId, detectionType })}`,
    }),
  )
  const found = [...Map.groupBy(findings, ({ type }) => type)].map(
    ([type, all]): RiskReason => ({
      key: `finding ${type}`,
      tone: findingAdvice[type].tone,
      count: all.length,
      text: wordsOf(type),
      remedy: findingAdvice[type].remedy,
      path: `/findings${stringifySearch({ employeeId, type })}`,
    }),
  )
  return [...detected, ...found].sort(
    (one, other) => tones.indexOf(one.tone) - tones.indexOf(other.tone) || other.count - one.count,
  )
}
