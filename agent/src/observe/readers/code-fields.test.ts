import { expect, test } from 'vitest'
import { codeEntered } from './code-fields.ts'

test.each([
  ['EMPTY', [0]],
  ['EMPTY', [0, 0, 0, 0, 0, 0]],
  ['PARTIAL', [3]],
  ['PARTIAL', [1, 1, 1, 1, 1, 0]],
  ['ENTERED', [6]],
  ['ENTERED', [1, 1, 1, 1]],
] as const)('a code is %s with %j characters in its fields', (state, lengths) => {
  expect(codeEntered(lengths)).toBe(state)
})
