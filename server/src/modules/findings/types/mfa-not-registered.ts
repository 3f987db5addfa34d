import { findingType } from './finding-type.ts'
import { resolved } from './finding-verdict.ts'

/** An account with password login is known to have no second factor. */
export const mfaNotRegistered = findingType({
  type: 'MFA_NOT_REGISTERED',
  subject: 'ACCOUNT',
  triggers: ['ACCOUNT_USED'],
  severity: 'MEDIUM',
  resolvesWithout: 'USERNAME_PASSWORD',
  decide: ({ account: { loginMethods, mfaRegistered } }) =>
    loginMethods.passwordLogin && mfaRegistered === false ? { open: true } : resolved,
})
