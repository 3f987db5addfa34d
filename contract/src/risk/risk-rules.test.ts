import { expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { findingTypes } from '../records/finding.ts'
import { priorityOf, riskLevelOf, riskLevels, scoresOf, scoresOfLevel } from './risk-levels.ts'
import { assessFinding, pointsOf, type RiskFacts, reasonsOf, riskRuleIds, riskRules } from './risk-rules.ts'

const facts: RiskFacts = {
  type: 'WEAK_PASSWORD',
  otherTypes: [],
  mfa: null,
  inUse: true,
  sensitivity: null,
  phished: false,
  privateIdentity: false,
}
const priority = (changes: Partial<RiskFacts>) => priorityOf(assessFinding({ ...facts, ...changes }).score)

test.each<[string, Partial<RiskFacts>, string]>([
  ['stolen, in use, no second factor', { type: 'STOLEN_CREDENTIALS', mfa: false }, 'P1'],
  ['stolen, second factor', { type: 'STOLEN_CREDENTIALS', mfa: true }, 'P2'],
  ['leaked, no second factor', { type: 'LEAKED_PASSWORD', mfa: false }, 'P2'],
  ['leaked, no second factor, sensitive', { type: 'LEAKED_PASSWORD', mfa: false, sensitivity: 'HIGH' }, 'P1'],
  ['weak, no second factor', { mfa: false }, 'P2'],
  ['weak, no second factor, sensitive', { mfa: false, sensitivity: 'HIGH' }, 'P1'],
  ['weak, phished', { phished: true }, 'P1'],
  ['no second factor, phished', { type: 'MFA_NOT_REGISTERED', mfa: false, phished: true }, 'P1'],
  ['no second factor, weak', { type: 'MFA_NOT_REGISTERED', mfa: false, otherTypes: ['WEAK_PASSWORD'] }, 'P2'],
  ['weak, sensitive, private address', { sensitivity: 'HIGH', privateIdentity: true }, 'P2'],
  ['weak', {}, 'P3'],
  ['weak, second factor', { mfa: true }, 'P4'],
  ['shared', { type: 'SHARED_ACCOUNT' }, 'P4'],
  ['shared, sensitive', { type: 'SHARED_ACCOUNT', sensitivity: 'HIGH' }, 'P3'],
  ['unused', { type: 'UNUSED_THIRD_PARTY_APP', inUse: false }, 'P4'],
])('%s', (_name, changes, expected) => {
  expect(priority(changes)).toBe(expected)
})

const anyFacts: fc.Arbitrary<RiskFacts> = fc.record({
  type: fc.constantFrom(...findingTypes),
  otherTypes: fc.subarray([...findingTypes]),
  mfa: fc.constantFrom(true, false, null),
  inUse: fc.constantFrom(true, false, null),
  sensitivity: fc.constantFrom('HIGH', 'MEDIUM', 'LOW', null),
  phished: fc.boolean(),
  privateIdentity: fc.boolean(),
})
const anyWeights = fc
  .uniqueArray(fc.constantFrom(...riskRuleIds))
  .chain((ids) => fc.record(Object.fromEntries(ids.map((id) => [id, fc.integer({ min: -100, max: 100 })]))))

test('a score is the sum of the points of its rules, and every open finding has a reason by default', () => {
  fc.assert(
    fc.property(anyFacts, anyWeights, (one, weights) => {
      const { score, rules } = assessFinding(one, weights)
      expect(score).toBe(
        Math.max(
          0,
          rules.reduce((sum, id) => sum + pointsOf(id, weights), 0),
        ),
      )
      expect(assessFinding(one).rules.length).toBeGreaterThan(0)
      expect(reasonsOf(rules)).toHaveLength(rules.length)
    }),
  )
})

test('a more sensitive app, a missing second factor or a phished password never lower a score', () => {
  fc.assert(
    fc.property(anyFacts, (one) => {
      const score = (changes: Partial<RiskFacts>) => assessFinding({ ...one, ...changes }).score
      expect(score({ sensitivity: 'HIGH' })).toBeGreaterThanOrEqual(score({ sensitivity: 'MEDIUM' }))
      expect(score({ sensitivity: 'MEDIUM' })).toBeGreaterThanOrEqual(score({ sensitivity: null }))
      expect(score({ mfa: false })).toBeGreaterThanOrEqual(score({ mfa: true }))
      expect(score({ phished: true })).toBeGreaterThanOrEqual(score({ phished: false }))
    }),
  )
})

test('every score has exactly one priority and one level', () => {
  for (const score of [0, 1, 24, 25, 49, 50, 79, 80, 500]) {
    const [from, below = Number.POSITIVE_INFINITY] = scoresOf(priorityOf(score))
    expect(score >= from && score < below).toBe(true)
    expect(scoresOfLevel(riskLevelOf(score))).toEqual(scoresOf(priorityOf(score)))
  }
  expect(riskLevelOf(null)).toBe('NONE')
  expect(riskLevels.map((level) => scoresOfLevel(level)?.[0])).toEqual([80, 50, 25, 0, undefined])
})

test('rules have distinct reasons and a default other than 0', () => {
  const rules = Object.values(riskRules)
  expect(new Set(rules.map(({ reason }) => reason)).size).toBe(rules.length)
  expect(rules.every(({ points }) => Number(points) !== 0)).toBe(true)
})
