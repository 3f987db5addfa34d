import { expect, test } from 'vitest'
import { leakedPassword } from './leaked-password.ts'

test.each([
  { leaked: true, verdict: { open: true, passwordId: 'p' } },
  { leaked: false, verdict: { open: false } },
  { leaked: null, verdict: undefined },
])('leaked $leaked gives the verdict $verdict', ({ leaked, verdict }) => {
  expect(
    leakedPassword.decide({
      password: { passwordId: 'p', leaked, weakReasons: [], stolenIds: null },
      foundPasswordId: null,
    }),
  ).toEqual(verdict)
})
