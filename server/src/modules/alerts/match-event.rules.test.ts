import { alertTriggers } from '@muster/contract/console/alerts/alert-kinds'
import { exampleEventOf } from '@muster/contract/events/event-objects'
import { detectionTypes, severities } from '@muster/contract/records/detection'
import { findingTypes } from '@muster/contract/records/finding'
import { priorities } from '@muster/contract/risk/risk-levels'
import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import type { AlertEvent } from './alert-facts.rules.ts'
import { matchesRule } from './match-event.rules.ts'

const someOf = <T>(values: readonly T[]) => fc.subarray([...values])
const groupNames = ['Finance', 'Sales', 'Board']

const rules = fc.record({
  triggers: fc.subarray([...alertTriggers], { minLength: 1 }),
  detectionTypes: someOf(detectionTypes),
  minSeverity: fc.constantFrom(...severities),
  findingTypes: someOf(findingTypes),
  minPriority: fc.constantFrom(...priorities),
  groups: someOf(groupNames),
})
const contexts = fc.record({
  groups: someOf(groupNames),
  priority: fc.constantFrom(null, ...priorities),
})

const detection = fc
  .record({
    detectionType: fc.constantFrom(...detectionTypes),
    severity: fc.constantFrom(...severities),
    archived: fc.boolean(),
  })
  .map((members) => ({ ...exampleEventOf(members.detectionType), new: members }))
const finding = fc
  .record({ type: fc.constantFrom(...findingTypes), state: fc.constantFrom('OPEN', 'RESOLVED') })
  .map((members) => ({ ...exampleEventOf('FINDING'), new: members }))
const events = fc
  .oneof(detection, finding, fc.constantFrom(exampleEventOf('APP'), exampleEventOf('APP_OTHER')))
  .map((event) => ({ ...event, type: 'CREATE', old: null }) as unknown as AlertEvent)

const everything = {
  triggers: [...alertTriggers],
  detectionTypes: [],
  minSeverity: 'LOW',
  findingTypes: [],
  minPriority: 'P4',
  groups: [],
} satisfies Parameters<typeof matchesRule>[0]

test('whatever a rule matches, a rule without restrictions matches', () => {
  fc.assert(
    fc.property(rules, events, contexts, (rule, event, context) => {
      const isMatch = matchesRule(rule, event, context)
      expect(!isMatch || matchesRule(everything, event, context)).toBe(true)
      const { archived = false, state = 'OPEN' } = event.new as { archived?: boolean; state?: string }
      expect(matchesRule(everything, event, context)).toBe(!archived && state === 'OPEN')
    }),
  )
})

test('a rule that asks for less matches no less', () => {
  fc.assert(
    fc.property(rules, events, contexts, (rule, event, context) => {
      const isMatch = matchesRule(rule, event, context)
      for (const wider of [
        { ...rule, minSeverity: 'LOW' as const },
        { ...rule, minPriority: 'P4' as const },
        { ...rule, groups: [] },
        { ...rule, detectionTypes: [], findingTypes: [] },
      ])
        expect(!isMatch || matchesRule(wider, event, context)).toBe(true)
    }),
  )
})

test('a change after which the record fits no more than before is not told, nor is a removal', () => {
  fc.assert(
    fc.property(rules, events, contexts, (rule, event, context) => {
      expect(matchesRule(rule, { ...event, type: 'UPDATE', old: event.new }, context)).toBe(false)
      expect(matchesRule(rule, { ...event, type: 'DELETE', old: event.new, new: null }, context)).toBe(false)
    }),
  )
})
