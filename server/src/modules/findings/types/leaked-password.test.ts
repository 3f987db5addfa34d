import { expect, test } from 'vitest'
import { leakedPassword } from './leaked-password.ts'

test.each([
  { leaked: true, wanted: { open: true, passwordId: 'p' } },
  { leaked: false, wanted: { open: false } },
  { leaked: null, wanted: undefined },
])('a login whose password is leaked: $leaked wants $wanted', ({ leaked, wanted }) => {
  expect(leakedPassword({ passwordId: 'p', leaked })).toEqual(wanted)
})
