import { findingType } from './finding-type.ts'
import { resolved } from './finding-verdict.ts'

/** The password of the latest password login is weak. */
export const weakPassword = findingType({
  type: 'WEAK_PASSWORD',
  subject: 'ACCOUNT',
  triggers: ['PASSWORD_LOGIN'],
  severity: 'MEDIUM',
  resolvesWithout: 'USERNAME_PASSWORD',
  decide: ({ password: { weakReasons, passwordId } }) =>
    weakReasons.length > 0 ? { open: true, passwordId, weakPasswordReasons: weakReasons } : resolved,
})
