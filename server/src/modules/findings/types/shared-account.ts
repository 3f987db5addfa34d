import { daySeconds, resolved, type Wanted } from './wanted.ts'

/** How an employee last used an account; those who are merged count as the one they are shown as. */
export interface SharedUse {
  readonly employeeId: string
  /** UNIX seconds; null if that was never seen. */
  readonly lastUsed: number | null
}

/** At least two employees used the account within the last days (domain contract, section 5). */
export function sharedAccount(uses: readonly SharedUse[], nowSeconds: number, days: number): Wanted {
  const since = nowSeconds - days * daySeconds
  const users = new Set(
    uses.filter(({ lastUsed }) => lastUsed !== null && lastUsed >= since).map(({ employeeId }) => employeeId),
  )
  return users.size > 1 ? { open: true } : resolved
}
