import { expect, test } from 'vitest'
import { counted, nounFor } from './counted.ts'

test.each([
  [0, '0 browsers'],
  [1, '1 browser'],
  [2500, '2,500 browsers'],
])('formats %i as %s', (count, text) => {
  expect(counted(count, 'browser')).toBe(text)
})

test('supports irregular plurals and lower bounds', () => {
  expect(counted(1, 'person', 'people')).toBe('1 person')
  expect(counted(3, 'person', 'people')).toBe('3 people')
  expect(counted(1, 'account', 'accounts', true)).toBe('at least 1 accounts')
  expect(nounFor(1, 'is', 'are')).toBe('is')
})
