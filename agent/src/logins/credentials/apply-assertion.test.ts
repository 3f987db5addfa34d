import { expect, test } from 'vitest'
import { pendingAttempt } from '../attempts/attempt-fixture.ts'
import type { Flow } from '../federation/federation.ts'
import type { TabLogins } from '../tab-logins.ts'
import { applyAssertion } from './apply-assertion.ts'

const attemptAt = (host: string) =>
  pendingAttempt({
    url: `https://${host}/login`,
    secondStep: { method: null, needsCode: true, confirmsAddress: false },
  })
const flow: Flow = {
  frameId: 0,
  protocol: 'OIDC',
  provider: 'GOOGLE_WORKSPACE',
  providerHost: 'accounts.google.com',
  appUrl: 'https://app.example.com/login',
  returnUrl: 'https://app.example.com/callback',
  answersScript: false,
  startedMs: 1_000_000,
  identity: 'ada@example.com',
  hint: null,
  isProven: false,
  askedProvider: null,
}
const tab = (more: Partial<TabLogins>): TabLogins => ({
  attempt: null,
  checked: null,
  flows: [],
  hint: null,
  arriving: [],
  launchedMs: null,
  ...more,
})

test.each([
  ['the host itself', 'app.example.com', 'app.example.com'],
  ['another host of the site', 'app.example.com', 'login.example.com'],
  ['another site of the vendor', 'login.microsoftonline.com', 'login.microsoft.com'],
])('a passkey used on %s after a password is the second step, without a code', (_, host, other) => {
  const { attempt } = applyAssertion(tab({ attempt: attemptAt(host) }), other, undefined)
  expect(attempt).toEqual({
    ...attemptAt(host),
    secondStep: { method: 'WEBAUTHN', needsCode: false, confirmsAddress: false },
  })
})

test.each([
  ['the frame of another site', 'app.example.com', 'widgets.example.net'],
  ['another customer of the same hoster', 'ada.github.io', 'grace.github.io'],
])('a passkey used in %s does not affect the login', (_, host, other) => {
  const before = tab({ attempt: attemptAt(host), flows: [flow] })
  expect(applyAssertion(before, other, undefined)).toEqual(before)
})

test('a passkey proves the identity for flows of its own provider only', () => {
  const before = tab({ flows: [flow] })
  const proven = applyAssertion(before, 'accounts.google.com', 'GOOGLE_WORKSPACE')
  expect(proven.flows).toEqual([{ ...flow, isProven: true }])
  expect(applyAssertion(before, 'acme.okta.com', 'OKTA')).toEqual(before)
})

test('a passkey without an attempt or flow changes nothing', () => {
  expect(applyAssertion(tab({}), 'app.example.com', undefined)).toEqual(tab({}))
})
