import type { Account, LoginMethods } from '@muster/contract/account'
import type { AgentEvent, LoginEvent } from '@muster/contract/agent-event'
import { appendsCode } from '@muster/contract/password-facts/password-sites'

/** Stands for an identity provider that the agent could not name: the method was seen all the same. */
const unknownProvider = 'UNKNOWN'

/** An account before its first login. */
export const noLoginMethods: LoginMethods = {
  passwordLogin: false,
  lastPasswordLoginTimestamp: null,
  oidcLogin: null,
  lastOidcLoginTimestamp: null,
  samlLogin: null,
  lastSamlLoginTimestamp: null,
  oktaSwaLogin: false,
  lastOktaSwaLoginTimestamp: null,
  vendorSsoLogin: null,
  lastVendorSsoLoginTimestamp: null,
  fedCmLogin: null,
  lastFedCmLoginTimestamp: null,
}

const later = (known: number | null, seen: number): number => Math.max(known ?? 0, seen)

/** Whether nothing later of the same kind is known. */
const isLatest = (known: number | null, seen: number): boolean => known === null || seen >= known

/**
 * The login methods with one more login: its method is set, its time only rises, and nothing else is unset. A login by a
 * passkey alone, or by a link or code that was sent, has no method in the contract and changes none.
 */
export function methodsAfterLogin(methods: LoginMethods, login: LoginEvent): LoginMethods {
  const { timestamp } = login
  const provider = (known: string | null, last: number | null): string | null =>
    isLatest(last, timestamp) ? (login.identityProvider ?? unknownProvider) : known
  switch (login.loginType) {
    case 'PASSWORD_LOGIN':
      return {
        ...methods,
        passwordLogin: true,
        lastPasswordLoginTimestamp: later(methods.lastPasswordLoginTimestamp, timestamp),
      }
    case 'OIDC_LOGIN':
      return {
        ...methods,
        oidcLogin: provider(methods.oidcLogin, methods.lastOidcLoginTimestamp),
        lastOidcLoginTimestamp: later(methods.lastOidcLoginTimestamp, timestamp),
      }
    case 'SAML_LOGIN':
      return {
        ...methods,
        samlLogin: provider(methods.samlLogin, methods.lastSamlLoginTimestamp),
        lastSamlLoginTimestamp: later(methods.lastSamlLoginTimestamp, timestamp),
      }
    case 'OKTA_SWA_LOGIN':
      return {
        ...methods,
        oktaSwaLogin: true,
        lastOktaSwaLoginTimestamp: later(methods.lastOktaSwaLoginTimestamp, timestamp),
      }
    case 'VENDOR_SSO_LOGIN':
      return {
        ...methods,
        vendorSsoLogin: provider(methods.vendorSsoLogin, methods.lastVendorSsoLoginTimestamp),
        lastVendorSsoLoginTimestamp: later(methods.lastVendorSsoLoginTimestamp, timestamp),
      }
    case 'FEDCM_LOGIN':
      return {
        ...methods,
        fedCmLogin: provider(methods.fedCmLogin, methods.lastFedCmLoginTimestamp),
        lastFedCmLoginTimestamp: later(methods.lastFedCmLoginTimestamp, timestamp),
      }
    case 'PASSKEY_LOGIN':
    case 'ONE_TIME_LOGIN':
      return methods
  }
}

/** Whether a login is by password, and no later one of the account is known: then its password is the account's. */
export const tellsPassword = (methods: LoginMethods, login: LoginEvent): boolean =>
  login.loginType === 'PASSWORD_LOGIN' && isLatest(methods.lastPasswordLoginTimestamp, login.timestamp)

/** True for a login at a host whose password field may hold a one-time code, too. */
const mayHoldCode = ({ loginUrl }: LoginEvent): boolean => appendsCode(URL.parse(loginUrl)?.hostname ?? '')

/**
 * Returns an event without the facts of a password that may end with a one-time code: they are of a text that is new at each
 * login. Agents leave them out; older ones do not.
 */
export const withoutCodeFacts = <E extends AgentEvent>(event: E): E =>
  event.kind === 'LOGIN' && event.password !== null && mayHoldCode(event)
    ? { ...event, password: null }
    : event

/** What is known of the second factor of an account. */
export interface MfaState extends Pick<Account, 'mfaRegistered' | 'mfaMethods'> {
  /** How many of its last logins by password were without a second step. */
  readonly loginsWithout: number
  /** When the first of those was, in UNIX seconds; null if there are none, or it is not known. */
  readonly withoutSince: number | null
}

/**
 * The second factor after a login (domain contract, section 4): a second step registers it; so many logins by password
 * in a row without one say that there is none. A login that is reported late may still add what it saw; a second step
 * before the row does not undo what that has shown, but one within it means that it was none.
 *
 * @param isLate whether a later login by password is known
 */
export function mfaAfterLogin(
  state: MfaState,
  login: LoginEvent,
  isLate: boolean,
  threshold: number,
): MfaState {
  if (login.mfa !== null) {
    const methods = state.mfaMethods ?? []
    const { method } = login.mfa
    const mfaMethods = method === null || methods.includes(method) ? methods : [...methods, method]
    const isBeforeRow = isLate && (state.withoutSince === null || login.timestamp < state.withoutSince)
    if (isBeforeRow) return { ...state, mfaRegistered: state.mfaRegistered ?? true, mfaMethods }
    return { mfaRegistered: true, mfaMethods, loginsWithout: 0, withoutSince: null }
  }
  // The second step may have been in the password field.
  if (login.loginType !== 'PASSWORD_LOGIN' || isLate || mayHoldCode(login)) return state
  const loginsWithout = state.loginsWithout + 1
  const withoutSince = state.withoutSince ?? login.timestamp
  const none = threshold > 0 && loginsWithout >= threshold
  return { ...state, mfaRegistered: none ? false : state.mfaRegistered, loginsWithout, withoutSince }
}
