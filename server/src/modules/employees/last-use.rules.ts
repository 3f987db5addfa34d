import type { AccountUser } from '@muster/contract/records/account'

/** Stored use of an account by the observed employee. */
interface ObservedUse {
  readonly internal: Readonly<Record<string, unknown>>
}

/**
 * Returns the latest use of an account by merged employees.
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
