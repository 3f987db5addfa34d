import { findingType, type TypedLogin } from './finding-type.ts'
import { resolved } from './finding-verdict.ts'

/** Number of latest password logins of an employee that count. */
const typedLoginsKept = 5

/** Latest password logins of an employee, as stored with the employee. */
export interface TypedLoginHistory {
  readonly logins: readonly TypedLogin[]
  /** Last verdict: true for open. Undefined if unknown, for example after an import. */
  readonly settled?: boolean | undefined
}

/** Parses the stored history of an employee. */
export const parseTypedLoginHistory = (stored: unknown): TypedLoginHistory =>
  typeof stored === 'string' ? (JSON.parse(stored) as TypedLoginHistory) : { logins: [] }

/** Returns the latest logins by time. A login that is reported late may be too old to count. */
export const latestTypedLogins = (logins: readonly TypedLogin[]): TypedLogin[] =>
  logins.toSorted(([one], [other]) => one - other).slice(-typedLoginsKept)

/** The employee typed the password by hand in at least `typedLogins` of the latest password logins. */
export const passwordManagerNotUsed = findingType({
  type: 'PASSWORD_MANAGER_NOT_USED',
  subject: 'EMPLOYEE',
  triggers: ['TYPED_LOGINS_CHANGED'],
  severity: 'MEDIUM',
  decide: ({ logins, thresholds: { typedLogins: threshold } }) => {
    const typed = logins.filter(([, byHand]) => byHand).length
    if (threshold > 0 && typed >= threshold) return { open: true }
    // Unknown logins could still decide it.
    const unknown = typedLoginsKept - logins.length
    return threshold > 0 && typed + unknown >= threshold ? undefined : resolved
  },
})
