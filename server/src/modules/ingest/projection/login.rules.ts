import type { AgentEvent, LoginEvent } from '@muster/contract/agent/agent-event'
import { appendsCode } from '@muster/contract/password-facts/password-sites'
import type { Account, LoginMethods } from '@muster/contract/records/account'

/** Placeholder for an identity provider that the agent could not name. */
const unknownProvider = 'UNKNOWN'

/** Login methods of an account before its first login. */
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

/** Returns true if no later login of the kind is known. */
const isLatest = (known: number | null, seen: number): boolean => known === null || seen >= known

/**
 * Returns the login methods after a login: sets its method and time, and unsets nothing. Times only rise. The
 * contract has no method for passkeys alone and for one-time links and codes.
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

/** Returns true for the latest known password login of an account, whose password is the current one. */
export const isCurrentPassword = (methods: LoginMethods, login: LoginEvent): boolean =>
  login.loginType === 'PASSWORD_LOGIN' && isLatest(methods.lastPasswordLoginTimestamp, login.timestamp)

/** Returns true for a login at a host whose password field may also hold a one-time code. */
const mayHoldCode = ({ loginUrl }: LoginEvent): boolean => appendsCode(URL.parse(loginUrl)?.hostname ?? '')

/**
 * Removes the facts of a password that may end with a one-time code: the text differs at each login. Current
 * agents do not send them; older agents do.
 */
export const dropOneTimeCodeFacts = <E extends AgentEvent>(event: E): E =>
  event.kind === 'LOGIN' && event.password !== null && mayHoldCode(event)
    ? { ...event, password: null }
    : event

/** Known state of the second factor of an account. */
export interface MfaState extends Pick<Account, 'mfaRegistered' | 'mfaMethods'> {
  /** Number of latest password logins in a row without a second step. */
  readonly loginsWithout: number
  /** Time of the first of those logins, in UNIX seconds; null if there are none or it is unknown. */
  readonly withoutSince: number | null
}

/**
 * Returns the state of the second factor after a login (domain contract, section 4). A second step registers
 * the factor; `threshold` password logins in a row without one mean that there is none. A login that is
 * reported late may still add a method. A second step from before the row does not undo it; one within the
 * row breaks it.
 *
 * @param isLate true if a later password login is known
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
  // The second step may have been entered in the password field.
  if (login.loginType !== 'PASSWORD_LOGIN' || isLate || mayHoldCode(login)) return state
  const loginsWithout = state.loginsWithout + 1
  const withoutSince = state.withoutSince ?? login.timestamp
  const none = threshold > 0 && loginsWithout >= threshold
  return { ...state, mfaRegistered: none ? false : state.mfaRegistered, loginsWithout, withoutSince }
}
