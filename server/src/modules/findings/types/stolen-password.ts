import { findingType } from './finding-type.ts'
import { resolved } from './finding-verdict.ts'

/**
 * A login matched a stolen credential. Only a login with another password that does not match resolves the finding: the
 * same password may stop matching because the list changed, and some logins are not checked.
 */
export const stolenPassword = findingType({
  type: 'STOLEN_CREDENTIALS',
  subject: 'ACCOUNT',
  triggers: ['PASSWORD_LOGIN'],
  severity: 'HIGH',
  resolvesWithout: 'USERNAME_PASSWORD',
  decide: ({ password: { stolenIds, passwordId }, foundPasswordId }) => {
    if (stolenIds === null) return undefined
    if (stolenIds.length > 0) return { open: true, passwordId }
    return passwordId === foundPasswordId ? undefined : resolved
  },
})
