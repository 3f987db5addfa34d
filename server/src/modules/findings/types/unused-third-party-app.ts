import type { Account } from '@muster/contract/account'
import { daySeconds, resolved, type Wanted } from './wanted.ts'

type Facts = Pick<Account, 'loginMethods' | 'lastUsedTimestamp' | 'creationTimestamp'>

/** An account that signs in by OpenID Connect and was not used for so many days (domain contract, section 5). */
export function unusedThirdPartyApp(account: Facts, nowSeconds: number, days: number): Wanted {
  if (account.loginMethods.oidcLogin === null) return resolved
  const lastUsed = account.lastUsedTimestamp ?? account.creationTimestamp
  return lastUsed < nowSeconds - days * daySeconds ? { open: true } : resolved
}
