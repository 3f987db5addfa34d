import { expect, test } from 'vitest'
import { type FlowResult, faultsOf, percentRight, type SeenLogin } from './score.ts'

const host = 'app.acme-works.example'
const password = {
  passwordId: '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11',
  manuallyTyped: true,
  weakReasons: [],
  leaked: null,
  reused: false,
  stolenIds: null,
}
const login = (more: Partial<SeenLogin> = {}): SeenLogin => ({
  loginUrl: `https://${host}/login`,
  email: 'ada',
  loginType: 'PASSWORD_LOGIN',
  identityProvider: null,
  password,
  mfa: null,
  ...more,
})

test('a login that is correct in every detail has no fault', () => {
  expect(faultsOf([{ identity: 'ada' }], [login()], host)).toEqual([])
  expect(faultsOf([], [], host)).toEqual([])
})

test('a missing, a false and a surplus login are faults', () => {
  expect(faultsOf([{ identity: 'ada' }], [], host)).toEqual(['login not seen'])
  expect(faultsOf([], [login()], host)).toEqual(['false login: ada (password, typed)'])
  expect(faultsOf([{ identity: 'ada' }], [login(), login({ email: 'eve' })], host)).toEqual([
    'surplus login: eve (password, typed)',
  ])
})

test('each difference is listed', () => {
  const seen = login({
    email: 'eve',
    loginUrl: 'https://other.example/interaction/Ab12',
    password: { ...password, manuallyTyped: false, reused: true, weakReasons: ['TOO_SHORT'] },
    mfa: { method: null },
  })
  expect(faultsOf([{ identity: 'ada', urlWithout: /Ab12/ }], [seen], host)).toEqual([
    'identity: eve instead of ada',
    'MFA: unknown method instead of none',
    `login URL host: other.example instead of ${host}`,
    'weak: TOO_SHORT instead of none',
    'reused: true instead of false',
    'typed: false instead of true',
    'login URL keeps /Ab12/: https://other.example/interaction/Ab12',
  ])
})

test('a second step with an unknown method matches any method', () => {
  const expected = [{ identity: 'ada', mfa: 'ANY' as const }]
  expect(faultsOf(expected, [login({ mfa: { method: null } })], host)).toEqual([])
  expect(faultsOf(expected, [login({ mfa: { method: 'EMAIL_OTP' } })], host)).toEqual([])
  expect(faultsOf(expected, [login()], host)).toEqual(['MFA: none instead of ANY'])
})

test('typing is not compared for a login without a password', () => {
  const expected = [{ identity: 'ada', type: 'OIDC_LOGIN' as const, identityProvider: 'OKTA' }]
  const seen = login({ loginType: 'OIDC_LOGIN', identityProvider: 'OKTA', password: null })
  expect(faultsOf(expected, [seen], host)).toEqual([])
})

test('flows that did not finish are not counted', () => {
  const result = (more: Partial<FlowResult>): FlowResult => ({
    product: 'p',
    browser: 'chromium',
    flow: 'f',
    expected: '',
    seen: '',
    faults: [],
    ...more,
  })
  expect(percentRight([result({}), result({ faults: ['x'] }), result({ broken: 'y' })])).toBe(50)
})
