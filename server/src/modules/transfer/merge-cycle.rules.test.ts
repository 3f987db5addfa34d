import { expect, test } from 'vitest'
import { isMergeCycle } from './merge-cycle.rules.ts'

const into = (id: string, mergedIntoId: string | null) => ({ id, mergedIntoId })

test.each([
  ['stands alone', [], into('a', null), false],
  ['names itself', [], into('a', 'a'), true],
  ['names one who is not there', [], into('a', 'b'), false],
  ['names one who stands alone', [['b', null]], into('a', 'b'), false],
  ['names one who is merged into it', [['b', 'a']], into('a', 'b'), true],
  [
    'comes back after two others',
    [
      ['b', 'c'],
      ['c', 'a'],
    ],
    into('a', 'b'),
    true,
  ],
  [
    'leads to others who go round',
    [
      ['b', 'c'],
      ['c', 'b'],
    ],
    into('a', 'b'),
    false,
  ],
] as const)('an employee who %s', (_, others, employee, back) => {
  expect(isMergeCycle(new Map<string, string | null>(others), employee)).toBe(back)
})
