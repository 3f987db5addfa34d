import { findingType } from './finding-type.ts'
import { daySeconds, resolved } from './finding-verdict.ts'

/** At least two employees used the account within `sharedAccountDays`. */
export const sharedAccount = findingType({
  type: 'SHARED_ACCOUNT',
  subject: 'ACCOUNT',
  triggers: ['ACCOUNT_USED', 'ACCOUNT_USERS_CHANGED', 'TIME_PASSED'],
  severity: 'MEDIUM',
  decide: ({ uses, nowSeconds, thresholds: { sharedAccountDays } }) => {
    const since = nowSeconds - sharedAccountDays * daySeconds
    const recent = uses.filter(({ lastUsed }) => lastUsed !== null && lastUsed >= since)
    const users = new Set(recent.map(({ employeeId }) => employeeId))
    return users.size > 1 ? { open: true } : resolved
  },
})
