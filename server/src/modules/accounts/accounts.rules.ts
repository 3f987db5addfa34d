import type { LoginEvent } from '@muster/contract/agent/agent-event'
import type { Account, LoginMethods, removableLoginMethods } from '@muster/contract/records/account'

type RemovableLoginMethod = (typeof removableLoginMethods)[number]

/** Members of a record without each removable method. */
const cleared: Record<RemovableLoginMethod, Partial<LoginMethods>> = {
  USERNAME_PASSWORD: { passwordLogin: false, lastPasswordLoginTimestamp: null },
  OKTA_SWA: { oktaSwaLogin: false, lastOktaSwaLoginTimestamp: null },
  OIDC: { oidcLogin: null, lastOidcLoginTimestamp: null },
  SAML: { samlLogin: null, lastSamlLoginTimestamp: null },
  FEDCM: { fedCmLogin: null, lastFedCmLoginTimestamp: null },
}

/**
 * Returns the account without a login method; undefined if it does not have the method. Without the password
 * method it has no password ID either.
 */
export function withoutLoginMethod(account: Account, method: RemovableLoginMethod): Account | undefined {
  const change = cleared[method]
  const members = Object.keys(change) as (keyof LoginMethods)[]
  if (members.every((member) => account.loginMethods[member] === change[member])) return undefined
  const loginMethods = { ...account.loginMethods, ...change }
  return { ...account, loginMethods, passwordId: method === 'USERNAME_PASSWORD' ? null : account.passwordId }
}

/** Kind of login that shows each method. */
const loginTypeOf: Record<RemovableLoginMethod, LoginEvent['loginType']> = {
  USERNAME_PASSWORD: 'PASSWORD_LOGIN',
  OKTA_SWA: 'OKTA_SWA_LOGIN',
  OIDC: 'OIDC_LOGIN',
  SAML: 'SAML_LOGIN',
  FEDCM: 'FEDCM_LOGIN',
}

/** Kinds of login whose method was removed from an account, with the time of removal in UNIX seconds. */
type Removals = Partial<Record<LoginEvent['loginType'], number>>

const removalsOf = (stored: unknown): Removals => (typeof stored === 'string' ? JSON.parse(stored) : {})

/** Adds a removal to the stored removals of an account. */
export const withRemoval = (stored: unknown, method: RemovableLoginMethod, nowSeconds: number): string =>
  JSON.stringify({ ...removalsOf(stored), [loginTypeOf[method]]: nowSeconds } satisfies Removals)

/**
 * Returns true if the method of a login was removed after the login. Such a login, reported late, must not
 * bring the method back.
 */
export const isRemovedSince = (
  stored: unknown,
  login: Pick<LoginEvent, 'loginType' | 'timestamp'>,
): boolean => login.timestamp < (removalsOf(stored)[login.loginType] ?? 0)
