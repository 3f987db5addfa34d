import { findingType } from './finding-type.ts'
import { resolved } from './finding-verdict.ts'

/** The password of the latest password login is on the list of leaked passwords. */
export const leakedPassword = findingType({
  type: 'LEAKED_PASSWORD',
  subject: 'ACCOUNT',
  triggers: ['PASSWORD_LOGIN'],
  severity: 'HIGH',
  resolvesWithout: 'USERNAME_PASSWORD',
  decide: ({ password: { leaked, passwordId } }) => {
    // Null: the browser could not look the password up.
    if (leaked === null) return undefined
    return leaked ? { open: true, passwordId } : resolved
  },
})
