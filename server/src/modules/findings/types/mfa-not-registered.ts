import type { Account } from '@muster/contract/account'
import { resolved, type Wanted } from './wanted.ts'

/** An account that signs in by password, and is known to have no second factor (domain contract, section 5). */
export const mfaNotRegistered = ({
  loginMethods,
  mfaRegistered,
}: Pick<Account, 'loginMethods' | 'mfaRegistered'>): Wanted =>
  loginMethods.passwordLogin && mfaRegistered === false ? { open: true } : resolved
