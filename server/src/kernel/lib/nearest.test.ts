import { expect, test } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

const words = ['port', 'host', 'public_url', 'rate_limit_burst']

test.each([
  ['prot', 'port'],
  ['PORT', 'port'],
  ['hosts', 'host'],
  ['publicurl', 'public_url'],
  ['rate_limit_brust', 'rate_limit_burst'],
])('%s was probably %s', (typed, meant) => {
  expect(nearest(typed, words)).toBe(meant)
})

test.each(['', 'x', 'color', 'url'])('%j is near to nothing', (typed) => {
  expect(nearest(typed, words)).toBeUndefined()
})

test('a suggestion is a question, and left out when there is none', () => {
  expect(didYouMean('hots', words)).toBe(' Did you mean host?')
  expect(didYouMean('color', words)).toBe('')
})
