import type { App } from '../records/app.ts'
import type { FindingType } from '../records/finding-words.ts'

/** Facts about an open finding that rules test. */
export interface RiskFacts {
  readonly type: FindingType
  /** Types of the other open findings of the same account. */
  readonly otherTypes: readonly FindingType[]
  /** Second factor of the account; null if unknown or without an account. */
  readonly mfa: boolean | null
  /** True if the account was used within {@link usedWithinDays}; null without an account. */
  readonly inUse: boolean | null
  readonly sensitivity: App['sensitivityLevel']
  /** True if the employee entered a password on a phishing page that imitated the app, and the detection is open. */
  readonly phished: boolean
  /** True if the name of the account is an address outside the organization. */
  readonly privateIdentity: boolean
}

/** Conditions of a rule. All that are given must hold. */
export interface RiskConditions {
  readonly types?: readonly FindingType[]
  /** At least one of these types is open for the same account. */
  readonly anyOther?: readonly FindingType[]
  readonly mfa?: boolean
  readonly inUse?: boolean
  readonly sensitivity?: readonly NonNullable<App['sensitivityLevel']>[]
  readonly phished?: true
  readonly privateIdentity?: true
}

/** A rule that adds points to findings. */
interface RiskRuleDefinition {
  /** Default points. An organization can change them. */
  readonly points: number
  readonly when: RiskConditions
  /** Reason in words, for the console and exports. */
  readonly reason: string
}

/** Days after the last use of an account until it counts as not in use. */
export const usedWithinDays = 90

/** Limits of the points of a rule. */
export const pointsLimits = { minimum: -100, maximum: 100 } as const

const passwordProblems = [
  'STOLEN_CREDENTIALS',
  'LEAKED_PASSWORD',
  'REUSED_PASSWORD',
  'WEAK_PASSWORD',
] as const
const accessProblems = [...passwordProblems, 'MFA_NOT_REGISTERED'] as const

/** All rules by ID. Toxic combinations come first, so their reasons do. `docs/guide/priority.md` has the same table. */
export const riskRules = {
  STOLEN_IN_USE_NO_MFA: {
    points: 40,
    when: { types: ['STOLEN_CREDENTIALS'], mfa: false, inUse: true },
    reason: 'Stolen password, in use, and no second factor',
  },
  PHISHED_PASSWORD: {
    points: 55,
    when: { types: accessProblems, phished: true },
    reason: 'Password entered on a phishing page for this app, and the detection is open',
  },
  LEAKED_NO_MFA: {
    points: 30,
    when: { types: ['LEAKED_PASSWORD'], mfa: false },
    reason: 'Leaked password and no second factor',
  },
  GUESSABLE_NO_MFA: {
    points: 25,
    when: { types: ['WEAK_PASSWORD', 'REUSED_PASSWORD'], mfa: false },
    reason: 'Weak or reused password and no second factor',
  },
  NO_MFA_BAD_PASSWORD: {
    points: 30,
    when: { types: ['MFA_NOT_REGISTERED'], anyOther: passwordProblems },
    reason: 'No second factor, and the password has an open finding',
  },
  SENSITIVE_APP: {
    points: 25,
    when: { sensitivity: ['HIGH'] },
    reason: 'Sensitive app',
  },
  WORK_DATA_PRIVATE_ACCOUNT: {
    points: 20,
    when: { privateIdentity: true, sensitivity: ['HIGH', 'MEDIUM'] },
    reason: 'Private address in an app with work data',
  },
  MEDIUM_SENSITIVITY: {
    points: 10,
    when: { sensitivity: ['MEDIUM'] },
    reason: 'App of medium sensitivity',
  },
  STOLEN: { points: 60, when: { types: ['STOLEN_CREDENTIALS'] }, reason: 'Stolen credentials' },
  LEAKED: { points: 45, when: { types: ['LEAKED_PASSWORD'] }, reason: 'Leaked password' },
  REUSED: { points: 30, when: { types: ['REUSED_PASSWORD'] }, reason: 'Reused password' },
  WEAK: { points: 30, when: { types: ['WEAK_PASSWORD'] }, reason: 'Weak password' },
  NO_MFA: { points: 25, when: { types: ['MFA_NOT_REGISTERED'] }, reason: 'No second factor' },
  SHARED: { points: 20, when: { types: ['SHARED_ACCOUNT'] }, reason: 'Shared account' },
  UNUSED: { points: 10, when: { types: ['UNUSED_THIRD_PARTY_APP'] }, reason: 'Unused connected app' },
  TYPED_PASSWORDS: {
    points: 10,
    when: { types: ['PASSWORD_MANAGER_NOT_USED'] },
    reason: 'Password manager not used',
  },
  MFA_PROTECTS: {
    points: -10,
    when: { types: passwordProblems, mfa: true },
    reason: 'Protected by a second factor',
  },
  NOT_IN_USE: {
    points: -10,
    when: { types: accessProblems, inUse: false },
    reason: 'Account not used in 90 days',
  },
} as const satisfies Readonly<Record<string, RiskRuleDefinition>>

export type RiskRuleId = keyof typeof riskRules
export const riskRuleIds = Object.keys(riskRules) as RiskRuleId[]

/** Points by rule. Rules without an entry have their default. */
export type RiskWeights = Readonly<Partial<Record<RiskRuleId, number>>>

/** Result of the rules for one finding. */
export interface RiskAssessment {
  /** Sum of the points, at least 0. */
  readonly score: number
  /** Rules that match and have points, in the order of {@link riskRules}. */
  readonly rules: readonly RiskRuleId[]
}

/** Returns true if all conditions hold. */
export function conditionsHold(when: RiskConditions, facts: RiskFacts): boolean {
  const { types, anyOther, mfa, inUse, sensitivity, phished, privateIdentity } = when
  return (
    (types?.includes(facts.type) ?? true) &&
    (anyOther?.some((type) => facts.otherTypes.includes(type)) ?? true) &&
    (mfa === undefined || mfa === facts.mfa) &&
    (inUse === undefined || inUse === facts.inUse) &&
    (sensitivity === undefined || (facts.sensitivity !== null && sensitivity.includes(facts.sensitivity))) &&
    (phished === undefined || facts.phished) &&
    (privateIdentity === undefined || facts.privateIdentity)
  )
}

/** Returns the points of a rule. */
export const pointsOf = (id: RiskRuleId, weights: RiskWeights): number => weights[id] ?? riskRules[id].points

/** Assesses an open finding. A rule without points does not match. */
export function assessFinding(facts: RiskFacts, weights: RiskWeights = {}): RiskAssessment {
  const rules = riskRuleIds.filter(
    (id) => pointsOf(id, weights) !== 0 && conditionsHold(riskRules[id].when, facts),
  )
  return {
    score: Math.max(
      0,
      rules.reduce((sum, id) => sum + pointsOf(id, weights), 0),
    ),
    rules,
  }
}

/** Returns the reasons of rules in words. */
export const reasonsOf = (rules: readonly string[]): string[] =>
  rules.flatMap((id) => (id in riskRules ? [riskRules[id as RiskRuleId].reason] : []))
