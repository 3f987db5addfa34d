import { expect, test } from 'vitest'
import { isWebAddress } from './http-address.ts'

test.each([
  ['https://login.example.net/a?b=c', true],
  ['HTTP://example.net', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['chrome://settings', false],
  ['example.net', false],
  ['', false],
  [null, false],
])('returns for %s whether it is a web address: %s', (address, expected) => {
  expect(isWebAddress(address)).toBe(expected)
})
