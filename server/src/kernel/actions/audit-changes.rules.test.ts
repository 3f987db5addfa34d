import { auditListMaximum, auditValueLengthMaximum } from '@muster/contract/events/event-audit-records'
import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { added, auditedChanges, removed } from './audit-changes.rules.ts'

test.each([
  ['a boolean', false, true],
  ['a number', 1, 2],
  ['a text', 'a', 'b'],
  ['nothing', null, 'b'],
  ['a list', ['a'], []],
  ['an object', { days: 1 }, { days: 2 }],
  ['a text that looks like another type', 'true', true],
])('%s keeps its JSON type', (_, old, now) => {
  expect(auditedChanges({ member: old, same: 1 }, { member: now, same: 1 })).toEqual([
    { name: 'member', old, new: now },
  ])
})

test('a missing member is null', () => {
  expect(auditedChanges({}, { member: 1, other: undefined })).toEqual([{ name: 'member', old: null, new: 1 }])
  expect([added('x', 1), removed('x', ['a'])]).toEqual([
    { name: 'x', old: null, new: 1 },
    { name: 'x', old: ['a'], new: null },
  ])
})

test('any change fits into the limits of an event', () => {
  const long = fc.string({ minLength: 9_000, maxLength: 30_000 })
  const value = fc.oneof(
    fc.jsonValue(),
    long,
    fc.array(fc.string({ maxLength: 50 }), { maxLength: 900 }),
    fc.array(long, { maxLength: 2 }),
    fc.record({ long }),
  )
  const record = fc.dictionary(fc.string({ maxLength: 8 }), value, { maxKeys: 5 })
  fc.assert(
    fc.property(record, record, (before, after) => {
      const changes = auditedChanges(before, after)
      expect(changes.length).toBeLessThanOrEqual(auditListMaximum)
      for (const change of changes)
        for (const shown of [change.old, change.new])
          expect((typeof shown === 'string' ? shown : JSON.stringify(shown)).length).toBeLessThanOrEqual(
            auditValueLengthMaximum,
          )
    }),
    { numRuns: 50 },
  )
})
