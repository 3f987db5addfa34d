import { findingType } from './finding-type.ts'
import { resolved } from './finding-verdict.ts'

/** The password of an account is also used at another place. */
export const reusedPassword = findingType({
  type: 'REUSED_PASSWORD',
  subject: 'ACCOUNT',
  triggers: ['PASSWORD_HOLDERS_CHANGED'],
  severity: 'MEDIUM',
  resolvesWithout: 'USERNAME_PASSWORD',
  decide: ({ passwordId, holders }) =>
    passwordId !== null && new Set(holders.map(({ place }) => place)).size > 1
      ? { open: true, passwordId }
      : resolved,
})
