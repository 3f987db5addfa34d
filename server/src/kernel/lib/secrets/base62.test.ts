import { expect, test } from 'vitest'
import { encodeBase62, randomBase62 } from './base62.ts'

test.each([
  [0, 6, '000000'],
  [9, 1, '9'],
  [10, 1, 'A'],
  [61, 2, '0z'],
  [62, 2, '10'],
  [2 ** 32 - 1, 6, '4gfFC3'],
])('%i in %i characters is %s', (value, width, text) => {
  expect(encodeBase62(value, width)).toBe(text)
})

test.each([
  [-1, 6],
  [0.5, 6],
  [62, 1],
])('%d does not fit into %i characters', (value, width) => {
  expect(() => encodeBase62(value, width)).toThrow(RangeError)
})

test('random characters are uniformly distributed', () => {
  const drawn = 62 * 4_000
  const counts = new Map<string, number>()
  for (const character of randomBase62(drawn)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 4,000 expected of each with a standard deviation of 63; modulo bias would give some of them 25 % more.
  for (const count of counts.values()) expect(Math.abs(count - 4_000)).toBeLessThan(500)
})
