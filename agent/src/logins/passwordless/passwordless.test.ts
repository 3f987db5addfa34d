import { expect, test } from 'vitest'
import type { NavigationStep } from '../federation/federation.ts'
import type { FormState } from '../login-messages.ts'
import {
  judgePasswordless,
  type PendingSignIn,
  type ShownAfter,
  type SignInStart,
  startAt,
  startOfLink,
  withStart,
} from './passwordless.ts'

const start: SignInStart = {
  tabId: 1,
  url: 'https://app.example.com/login',
  identity: 'ada@example.com',
  timeMs: 0,
}
const token = 'a8Kd03-xYq91mZpT7wLc'
const minute = 60_000
const opened = (
  url: string,
  from: string | null = null,
  more: Partial<NavigationStep> = {},
): NavigationStep => ({
  frameId: 0,
  url: new URL(url),
  from: from === null ? null : new URL(from),
  method: 'GET',
  formNames: [],
  timeMs: 5 * minute,
  ...more,
})

test.each<[string, NavigationStep]>([
  ['from a mail program', opened(`https://app.example.com/magic?token=${token}`)],
  [
    'from a mail on the web',
    opened(`https://app.example.com/magic?token=${token}`, 'https://mail.example.net/inbox'),
  ],
  ['on another host of the site', opened(`https://id.example.com/l?t=${token}`)],
  ['with the token in its path', opened(`https://app.example.com/magic/${token}`)],
  ['with the token in its fragment', opened(`https://app.example.com/#access=${token}`)],
  ['with a code, from a mail program', opened(`https://app.example.com/auth?code=${token}`)],
])('a link %s continues the pending sign-in', (_, navigation) => {
  expect(startOfLink([start], navigation)).toBe(start)
})

test.each<[string, NavigationStep]>([
  ['without a token', opened('https://app.example.com/settings?tab=profile')],
  ['with words in its path', opened('https://app.example.com/blog/how-we-write-good-code')],
  ['of another site', opened(`https://app.example.org/magic?token=${token}`)],
  ['of the site itself', opened(`https://app.example.com/x?token=${token}`, 'https://app.example.com/login')],
  [
    'that is a provider’s response',
    opened(`https://app.example.com/cb?code=${token}`, 'https://idp.example.net/'),
  ],
  [
    'that is opened long afterwards',
    opened(`https://app.example.com/m?token=${token}`, null, { timeMs: 31 * minute }),
  ],
  ['in a frame', opened(`https://app.example.com/m?token=${token}`, null, { frameId: 4 })],
  ['that is a posted form', opened(`https://app.example.com/m?token=${token}`, null, { method: 'POST' })],
])('a link %s does not continue a sign-in', (_, navigation) => {
  expect(startOfLink([start], navigation)).toBeUndefined()
})

test('the latest start at a site wins, and the number of starts is limited', () => {
  const later = { ...start, identity: 'grace@example.com', timeMs: minute }
  expect(withStart([start], later)).toEqual([later])
  const many = Array.from({ length: 50 }, (_, tabId) => ({ ...start, tabId }))
  const kept = many.reduce<readonly SignInStart[]>(withStart, [])
  expect(kept).toHaveLength(20)
  expect(startAt(kept, start.url, minute, 49)).toEqual({ ...start, tabId: 49 })
  expect(startAt(kept, start.url, minute, 3)).toBeUndefined()
  expect(
    startAt(withStart(kept, { ...later, tabId: 49, timeMs: 40 * minute }), start.url, 40 * minute),
  ).toMatchObject({
    identity: 'grace@example.com',
  })
})

const pending: PendingSignIn = {
  loginType: 'PASSKEY_LOGIN',
  frameId: 0,
  pageUrl: 'https://app.example.com/login',
  loginUrl: 'https://app.example.com/login',
  identity: 'ada@example.com',
  startedMs: 1000,
}
const nothing = {
  forms: [],
  messages: [],
  code: null,
  secondStep: null,
  signInControl: null,
  isReady: true,
  documentMs: 500,
} satisfies ShownAfter['state']
const firstStep: FormState = {
  signature: 'a1',
  purpose: 'FIRST_STEP',
  hasPassword: false,
  hasIdentityField: true,
  hasCode: false,
  identity: null,
}
const asksWho = { forms: [firstStep] }
const asksPassword = { forms: [{ ...firstStep, purpose: 'SIGN_IN' as const, hasPassword: true }] }
const refused = { messages: [{ key: 'm1', kind: 'REFUSED' as const, place: 'FORM' as const }] }
const shown = (state: Partial<ShownAfter['state']>, more: Partial<ShownAfter> = {}): ShownAfter => ({
  frameId: 0,
  url: 'https://app.example.com/login',
  state: { ...nothing, ...state },
  timeMs: 2000,
  ...more,
})
const isNew = { documentMs: 1500 }

test.each<[string, ShownAfter, string]>([
  ['another page that asks for nothing', shown(isNew), 'SUCCEEDED'],
  ['another address in the same document', shown({}, { url: 'https://app.example.com/home' }), 'SUCCEEDED'],
  ['the unchanged page', shown({}), 'PENDING'],
  ['the unchanged page, with its form', shown(asksWho), 'PENDING'],
  ['another page that asks for the identity', shown({ ...isNew, ...asksWho }), 'FAILED'],
  ['another page that asks for a password', shown({ ...isNew, ...asksPassword }), 'FAILED'],
  ['another page that asks for a code', shown({ ...isNew, code: 'EMPTY' }), 'FAILED'],
  [
    'another page that waits for a second step',
    shown({ ...isNew, secondStep: 'PUSH_NOTIFICATION' }),
    'PENDING',
  ],
  ['another page that is loading', shown({ ...isNew, isReady: false }), 'PENDING'],
  ['another page that offers to sign in', shown({ ...isNew, signInControl: 'SIGN_IN' }), 'PENDING'],
  ['a failure', shown(refused), 'FAILED'],
  ['another page that reports a failure', shown({ ...isNew, ...refused }), 'FAILED'],
  ['a page of another frame', shown(isNew, { frameId: 9 }), 'PENDING'],
  ['a page that comes too late', shown(isNew, { timeMs: 3 * minute }), 'FAILED'],
])('after a passwordless sign-in, %s: %s', (_, after, outcome) => {
  expect(judgePasswordless(pending, after)).toBe(outcome)
})
