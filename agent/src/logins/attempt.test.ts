import { expect, test } from 'vitest'
import { type FrameReport, judge, type PendingAttempt } from './attempt.ts'
import type { PageState } from './login-messages.ts'

const start: PendingAttempt = {
  tabId: 1,
  frameId: 0,
  url: 'https://app.example.com/login',
  identity: 'ada@example.com',
  password: { fingerprint: '01234567', length: 9, sha1: null, weakReasons: [], manuallyTyped: true },
  isNewPassword: false,
  isActivated: true,
  isToldOf: false,
  pressedMs: 1_000_000,
  startedMs: 1_000_000,
  documentStatus: null,
  requests: 0,
  requestStatus: null,
  secondStep: null,
  codeEntered: false,
  heldBy: [],
  isLaunched: false,
}

const clean: PageState = {
  passwordField: false,
  newPasswordField: false,
  identityField: false,
  codeField: false,
  codeEntered: false,
  secondStep: null,
  error: false,
  isSameDocument: false,
  documentMs: 1_001_000,
  requests: 0,
  requestStatus: 0,
}
const next = (state: Partial<PageState>): PageState => ({ ...clean, ...state })
const same = (state: Partial<PageState>): PageState => ({
  ...clean,
  isSameDocument: true,
  documentMs: 900_000,
  ...state,
})

type Seen = PageState | (Partial<FrameReport> & { state: PageState })
function outcome(seen: readonly Seen[], from: Partial<PendingAttempt> = {}) {
  let attempt: PendingAttempt = { ...start, ...from }
  for (const one of seen) {
    const report = 'state' in one ? one : { state: one }
    const verdict = judge(attempt, { frameId: 0, frames: [0, 7], timeMs: 1_005_000, ...report })
    if (verdict.outcome !== 'PENDING') return verdict.outcome
    attempt = verdict.attempt
  }
  return attempt.secondStep ? `PENDING ${attempt.secondStep.method}` : 'PENDING'
}

test.each<[string, string, Seen[], Partial<PendingAttempt>?]>([
  ['another page without a form', 'SUCCEEDED', [next({})]],
  ['the form again on another page', 'FAILED', [next({ passwordField: true })]],
  ['a page that says the password is wrong', 'FAILED', [next({ error: true })]],
  ['back at the first step', 'FAILED', [next({ identityField: true })]],
  ['an error page of the server', 'FAILED', [next({})], { documentStatus: 401 }],
  ['a page after a redirect', 'SUCCEEDED', [next({})], { documentStatus: 200 }],
  ['the form while the answer is awaited', 'PENDING', [same({ passwordField: true })]],
  [
    'a form that a script answered with 401',
    'FAILED',
    [same({ passwordField: true, requests: 1, requestStatus: 401 })],
  ],
  [
    'a form for a new password that is there again',
    'FAILED',
    [next({ newPasswordField: true })],
    { isNewPassword: true },
  ],
  [
    'a form for a new password that a script answered with 422',
    'FAILED',
    [same({ newPasswordField: true, requests: 1, requestStatus: 422 })],
    { isNewPassword: true },
  ],
  ['a page that asks for another password after a login', 'SUCCEEDED', [next({ newPasswordField: true })]],
  ['a form that says the password is wrong', 'FAILED', [same({ passwordField: true, error: true })]],
  [
    'a script that took the form away',
    'SUCCEEDED',
    [same({ passwordField: true }), same({ requests: 1, requestStatus: 200 })],
  ],
  ['a script that took the form away after 403', 'FAILED', [same({ requests: 1, requestStatus: 403 })]],
  [
    'a script that took the form away, whose request the background saw',
    'SUCCEEDED',
    [same({})],
    { requests: 1, requestStatus: 200 },
  ],
  [
    'a form that is there after 401, which the background saw',
    'FAILED',
    [same({ passwordField: true })],
    { requests: 1, requestStatus: 401 },
  ],
  ['a form that went away though nothing was asked', 'PENDING', [same({})]],
  [
    'the old document of the tab above a form in a frame',
    'PENDING',
    [{ frameId: 0, state: next({ documentMs: 900_000 }) }],
    { frameId: 7 },
  ],
  [
    'a new document above a form in a frame',
    'SUCCEEDED',
    [{ frameId: 0, frames: [0], state: next({}) }],
    { frameId: 7 },
  ],
  [
    'a frame with the form that was taken away',
    'SUCCEEDED',
    [{ frameId: 0, frames: [0], state: next({ documentMs: 900_000 }) }],
    { frameId: 7 },
  ],
  ['an advertisement that was loaded into a frame', 'PENDING', [{ frameId: 7, state: next({}) }]],
  ...(['error', 'passwordField', 'identityField'] as const).map((member): [string, string, Seen[]] => [
    `a page with ${member} in a frame of somebody else`,
    'SUCCEEDED',
    [
      { frameId: 9, frames: [0, 9], state: next({ [member]: true }) },
      { frameId: 0, frames: [0, 9], state: next({}) },
    ],
  ]),
  [
    'the form again in the frame that it was in',
    'FAILED',
    [{ frameId: 7, state: next({ passwordField: true }) }],
    { frameId: 7 },
  ],
  [
    'the form again in the page around the frame that it was in',
    'FAILED',
    [{ frameId: 0, state: next({ passwordField: true }) }],
    { frameId: 7 },
  ],
  [
    'a second step in another frame, which asks for the password as well',
    'PENDING null',
    [
      { frameId: 9, frames: [0, 9], state: next({ passwordField: true, codeField: true }) },
      { frameId: 0, frames: [0, 9], state: next({}) },
    ],
  ],
  ['a page that asks for a code', 'PENDING APP_TOTP', [next({ codeField: true, secondStep: 'APP_TOTP' })]],
  [
    'a code that was entered',
    'SUCCEEDED',
    [
      next({ codeField: true, secondStep: 'SMS_OTP' }),
      next({ codeField: true, codeEntered: true, secondStep: 'SMS_OTP' }),
      next({}),
    ],
  ],
  [
    'a code that was wrong',
    'PENDING SMS_OTP',
    [
      next({ codeField: true, codeEntered: true, secondStep: 'SMS_OTP' }),
      next({ codeField: true, secondStep: 'SMS_OTP', error: true }),
    ],
  ],
  ['a code that was never entered', 'FAILED', [next({ codeField: true }), next({})]],
  ['a push that was confirmed', 'SUCCEEDED', [next({ secondStep: 'PUSH_NOTIFICATION' }), next({})]],
  [
    'a second step in a frame, while the page around it looks clean',
    'PENDING null',
    [
      { frameId: 7, state: next({ codeField: true }) },
      { frameId: 0, state: next({}) },
    ],
  ],
  [
    'a second step in a frame that is gone',
    'SUCCEEDED',
    [
      { frameId: 7, state: next({ codeField: true, codeEntered: true }) },
      { frameId: 0, frames: [0], state: next({ codeEntered: true }) },
    ],
  ],
  ['silence for minutes', 'FAILED', [{ timeMs: 1_200_000, state: next({}) }]],
  [
    'a code that took minutes to fetch',
    'SUCCEEDED',
    [next({ codeField: true, codeEntered: true }), { timeMs: 1_300_000, state: next({}) }],
  ],
])('%s: %s', (_, expected, seen, from) => {
  expect(outcome(seen, from)).toBe(expected)
})
