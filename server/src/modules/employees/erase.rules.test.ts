import { type Controls, defaultControls } from '@muster/contract/controls'
import { expect, test } from 'vitest'
import { withoutPeople } from './erase.rules.ts'

const gone = (controls: Partial<Controls>) =>
  withoutPeople({ ...defaultControls, ...controls }, new Set(['ada']), new Set(['ada@example.com']))

const rule = (...employeeIds: string[]) => ({ employeeIds, mode: 'BLOCK' as const })

test('rules no longer name who is gone, and go with them if they were for nobody else', () => {
  const forAll = { mode: 'WARN' as const }
  const rules = [rule('ada', 'bob'), rule('ada'), rule('bob'), forAll]
  const phishingTools = { mode: 'MONITOR' as const, rules }
  expect(gone({ phishingTools })).toEqual({
    ...defaultControls,
    phishingTools: { mode: 'MONITOR', rules: [rule('bob'), rule('bob'), forAll] },
  })
})

test('whom one may ask is nobody when it was who is gone', () => {
  expect(gone({ contact: 'Ada@Example.com' }).contact).toBeNull()
  expect(gone({ contact: 'security@example.com' }).contact).toBe('security@example.com')
})

test('controls that name nobody stay as they are', () => {
  expect(gone({})).toEqual(defaultControls)
})
