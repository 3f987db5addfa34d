import { expect, test } from 'vitest'
import { weakPassword } from './weak-password.ts'

const passwordId = 'p'

test.each([
  { weakReasons: [], wanted: { open: false } },
  {
    weakReasons: ['TOO_SHORT'] as const,
    wanted: { open: true, passwordId, weakPasswordReasons: ['TOO_SHORT'] },
  },
  {
    weakReasons: ['COMMON_BASE_WORD', 'RESTRICTED_WORD'] as const,
    wanted: { open: true, passwordId, weakPasswordReasons: ['COMMON_BASE_WORD', 'RESTRICTED_WORD'] },
  },
])('a login with the reasons $weakReasons wants $wanted', ({ weakReasons, wanted }) => {
  expect(weakPassword({ passwordId, weakReasons: [...weakReasons] })).toEqual(wanted)
})
