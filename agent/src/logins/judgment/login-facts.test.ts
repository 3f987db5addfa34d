import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { shortHash } from '../../lib/short-hash.ts'
import { noAnswers, type PendingAttempt, usedFactor } from '../attempts/attempt.ts'
import { startedMs } from '../attempts/attempt-fixture.ts'
import type { PageState } from '../login-messages.ts'
import { judge } from './judge.ts'
import { attemptFacts, briefStayMs, observeOpener, stayMs } from './login-facts.ts'
import {
  accepted,
  changeForm,
  clean,
  codeForm,
  connectionForm,
  error,
  firstStep,
  follow,
  homePage,
  loginForm,
  loginPage,
  redirected,
  refused,
  type Seen,
  start,
  stay,
  stayed,
} from './login-reports.ts'

test.each<[string, string, Seen[], Partial<PendingAttempt>?]>([
  [
    'a page typed before the response was seen, with a sign-out control',
    'SUCCEEDED',
    [{ page: loginPage, signOut: 'SHOWN', answers: redirected }],
    { isLeftEarly: true },
  ],
  [
    'the same without one, which stays and shows the identity',
    'PENDING',
    stayed({ answers: redirected, showsIdentity: true, accountMenu: true, heading: '20000000' }),
    { isLeftEarly: true },
  ],
  ['the same with the form', 'FAILED', [{ forms: [loginForm], signOut: 'SHOWN' }], { isLeftEarly: true }],
  [
    'the address of the form, opened before the response was seen, now without a form',
    'SUCCEEDED',
    stayed({ page: loginPage, answers: redirected }),
    { isLeftEarly: true },
  ],
  [
    'the document of the form after going back, its form closed by a script',
    'PENDING',
    stayed({ same: true, answers: redirected }),
    { isLeftEarly: true, isRestored: true, documents: 1 },
  ],
  [
    'the form again after going back',
    'PENDING',
    stayed({ page: loginPage, forms: [loginForm], answers: redirected }),
    { isLeftEarly: true, isRestored: true },
  ],
  [
    'a page with a sign-out control after going back',
    'SUCCEEDED',
    [{ page: loginPage, signOut: 'SHOWN', answers: redirected }],
    { isLeftEarly: true, isRestored: true },
  ],
  ['a landing page with a sign-out control', 'SUCCEEDED', [{ signOut: 'SHOWN' }]],
  ['a page with a CAPTCHA', 'PENDING', stayed({ answers: redirected, asksForPerson: true })],
  ['a landing page without a mark', 'PENDING', [{ answers: redirected }]],
  ['a landing page without a mark that stays', 'SUCCEEDED', [{ answers: redirected }, stay]],
  [
    'a landing page that was blank most of the time',
    'PENDING',
    [{ isReady: false }, stay, { afterMs: 5_000 }],
  ],
  ['a landing page whose scripts wait', 'PENDING', [{ signOut: 'SHOWN', isQuiet: false }]],
  [
    'a landing page that is left while its scripts wait',
    'SUCCEEDED',
    [{ signOut: 'SHOWN', isQuiet: false, isLeft: true }],
  ],
  [
    'a landing page that is left while it is parsed',
    'PENDING',
    [{ signOut: 'SHOWN', isReady: false, isLeft: true }],
  ],
  ['a rejected form in a new document', 'FAILED', [{ forms: [loginForm], page: loginPage }]],
  [
    'a rejected form drawn late',
    'FAILED',
    [
      { page: loginPage, answers: redirected },
      { afterMs: 10_000, page: loginPage, forms: [loginForm] },
    ],
  ],
  [
    'a rejected form drawn late at another address',
    'FAILED',
    [{ answers: redirected }, { afterMs: 10_000, forms: [loginForm] }],
  ],
  [
    'another form with the same user name',
    'FAILED',
    [{ forms: [{ ...loginForm, signature: 'dddddddd', identity: shortHash('ada@example.com') }] }],
  ],
  ['another form for signing in', 'FAILED', [{ forms: [{ ...loginForm, signature: 'dddddddd' }] }]],
  ['back at the first step', 'FAILED', [{ forms: [firstStep], page: loginPage }]],
  ['a panel for changing the password', 'SUCCEEDED', [{ forms: [changeForm], signOut: 'SHOWN' }]],
  [
    'a panel for changing the password, at the same address',
    'SUCCEEDED',
    stayed({
      forms: [changeForm],
      signOut: 'SHOWN',
      heading: '20000000',
      page: loginPage,
      answers: { cookieSet: true },
    }),
  ],
  [
    'an alert elsewhere on the landing page',
    'SUCCEEDED',
    [{ signOut: 'SHOWN', answers: redirected, messages: [{ ...error, kind: 'UNKNOWN', place: 'TOAST' }] }],
  ],
  [
    'an error elsewhere on the landing page',
    'SUCCEEDED',
    [{ signOut: 'SHOWN', answers: redirected, messages: [{ ...error, place: 'TOAST' }] }, stay],
  ],
  [
    'a page with only an error',
    'PENDING',
    stayed({ answers: redirected, messages: [{ ...error, place: 'PAGE' }] }),
  ],
  ['a form waiting for its response', 'PENDING', stayed({ same: true, forms: [loginForm] })],
  [
    'a form that stays behind a page with a sign-out control',
    'SUCCEEDED',
    [{ same: true, forms: [loginForm], signOut: 'SHOWN', answers: accepted }],
  ],
  ['a form with an error message', 'FAILED', [{ same: true, forms: [loginForm], messages: [error] }]],
  [
    'a form with the error of an earlier attempt',
    'PENDING',
    [{ same: true, forms: [loginForm], messages: [{ ...error, key: '00000001' }] }],
  ],
  [
    'a landing page of a script that still shows the error of an earlier attempt',
    'SUCCEEDED',
    [
      {
        same: true,
        page: homePage,
        signOut: 'SHOWN',
        messages: [{ ...error, key: '00000001' }],
        answers: accepted,
      },
    ],
  ],
  [
    'a form that stays after 401',
    'FAILED',
    [{ same: true, forms: [loginForm], answers: refused, afterMs: 3_000 }],
  ],
  [
    'a form that stays after an unrelated 401',
    'PENDING',
    [{ same: true, forms: [loginForm], answers: { ...refused, ...accepted }, afterMs: 3_000 }],
  ],
  ['a form that disappeared without a response', 'PENDING', [{ same: true }, { same: true, ...stay }]],
  [
    'a route without the form, where the response may have used a WebSocket',
    'SUCCEEDED',
    stayed({ same: true, hasSocket: true, page: homePage, heading: '20000000', forms: [connectionForm] }),
  ],
  [
    'the same for a moment',
    'PENDING',
    [{ same: true, hasSocket: true, page: homePage, heading: '20000000' }],
  ],
  ['a form that disappeared, with a WebSocket', 'PENDING', stayed({ same: true, hasSocket: true })],
  [
    'a form that stayed for seconds and then disappeared, with a WebSocket',
    'PENDING',
    [
      { same: true, hasSocket: true, forms: [loginForm], afterMs: 3_000 },
      ...stayed({ same: true, hasSocket: true, page: homePage, heading: '20000000' }),
    ],
  ],
  [
    'a landing page after a slow response, with a WebSocket',
    'SUCCEEDED',
    [
      { same: true, hasSocket: true, forms: [loginForm], afterMs: 3_000 },
      { hasSocket: true, answers: redirected },
      { hasSocket: true, afterMs: briefStayMs },
    ],
  ],
  [
    'a route after a slow script response, with a WebSocket',
    'SUCCEEDED',
    [
      { same: true, hasSocket: true, forms: [loginForm], afterMs: 3_000 },
      ...stayed({
        same: true,
        hasSocket: true,
        page: homePage,
        answers: { accepted: 1, answeredMs: startedMs + 3_500 },
      }),
    ],
  ],
  [
    'a form with an error message, with a WebSocket',
    'FAILED',
    [{ same: true, hasSocket: true, forms: [loginForm], messages: [error] }],
  ],
  ['a form that a script removed after 200', 'PENDING', [{ same: true, answers: accepted }]],
  [
    'a form that a script removed permanently',
    'SUCCEEDED',
    [
      { same: true, answers: accepted },
      { same: true, ...stay },
    ],
  ],
  [
    'the same for most of the time',
    'PENDING',
    [
      { same: true, answers: { ...accepted, cookieSet: true } },
      { same: true, afterMs: stayMs - 1 },
    ],
  ],
  [
    'another page after a redirect that set a cookie, for some seconds',
    'SUCCEEDED',
    [{ answers: redirected }, { afterMs: briefStayMs }],
  ],
  [
    'the same with a sign-in word in the address',
    'PENDING',
    [
      { answers: redirected, namesSignIn: true },
      { namesSignIn: true, afterMs: briefStayMs },
    ],
  ],
  [
    'the same with such an address, for a long time',
    'SUCCEEDED',
    [
      { answers: redirected, namesSignIn: true },
      { namesSignIn: true, afterMs: stayMs },
    ],
  ],
  [
    'the same page again after a redirect that set a cookie, for some seconds',
    'PENDING',
    [
      { page: loginPage, answers: redirected },
      { page: loginPage, afterMs: briefStayMs },
    ],
  ],
  [
    'the same page again with the identity shown, for some seconds',
    'SUCCEEDED',
    [
      { page: loginPage, answers: redirected, showsIdentity: true, heading: '20000000' },
      { page: loginPage, showsIdentity: true, heading: '20000000', afterMs: briefStayMs },
    ],
  ],
  [
    'a form with the rejected identity filled in',
    'PENDING',
    stayed({ page: loginPage, forms: [firstStep], answers: redirected, showsIdentity: true }),
  ],
  [
    'a form that a script removed and redrew',
    'PENDING',
    [
      { same: true, answers: accepted },
      { same: true, afterMs: 10_000, forms: [loginForm] },
      { same: true, ...stay, forms: [loginForm] },
    ],
  ],
  ['a 401 response with a page', 'FAILED', [{ answers: { documentStatus: 401 } }, stay]],
  ['a landing page that is missing', 'PENDING', [{ answers: { documentStatus: 404 } }]],
  ['a page that leads to a sign-in', 'PENDING', stayed({ answers: redirected, signInControl: 'SIGN_IN' })],
  [
    'a page that leads back to the sign-in, until it is gone',
    'SUCCEEDED',
    [
      ...stayed({ answers: redirected, signInControl: 'BACK_TO_SIGN_IN' }),
      ...stayed({ page: '30000000', answers: redirected }),
    ],
  ],
  [
    'a page that leads back to the sign-in',
    'PENDING',
    stayed({ answers: redirected, signInControl: 'BACK_TO_SIGN_IN' }),
  ],
  [
    'a landing page where the employee navigates by script',
    'SUCCEEDED',
    [
      { same: true, answers: accepted, page: homePage },
      { same: true, page: '30000000', isTouched: true, afterMs: 4_000, heading: '20000000' },
    ],
  ],
  [
    'a form that stays after a response, and routes opened by the employee',
    'PENDING',
    [
      { same: true, forms: [loginForm], answers: accepted, afterMs: 3_000 },
      ...stayed({ same: true, page: homePage, heading: '20000000', isTouched: true }),
      { same: true, page: '30000000', heading: '30000000', isTouched: true, ...stay },
    ],
  ],
  ...[false, true].map((hasSocket): [string, string, Seen[]] => [
    `a form that was closed, and routes opened by the employee, ${hasSocket ? 'with' : 'without'} a WebSocket`,
    'PENDING',
    [
      { same: true, hasSocket, heading: '20000000' },
      { same: true, hasSocket, heading: '20000000', page: homePage, isTouched: true, afterMs: 4_000 },
      { same: true, hasSocket, heading: '20000000', page: homePage, isTouched: true, ...stay },
    ],
  ]),
  ['a form frame that navigates', 'PENDING', [{ frameId: 7 }], { frameId: 7 }],
  [
    'a form frame that navigates and stays there',
    'SUCCEEDED',
    [
      { frameId: 7, answers: redirected },
      { frameId: 7, ...stay },
    ],
    { frameId: 7 },
  ],
  [
    'a form frame that is removed',
    'SUCCEEDED',
    [{ same: true, isSameDocument: false, frames: [0], answers: accepted, signOut: 'SHOWN' }],
    { frameId: 7 },
  ],
  ['the form in its original frame', 'FAILED', [{ frameId: 7, forms: [loginForm] }], { frameId: 7 }],
  ['an advertisement in a frame', 'PENDING', [{ frameId: 9, signOut: 'SHOWN' }]],
  [
    'a second step in another frame',
    'PENDING',
    [
      { frameId: 9, frames: [0, 9], forms: [codeForm], code: 'EMPTY' },
      { frames: [0, 9], signOut: 'SHOWN', answers: redirected },
    ],
  ],
  [
    'a page that asks for a code',
    'PENDING',
    [
      { forms: [codeForm], code: 'EMPTY', answers: redirected },
      { forms: [codeForm], code: 'EMPTY', ...stay },
    ],
  ],
  [
    'a code that was entered',
    'SUCCEEDED',
    [
      { forms: [codeForm], code: 'ENTERED' },
      { signOut: 'SHOWN', documentMs: startedMs + 900 },
    ],
  ],
  [
    'a code that was wrong',
    'PENDING',
    [
      { forms: [codeForm], code: 'ENTERED' },
      { forms: [codeForm], code: 'EMPTY', messages: [error], documentMs: startedMs + 900 },
    ],
  ],
  [
    'a code that was never entered',
    'PENDING',
    [
      { forms: [codeForm], code: 'EMPTY', answers: redirected },
      { documentMs: startedMs + 900 },
      { documentMs: startedMs + 900, ...stay },
    ],
  ],
  [
    'a second step abandoned for the form',
    'FAILED',
    [
      { forms: [codeForm], code: 'EMPTY' },
      { forms: [loginForm], documentMs: startedMs + 900 },
    ],
  ],
  [
    'a push that was confirmed',
    'SUCCEEDED',
    [{ secondStep: 'PUSH_NOTIFICATION' }, { signOut: 'SHOWN', documentMs: startedMs + 900 }],
  ],
  [
    'words about a second step for a signed-in user',
    'SUCCEEDED',
    [{ secondStep: 'UNKNOWN', signOut: 'SHOWN' }],
  ],
  [
    'a sign-up whose form returns',
    'FAILED',
    [{ forms: [{ ...loginForm, purpose: 'SIGN_UP' }] }],
    { isNewPassword: true },
  ],
])('%s: %s', (_, expected, seen, from) => {
  expect(follow(seen, from).outcome).toBe(expected)
})

