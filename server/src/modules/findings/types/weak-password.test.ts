import { expect, test } from 'vitest'
import { weakPassword } from './weak-password.ts'

const passwordId = 'p'

test.each([
  { weakReasons: [], verdict: { open: false } },
  {
    weakReasons: ['TOO_SHORT'] as const,
    verdict: { open: true, passwordId, weakPasswordReasons: ['TOO_SHORT'] },
  },
  {
    weakReasons: ['COMMON_BASE_WORD', 'RESTRICTED_WORD'] as const,
    verdict: { open: true, passwordId, weakPasswordReasons: ['COMMON_BASE_WORD', 'RESTRICTED_WORD'] },
  },
])('weak reasons $weakReasons give the verdict $verdict', ({ weakReasons, verdict }) => {
  expect(
    weakPassword.decide({
      password: { passwordId, weakReasons: [...weakReasons], leaked: null, stolenIds: null },
      foundPasswordId: null,
    }),
  ).toEqual(verdict)
})
