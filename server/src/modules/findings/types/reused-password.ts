import { resolved, type Wanted } from './wanted.ts'

/** An account, of the catalog or not, that has a password. */
export interface PasswordHolder {
  /** The place of the account: apps that share their accounts have the same (`accountSystemOf`). */
  readonly place: string
}

/**
 * A password that is on accounts at more than one place is reused on each of them (domain contract, section 5).
 *
 * @param holders all accounts that have the password
 */
export const reusedPassword = (passwordId: string | null, holders: readonly PasswordHolder[]): Wanted =>
  passwordId !== null && new Set(holders.map(({ place }) => place)).size > 1
    ? { open: true, passwordId }
    : resolved
