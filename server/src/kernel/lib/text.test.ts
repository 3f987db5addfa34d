import { expect, test } from 'vitest'
import { characterCount, firstCharacters } from './text.ts'

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['😀😀', 2, '😀😀'],
  ['😀😀😀', 2, '😀😀'],
  ['a😀😀', 2, 'a😀'],
  ['ab😀😀', 2, 'ab'],
  ['', 2, ''],
])('the first characters of %j, %d at most, are %j', (text, most, first) => {
  expect(firstCharacters(text, most)).toBe(first)
  expect(characterCount(first)).toBeLessThanOrEqual(most)
})
