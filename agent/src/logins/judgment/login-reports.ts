import { shortHash } from '../../lib/short-hash.ts'
import type { Answers, PendingAttempt } from '../attempts/attempt.ts'
import { pendingAttempt, startedMs } from '../attempts/attempt-fixture.ts'
import type { FormState, PageState } from '../login-messages.ts'
import { judge } from './judge.ts'
import { observe, stayMs } from './login-facts.ts'

/** Reports of pages for tests of the judgment. */

export const loginPage = shortHash('https://app.example.com/login')
export const homePage = shortHash('https://app.example.com/home')
export const loginForm: FormState = {
  signature: 'aaaaaaaa',
  purpose: 'SIGN_IN',
  hasPassword: true,
  hasIdentityField: true,
  hasCode: false,
  identity: null,
}
export const codeForm: FormState = {
  ...loginForm,
  signature: 'cccccccc',
  purpose: 'CODE',
  hasPassword: false,
  hasIdentityField: false,
  hasCode: true,
}
export const changeForm: FormState = { ...loginForm, signature: 'bbbbbbbb', purpose: 'CHANGE_PASSWORD' }
export const connectionForm: FormState = { ...loginForm, signature: '11111111', purpose: 'CONNECTION' }
export const firstStep: FormState = {
  ...loginForm,
  signature: 'ffffffff',
  purpose: 'FIRST_STEP',
  hasPassword: false,
}

export const start = pendingAttempt({
  page: loginPage,
  form: { signature: loginForm.signature, purpose: 'SIGN_IN' },
  before: {
    messages: ['00000001'],
    signOut: null,
    accountMenu: false,
    showsIdentity: false,
    heading: '10000000',
  },
})

export const clean: PageState = {
  forms: [],
  messages: [],
  signOut: null,
  accountMenu: false,
  showsIdentity: null,
  heading: '10000000',
  code: null,
  secondStep: null,
  confirmsAddress: false,
  asksForPerson: false,
  signInControl: null,
  isReady: true,
  isLeft: false,
  isTouched: false,
  isSameDocument: false,
  documentMs: startedMs + 500,
  requests: 0,
  requestStatus: 0,
}

/** One report, of the document after the form's own unless `same`. */
export interface Seen extends Partial<PageState> {
  readonly same?: boolean
  readonly frameId?: number
  readonly frames?: readonly number[]
  /** Time since the previous report. */
  readonly afterMs?: number
  readonly page?: string
  readonly isQuiet?: boolean
  readonly hasSocket?: boolean
  readonly namesSignIn?: boolean
  readonly answers?: Partial<Answers>
}

export function follow(seen: readonly Seen[], from: Partial<PendingAttempt> = {}) {
  let attempt: PendingAttempt = { ...start, ...from }
  let timeMs = startedMs
  let outcome = 'PENDING'
  for (const one of seen) {
    const {
      same,
      frameId = 0,
      frames = [0, 7],
      afterMs = 1_000,
      isQuiet = true,
      hasSocket = false,
      namesSignIn = false,
      answers,
      page,
      ...look
    } = one
    timeMs += afterMs
    attempt = { ...attempt, answers: { ...attempt.answers, ...answers } }
    const own = { ...clean, isSameDocument: true, documentMs: startedMs - 1_000 }
    const state = { ...(same ? own : clean), ...look }
    const report = {
      frameId,
      frames,
      isQuiet,
      hasSocket,
      namesSignIn,
      timeMs,
      state,
      page: page ?? (same ? loginPage : homePage),
    }
    const observed = observe(attempt, report)
    attempt = observed.attempt
    outcome = observed.facts ? judge(observed.facts).outcome : 'PENDING'
    if (outcome !== 'PENDING') break
  }
  return { outcome, attempt }
}

export const redirected = { redirected: true, cookieSet: true, documentStatus: 200 }
export const accepted = { accepted: 1, answeredMs: startedMs + 200 }
export const refused = { refused: 1, answeredMs: startedMs + 200 }
export const error = { key: '00000002', kind: 'REFUSED', place: 'FORM' } as const
export const stay: Seen = { afterMs: stayMs }
/** The same page for a long time. */
export const stayed = (seen: Seen): Seen[] => [seen, { ...seen, ...stay }]