test.each([
  ['a form of a signed-in user', { before: { ...start.before, signOut: 'SHOWN' as const } }],
  ['a form that changes the password', { form: { ...start.form, purpose: 'CHANGE_PASSWORD' as const } }],
  ['a form that creates a user for somebody else', { form: { ...start.form, purpose: 'NEW_USER' as const } }],
  [
    'settings that hold credentials of another server',
    { form: { ...start.form, purpose: 'CONNECTION' as const } },
  ],
])('%s is never a login', (_, from) => {
  expect(judge(attemptFacts({ ...start, ...from })).outcome).toBe('FAILED')
})

test('an initial setup is a login only once the user is signed in', () => {
  const from = { isNewPassword: true, form: { signature: 'eeeeeeee', purpose: 'SETUP' as const } }
  expect(follow([{ answers: redirected }, stay], from).outcome).toBe('PENDING')
  expect(follow(stayed({ answers: redirected, signOut: 'SHOWN' }), from).outcome).toBe('SUCCEEDED')
})

test('a closed popup is a login if its opener changes immediately, not later', () => {
  const closed: PendingAttempt = {
    ...start,
    answers: { ...noAnswers, ...accepted },
    opener: { tabId: 2, before: start.before },
    closedMs: startedMs + 2_000,
  }
  const outcome = (more: Partial<PageState>, afterMs: number) => {
    const state = { ...clean, documentMs: startedMs - 5_000, ...more }
    const report = {
      frameId: 0,
      frames: [0],
      isQuiet: true,
      hasSocket: false,
      namesSignIn: false,
      page: homePage,
      state,
      timeMs: startedMs + 2_000 + afterMs,
    }
    return judge(observeOpener(closed, report).facts ?? new Set()).outcome
  }
  expect(outcome({ heading: '20000000' }, 1_000)).toBe('SUCCEEDED')
  expect(outcome({ heading: '20000000' }, 9_000)).toBe('PENDING')
  expect(outcome({}, 1_000)).toBe('PENDING')
})

