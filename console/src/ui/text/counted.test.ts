import { expect, test } from 'vitest'
import { counted, nounFor } from './counted.ts'

test.each([
  [0, '0 browsers'],
  [1, '1 browser'],
  [2500, '2,500 browsers'],
])('%i is counted as %s', (count, text) => {
  expect(counted(count, 'browser')).toBe(text)
})

test('a plural of its own, and a number that is only the least, are said', () => {
  expect(counted(1, 'person', 'people')).toBe('1 person')
  expect(counted(3, 'person', 'people')).toBe('3 people')
  expect(counted(1, 'account', 'accounts', true)).toBe('1+ accounts')
  expect(nounFor(1, 'is', 'are')).toBe('is')
})
