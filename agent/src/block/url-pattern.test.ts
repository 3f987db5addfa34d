import { describe, expect, test } from 'vitest'
import { patternTable } from './pattern-samples.ts'
import { globMatches, parseUrlPattern, urlMatcher } from './url-pattern.ts'

/** Returns the addresses that a pattern blocks. */
function blockedBy(pattern: string, addresses: readonly string[]): string[] {
  const match = urlMatcher([{ id: 'id', url: pattern }])
  return addresses.filter((address) => match(address) !== null)
}

describe.each(patternTable)('the pattern %s', (pattern, blocked, open) => {
  test('blocks matching addresses', () => {
    expect(blockedBy(pattern, blocked)).toEqual(blocked)
  })

  test('blocks nothing else', () => {
    expect(blockedBy(pattern, open)).toEqual([])
  })
})

test.each([
  '',
  '*',
  '*.',
  '/path',
  'https://',
  'ftp://example.com',
  'exa*mple.com',
  'example.com#x',
  'EXAMPLE.com',
  'a b',
])('%j is not a pattern and blocks nothing', (text) => {
  expect(parseUrlPattern(text)).toBeNull()
  expect(blockedBy(text, ['https://example.com/'])).toEqual([])
})

test('the pattern with the most specific host wins', () => {
  const match = urlMatcher([
    { id: 'all', url: '*.example.com' },
    { id: 'one', url: 'a.example.com/x*' },
  ])
  expect(match('https://a.example.com/xy')?.id).toBe('one')
  expect(match('https://a.example.com/y')?.id).toBe('all')
})

test('a host is found among 25,000 patterns', () => {
  const patterns = Array.from({ length: 25_000 }, (_, index) => ({
    id: `${index}`,
    url: `*.site-${index}.example`,
  }))
  const match = urlMatcher(patterns)
  expect(match('https://a.site-24999.example/')?.id).toBe('24999')
  expect(match('https://site-25000.example/')).toBeNull()
})

describe('the * in a path', () => {
  test.each([
    ['', '', true],
    ['*', '', true],
    ['a*', 'abc', true],
    ['*c', 'abcc', true],
    ['a*b*c', 'a--b--b-c', true],
    ['a*b*c', 'acb', false],
    ['a**b', 'ab', true],
    ['a*b', 'abx', false],
    ['abc', 'ab', false],
  ])('%j against %j: %s', (pattern, text, expected) => {
    expect(globMatches(pattern, text)).toBe(expected)
  })

  test('is not slow with many wildcards', () => {
    expect(globMatches(`${'a*'.repeat(1000)}b`, 'a'.repeat(8000))).toBe(false)
  })
})