test('an opener that leads back to the sign-in holds a login, and does not count against it', () => {
  const report = {
    frameId: 0,
    frames: [0],
    isQuiet: true,
    hasSocket: false,
    namesSignIn: false,
    page: homePage,
  }
  const closed = { ...start, opener: { tabId: 2, before: start.before }, closedMs: startedMs + 2_000 }
  const state: PageState = { ...clean, signInControl: 'BACK_TO_SIGN_IN' }
  const { facts } = observeOpener(closed, { ...report, state, timeMs: startedMs + 3_000 })
  expect(facts).toContain('BACK_TO_SIGN_IN')
  expect(facts).not.toContain('SIGN_IN_CONTROL')
})

test('a second factor is reported only if it was used, and a confirmed address is none', () => {
  const step = { method: 'APP_TOTP' as const, needsCode: true, confirmsAddress: false }
  const factor = (from: Partial<PendingAttempt>) => usedFactor({ ...start, ...from })
  expect(factor({ secondStep: step, codeEntered: true })).toEqual({ method: 'APP_TOTP' })
  expect(factor({ secondStep: step })).toBeNull()
  expect(factor({ secondStep: { ...step, needsCode: false, method: 'WEBAUTHN' } })).toEqual({
    method: 'WEBAUTHN',
  })
  expect(factor({ secondStep: { ...step, confirmsAddress: true }, codeEntered: true })).toBeNull()
  const byMail = { ...step, method: 'EMAIL_OTP' as const }
  expect(factor({ secondStep: byMail, codeEntered: true, isNewPassword: true })).toBeNull()
})

test('no sequence of reports that ends with the rejected form is a login', () => {
  const look = fc.record({
    same: fc.boolean(),
    afterMs: fc.integer({ min: 100, max: 15_000 }),
    isReady: fc.boolean(),
    isQuiet: fc.boolean(),
    namesSignIn: fc.boolean(),
    forms: fc.constantFrom([], [changeForm], [loginForm], [codeForm]),
    code: fc.constantFrom(null, 'EMPTY' as const, 'ENTERED' as const),
    page: fc.constantFrom(loginPage, homePage),
  })
  fc.assert(
    fc.property(fc.array(look, { maxLength: 4 }), look, (seen, last) => {
      const before = follow(seen)
      fc.pre(before.outcome === 'PENDING')
      const { outcome } = follow([...seen, { ...last, same: false, forms: [loginForm] }])
      expect(outcome).toBe('FAILED')
    }),
  )
})
