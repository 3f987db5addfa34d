import { resolved, type Wanted } from './wanted.ts'

/** An account, of the catalogue or not, that has a password. */
export interface PasswordHolder {
  /** The app, of the catalogue or not, that the account is on. */
  readonly appId: string
}

/**
 * A password that is on accounts of more than one app is reused on each of them (domain contract, section 5).
 *
 * @param holders all accounts that have the password
 */
export const reusedPassword = (passwordId: string | null, holders: readonly PasswordHolder[]): Wanted =>
  passwordId !== null && new Set(holders.map(({ appId }) => appId)).size > 1
    ? { open: true, passwordId }
    : resolved
