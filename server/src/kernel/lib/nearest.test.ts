import { expect, test } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

const words = ['port', 'host', 'public_url', 'rate_limit_burst']

test.each([
  ['prot', 'port'],
  ['PORT', 'port'],
  ['hosts', 'host'],
  ['publicurl', 'public_url'],
  ['rate_limit_brust', 'rate_limit_burst'],
])('suggests for %s: %s', (typed, meant) => {
  expect(nearest(typed, words)).toBe(meant)
})

test.each(['', 'x', 'color', 'url'])('suggests nothing for %j', (typed) => {
  expect(nearest(typed, words)).toBeUndefined()
})

test('didYouMean returns a question, or nothing', () => {
  expect(didYouMean('hots', words)).toBe(' Did you mean host?')
  expect(didYouMean('color', words)).toBe('')
})
