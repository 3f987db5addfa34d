import type { Account, LoginMethods, removableLoginMethods } from '@muster/contract/account'
import type { LoginEvent } from '@muster/contract/agent-event'

type RemovableLoginMethod = (typeof removableLoginMethods)[number]

/** What each removable method is in the record: cleared, it is false or null, and so is its time. */
const cleared: Record<RemovableLoginMethod, Partial<LoginMethods>> = {
  USERNAME_PASSWORD: { passwordLogin: false, lastPasswordLoginTimestamp: null },
  OKTA_SWA: { oktaSwaLogin: false, lastOktaSwaLoginTimestamp: null },
  OIDC: { oidcLogin: null, lastOidcLoginTimestamp: null },
  SAML: { samlLogin: null, lastSamlLoginTimestamp: null },
  FEDCM: { fedCmLogin: null, lastFedCmLoginTimestamp: null },
}

/** The account without a login method, or undefined if it does not have it; without its password it has no password id either. */
export function withoutLoginMethod(account: Account, method: RemovableLoginMethod): Account | undefined {
  const change = cleared[method]
  const members = Object.keys(change) as (keyof LoginMethods)[]
  if (members.every((member) => account.loginMethods[member] === change[member])) return undefined
  const loginMethods = { ...account.loginMethods, ...change }
  return { ...account, loginMethods, passwordId: method === 'USERNAME_PASSWORD' ? null : account.passwordId }
}

/** By which kind of login each method is seen. */
const seenBy: Record<RemovableLoginMethod, LoginEvent['loginType']> = {
  USERNAME_PASSWORD: 'PASSWORD_LOGIN',
  OKTA_SWA: 'OKTA_SWA_LOGIN',
  OIDC: 'OIDC_LOGIN',
  SAML: 'SAML_LOGIN',
  FEDCM: 'FEDCM_LOGIN',
}

/** The kinds of login whose method administrators have removed from an account, each with the second, as they are kept. */
type Removals = Partial<Record<LoginEvent['loginType'], number>>

const removalsOf = (kept: unknown): Removals => (typeof kept === 'string' ? JSON.parse(kept) : {})

/** What is kept of the removals from an account, with one more. */
export const withRemoval = (kept: unknown, method: RemovableLoginMethod, nowSeconds: number): string =>
  JSON.stringify({ ...removalsOf(kept), [seenBy[method]]: nowSeconds } satisfies Removals)

/** Whether the method of a login was removed after it: however late it is reported, it does not bring the method back. */
export const isRemovedSince = (kept: unknown, login: Pick<LoginEvent, 'loginType' | 'timestamp'>): boolean =>
  login.timestamp < (removalsOf(kept)[login.loginType] ?? 0)
