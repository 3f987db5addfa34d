import { beforeEach, expect, test } from 'vitest'
import { frameWatch } from '../../loader/frame-watch.ts'
import { frameWords } from './frame-words.ts'
import { saysPassword, saysSignIn } from './word-tests.ts'

beforeEach(() => {
  frameWatch().words = null
})

test('a text cannot be tested before the frame has its words', () => {
  expect(() => saysPassword('password')).toThrow('not loaded yet')
  frameWatch().words = frameWords
  expect([saysPassword('password'), saysSignIn('password'), saysSignIn('log in')]).toEqual([
    true,
    false,
    true,
  ])
})
