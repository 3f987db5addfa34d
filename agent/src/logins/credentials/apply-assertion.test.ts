import { expect, test } from 'vitest'
import type { PendingAttempt } from '../attempts/attempt.ts'
import { noAnswers } from '../attempts/attempt.ts'
import type { Flow } from '../federation/federation.ts'
import type { TabLogins } from '../tab-logins.ts'
import { applyAssertion } from './apply-assertion.ts'

const attemptAt = (host: string): PendingAttempt => ({
  tabId: 1,
  frameId: 0,
  url: `https://${host}/login`,
  identity: 'ada@example.com',
  password: { fingerprint: '01234567', length: 9, sha1: null, weakReasons: [], manuallyTyped: true },
  isNewPassword: false,
  isActivated: true,
  isToldOf: false,
  pressedMs: 1_000_000,
  startedMs: 1_000_000,
  page: '00000000',
  form: { signature: '00000001', purpose: 'SIGN_IN' },
  code: null,
  before: { messages: [], signOut: null, accountMenu: false, showsIdentity: false, heading: '00000002' },
  answers: noAnswers,
  documents: 0,
  documentPage: null,
  secondStep: { method: null, needsCode: true, confirmsAddress: false },
  codeEntered: false,
  heldBy: [],
  aroundBefore: null,
  clear: null,
  wentOn: false,
  isRouted: false,
  isLeftEarly: false,
  isRestored: false,
  outlivedAnswer: false,
  waitedMs: 0,
  facts: [],
  opener: null,
  closedMs: null,
  isLaunched: false,
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
