import { type AccountInput, findingType } from './finding-type.ts'
import { daySeconds, resolved } from './finding-verdict.ts'

/** Returns true for an account with OpenID Connect login that was not used for `unusedAppDays`. */
export function isUnusedThirdPartyApp({
  account,
  nowSeconds,
  thresholds: { unusedAppDays },
}: Omit<AccountInput, 'uses'>): boolean {
  if (account.loginMethods.oidcLogin === null) return false
  const lastUsed = account.lastUsedTimestamp ?? account.creationTimestamp
  return lastUsed < nowSeconds - unusedAppDays * daySeconds
}

/** An app that may read data of an identity provider is no longer used. */
export const unusedThirdPartyApp = findingType({
  type: 'UNUSED_THIRD_PARTY_APP',
  subject: 'ACCOUNT',
  triggers: ['ACCOUNT_USED', 'TIME_PASSED'],
  severity: 'LOW',
  resolvesWithout: 'OIDC',
  decide: (input) => (isUnusedThirdPartyApp(input) ? { open: true } : resolved),
})
