import { expect, test } from 'vitest'
import { anyCharacter, fc } from '../../../test/support/fast-check.ts'
import { commonWordLines } from './common-words.ts'
import { weakReasons } from './weak-reasons.ts'

const commonWords = new Set(commonWordLines.split('\n'))
const restricted = ['Acme', 'spring field']

test('the list has 10,000 distinct common words in lower case', () => {
  expect(commonWords.size).toBe(10_000)
  expect([...commonWords].filter((word) => word !== word.toLowerCase())).toEqual([])
})

test.each([
  ['password', ['COMMON_BASE_WORD']],
  ['Password123!', ['COMMON_BASE_WORD']],
  ['P@ssw0rd2024', ['COMMON_BASE_WORD']],
  ['!!dragon99', ['COMMON_BASE_WORD']],
  ['$uperm4n7777', ['COMMON_BASE_WORD']],
  ['!loveyou1!', ['COMMON_BASE_WORD']],
  ['1qaz2wsx', ['COMMON_BASE_WORD']],
  ['12345678', ['COMMON_BASE_WORD']],
  ['!123456789!', ['COMMON_BASE_WORD']],
  ['qwerty', ['COMMON_BASE_WORD', 'TOO_SHORT']],
  ['ACME2026!', ['RESTRICTED_WORD']],
  ['4cm3!', ['RESTRICTED_WORD', 'TOO_SHORT']],
  ['spring field 7', ['RESTRICTED_WORD']],
  ['x9#fQ', ['TOO_SHORT']],
  ['', ['TOO_SHORT']],
  ['correct horse battery staple', []],
  ['vT7#qLw9zKp2', []],
  ['94028175630', []],
  ['пароль-моей-бабушки', []],
])('%s is weak for %j', (password, reasons) => {
  expect(weakReasons(password, commonWords, restricted)).toEqual(reasons)
})

test('the minimum length counts characters, not code units', () => {
  expect(weakReasons('🐢🐢🐢🐢🐢🐢🐢🐢', commonWords, [])).toEqual([])
  expect(weakReasons('🐢🐢🐢🐢🐢🐢🐢', commonWords, [])).toEqual(['TOO_SHORT'])
})

test('decoration never hides a common word', () => {
  const decoration = fc
    .array(fc.constantFrom(...'0123456789!?#*_-.'), { maxLength: 10 })
    .map((all) => all.join(''))
  const word = fc.constantFrom(...[...commonWords].filter((common) => /^\p{L}+$/u.test(common)))
  fc.assert(
    fc.property(decoration, word, decoration, (front, common, end) => {
      expect(weakReasons(front + common.toUpperCase() + end, commonWords, [])).toContain('COMMON_BASE_WORD')
    }),
  )
})

test('any text is judged without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), (text) => {
      const reasons = weakReasons(text, commonWords, restricted)
      expect(reasons.includes('TOO_SHORT')).toBe(Array.from(text).length < 8)
    }),
  )
})
