import type { Account } from '@muster/contract/records/account'
import type { App } from '@muster/contract/records/app'
import type { Finding } from '@muster/contract/records/finding'
import {
  assessFinding,
  type RiskFacts,
  type RiskWeights,
  usedWithinDays,
} from '@muster/contract/risk/risk-rules'

const daySeconds = 24 * 60 * 60

/** Returns the time before which the last use of an account makes it count as not in use; UNIX seconds. */
export const usedBefore = (nowSeconds: number): number => nowSeconds - usedWithinDays * daySeconds

/** Facts by which findings are assessed. */
export interface AssessmentInput {
  readonly nowSeconds: number
  readonly weights: RiskWeights
  readonly accountOf: (id: string) => Account | undefined
  readonly sensitivityOf: (appId: string) => App['sensitivityLevel']
  readonly isPhished: (employeeId: string, appId: string) => boolean
  readonly isPrivate: (accountId: string) => boolean
}

/** Score and rules of a finding; nulls if it is resolved. */
export interface StoredAssessment {
  readonly priorityScore: number | null
  readonly priorityRules: string | null
}

/** Assesses findings. All findings of an account must be given together. */
export function assessFindings(
  findings: readonly Finding[],
  input: AssessmentInput,
): ReadonlyMap<string, StoredAssessment> {
  const open = findings.filter(({ state }) => state === 'OPEN')
  const byAccount = Map.groupBy(open, ({ accountId }) => accountId)
  return new Map(
    findings.map((finding): [string, StoredAssessment] => {
      if (finding.state !== 'OPEN') return [finding.id, { priorityScore: null, priorityRules: null }]
      const others = finding.accountId === null ? [] : (byAccount.get(finding.accountId) ?? [])
      const { score, rules } = assessFinding(factsOf(finding, others, input), input.weights)
      return [finding.id, { priorityScore: score, priorityRules: rules.join(',') }]
    }),
  )
}

function factsOf(finding: Finding, ofAccount: readonly Finding[], input: AssessmentInput): RiskFacts {
  const { id, type, employeeId, accountId, appId } = finding
  const account = accountId === null ? undefined : input.accountOf(accountId)
  const used = account?.lastUsedTimestamp ?? null
  return {
    type,
    otherTypes: ofAccount.filter((other) => other.id !== id).map((other) => other.type),
    mfa: account?.mfaRegistered ?? null,
    inUse: used === null ? null : used >= usedBefore(input.nowSeconds),
    sensitivity: appId === null ? null : input.sensitivityOf(appId),
    phished: employeeId !== null && appId !== null && input.isPhished(employeeId, appId),
    privateIdentity: accountId !== null && input.isPrivate(accountId),
  }
}
