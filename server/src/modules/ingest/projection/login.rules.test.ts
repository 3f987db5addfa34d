import type { LoginEvent } from '@muster/contract/agent/agent-event'
import type { LoginMethods } from '@muster/contract/records/account'
import { describe, expect, test } from 'vitest'
import {
  isCurrentPassword,
  type MfaState,
  methodsAfterLogin,
  mfaAfterLogin,
  noLoginMethods,
} from './login.rules.ts'

const login = (members: Partial<LoginEvent>): LoginEvent => ({
  id: 'e',
  kind: 'LOGIN',
  timestamp: 100,
  loginUrl: 'https://zapier.com/login',
  email: 'ada@example.com',
  loginType: 'PASSWORD_LOGIN',
  identityProvider: null,
  password: null,
  mfa: null,
  ...members,
})

describe('login methods', () => {
  test.each<[LoginEvent['loginType'], string | null, Partial<LoginMethods>]>([
    ['PASSWORD_LOGIN', null, { passwordLogin: true, lastPasswordLoginTimestamp: 100 }],
    ['OIDC_LOGIN', 'OKTA', { oidcLogin: 'OKTA', lastOidcLoginTimestamp: 100 }],
    ['OIDC_LOGIN', null, { oidcLogin: 'UNKNOWN', lastOidcLoginTimestamp: 100 }],
    ['SAML_LOGIN', 'OKTA', { samlLogin: 'OKTA', lastSamlLoginTimestamp: 100 }],
    ['OKTA_SWA_LOGIN', 'OKTA', { oktaSwaLogin: true, lastOktaSwaLoginTimestamp: 100 }],
    ['VENDOR_SSO_LOGIN', 'SLACK', { vendorSsoLogin: 'SLACK', lastVendorSsoLoginTimestamp: 100 }],
    ['FEDCM_LOGIN', 'GOOGLE_WORKSPACE', { fedCmLogin: 'GOOGLE_WORKSPACE', lastFedCmLoginTimestamp: 100 }],
  ])('%s by %s sets its method only', (loginType, identityProvider, members) => {
    const after = methodsAfterLogin(noLoginMethods, login({ loginType, identityProvider }))
    expect(after).toEqual({ ...noLoginMethods, ...members })
    expect(methodsAfterLogin(after, login({ timestamp: 50 }))).toMatchObject(members)
  })

  test('keeps time and provider after a late login', () => {
    const now = { ...noLoginMethods, oidcLogin: 'OKTA', lastOidcLoginTimestamp: 100 }
    const late = login({ loginType: 'OIDC_LOGIN', identityProvider: 'SLACK', timestamp: 99 })
    expect(methodsAfterLogin(now, late)).toEqual(now)
  })

  test('uses the password of the latest password login', () => {
    const methods = { ...noLoginMethods, passwordLogin: true, lastPasswordLoginTimestamp: 100 }
    expect(isCurrentPassword(methods, login({ timestamp: 99 }))).toBe(false)
    expect(isCurrentPassword(methods, login({ timestamp: 100 }))).toBe(true)
    expect(isCurrentPassword(noLoginMethods, login({ timestamp: 1 }))).toBe(true)
    expect(isCurrentPassword(noLoginMethods, login({ loginType: 'OIDC_LOGIN' }))).toBe(false)
  })
})

describe('the second factor', () => {
  const unread: MfaState = { mfaRegistered: null, mfaMethods: null, loginsWithout: 0, withoutSince: null }
  const totp = { mfa: { method: 'APP_TOTP' as const } }
  const after = (state: MfaState, logins: Partial<LoginEvent>[], isLate = false) =>
    logins.reduce((known, members) => mfaAfterLogin(known, login(members), isLate, 5), state)
  const plain = (count: number): Partial<LoginEvent>[] => Array(count).fill({})

  test.each<[string, Partial<LoginEvent>[], MfaState]>([
    ['four logins without say nothing yet', plain(4), { ...unread, loginsWithout: 4, withoutSince: 100 }],
    [
      'five in a row say that there is none',
      plain(5),
      { mfaRegistered: false, mfaMethods: null, loginsWithout: 5, withoutSince: 100 },
    ],
    ['logins otherwise than by password do not count', Array(9).fill({ loginType: 'OIDC_LOGIN' }), unread],
    [
      'a second step registers it',
      [totp],
      { mfaRegistered: true, mfaMethods: ['APP_TOTP'], loginsWithout: 0, withoutSince: null },
    ],
    [
      'a step of an unknown kind does, too',
      [{ mfa: { method: null } }],
      { mfaRegistered: true, mfaMethods: [], loginsWithout: 0, withoutSince: null },
    ],
    [
      'a second step interrupts the row',
      [...plain(4), totp, ...plain(4)],
      { mfaRegistered: true, mfaMethods: ['APP_TOTP'], loginsWithout: 4, withoutSince: 100 },
    ],
    [
      'five without after one with say that there is none any more',
      [totp, ...plain(5)],
      { mfaRegistered: false, mfaMethods: ['APP_TOTP'], loginsWithout: 5, withoutSince: 100 },
    ],
    [
      'each kind is listed once, as it was first seen',
      [totp, { mfa: { method: 'WEBAUTHN' } }, totp],
      { mfaRegistered: true, mfaMethods: ['APP_TOTP', 'WEBAUTHN'], loginsWithout: 0, withoutSince: null },
    ],
  ])('%s', (_, logins, state) => {
    expect(after(unread, logins)).toEqual(state)
  })

  test('adds the method of a late second step from before the row', () => {
    const none: MfaState = { mfaRegistered: false, mfaMethods: null, loginsWithout: 7, withoutSince: 101 }
    expect(after(none, [totp], true)).toEqual({ ...none, mfaMethods: ['APP_TOTP'] })
    expect(after(unread, [totp], true)).toEqual({ ...unread, mfaRegistered: true, mfaMethods: ['APP_TOTP'] })
    expect(after(none, plain(3), true)).toEqual(none)
  })

  test('breaks the row by a late second step within it', () => {
    const none: MfaState = { mfaRegistered: false, mfaMethods: null, loginsWithout: 7, withoutSince: 100 }
    const registered = { ...unread, mfaRegistered: true, mfaMethods: ['APP_TOTP'] }
    expect(after(none, [totp], true)).toEqual(registered)
    expect(after({ ...none, mfaRegistered: null, loginsWithout: 4 }, [totp], true)).toEqual(registered)
  })
})
