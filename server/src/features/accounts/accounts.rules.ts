import type { Account, LoginMethods, removableLoginMethods } from '@muster/contract/account'
import { notFound } from '@muster/contract/errors'

type RemovableLoginMethod = (typeof removableLoginMethods)[number]

/** What each removable method is in the record: cleared, it is false or null, and so is its time. */
const cleared: Record<RemovableLoginMethod, Partial<LoginMethods>> = {
  USERNAME_PASSWORD: { passwordLogin: false, lastPasswordLoginTimestamp: null },
  OKTA_SWA: { oktaSwaLogin: false, lastOktaSwaLoginTimestamp: null },
  OIDC: { oidcLogin: null, lastOidcLoginTimestamp: null },
  SAML: { samlLogin: null, lastSamlLoginTimestamp: null },
  FEDCM: { fedCmLogin: null, lastFedCmLoginTimestamp: null },
}

/** Whether an account has a login method. */
export const hasLoginMethod = ({ loginMethods }: Account, method: RemovableLoginMethod): boolean =>
  Object.entries(cleared[method]).some(([name, value]) => loginMethods[name as keyof LoginMethods] !== value)

/**
 * The account without a login method; without its password it has no password id either.
 *
 * @throws ApiError not_found when the account does not have the method
 */
export function withoutLoginMethod(account: Account, method: RemovableLoginMethod): Account {
  if (!hasLoginMethod(account, method)) throw notFound(`The account has no login method ${method}`)
  const loginMethods = { ...account.loginMethods, ...cleared[method] }
  return { ...account, loginMethods, passwordId: method === 'USERNAME_PASSWORD' ? null : account.passwordId }
}
