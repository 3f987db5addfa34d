import { type Controls, defaultControls } from '@muster/contract/records/controls'
import { expect, test } from 'vitest'
import { removeEmployees } from './erase.rules.ts'

const withoutErased = (controls: Partial<Controls>) =>
  removeEmployees({ ...defaultControls, ...controls }, new Set(['ada']), new Set(['ada@example.com']))

const rule = (...employeeIds: string[]) => ({ employeeIds, mode: 'BLOCK' as const })

test('removes erased employees from rules, and rules for no other employee', () => {
  const forAll = { mode: 'WARN' as const }
  const rules = [rule('ada', 'bob'), rule('ada'), rule('bob'), forAll]
  const phishingTools = { mode: 'MONITOR' as const, rules }
  expect(withoutErased({ phishingTools })).toEqual({
    ...defaultControls,
    phishingTools: { mode: 'MONITOR', rules: [rule('bob'), rule('bob'), forAll] },
  })
})

test('removes the contact if it was erased', () => {
  expect(withoutErased({ contact: 'Ada@Example.com' }).contact).toBeNull()
  expect(withoutErased({ contact: 'security@example.com' }).contact).toBe('security@example.com')
})

test('does not change controls that name none of them', () => {
  expect(withoutErased({})).toEqual(defaultControls)
})
