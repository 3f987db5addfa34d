import type { AccountUser } from '@muster/contract/account'

/** What is kept of the use of an account by an employee it was observed with. */
interface ObservedUse {
  readonly internal: Readonly<Record<string, unknown>>
}

/**
 * A user of an account: of all uses by the employees that are one person, the latest.
 *
 * @param uses at least one
 */
export function lastUse(employeeId: string, uses: readonly ObservedUse[]): AccountUser {
  const last = uses.reduce((latest, use) =>
    Number(use.internal.observedLastUsed ?? -1) > Number(latest.internal.observedLastUsed ?? -1)
      ? use
      : latest,
  )
  const { observedLastUsed, observedTyped } = last.internal
  return {
    employeeId,
    lastUsedTimestamp:
      observedLastUsed === null || observedLastUsed === undefined ? null : Number(observedLastUsed),
    passwordManuallyTyped:
      observedTyped === null || observedTyped === undefined ? null : Number(observedTyped) === 1,
  }
}
