import type { LoginFact } from '../judgment/fact-weights.ts'
import type { LoginAttempt, MfaMethod, PageLook, PageState } from '../login-messages.ts'

/** Second step that was asked for after the password. */
export interface SecondStep {
  readonly method: MfaMethod | null
  readonly needsCode: boolean
  /** True if it confirms an address at a sign-up, which is no second factor. */
  readonly confirmsAddress: boolean
}

/** Page that was ready and without a form. */
export interface ClearPage {
  readonly sinceMs: number
  readonly documentMs: number
  /** Hash of its address. */
  readonly page: string
}

/** Answers of servers since an attempt. */
export interface Answers {
  /** True once a document of the deciding frame was redirected. */
  readonly redirected: boolean
  /** Status of the last document that was loaded into the frame or the tab; null if none was. */
  readonly documentStatus: number | null
  /** True if that document is the direct answer to a POST. */
  readonly isInPlace: boolean
  /** True once a server of the site set a cookie. */
  readonly cookieSet: boolean
  /** Requests of scripts that sent something to the site: those that were accepted and refused. */
  readonly accepted: number
  readonly refused: number
  /** When the last of them was answered. */
  readonly answeredMs: number | null
}

export const noAnswers: Answers = {
  redirected: false,
  documentStatus: null,
  isInPlace: false,
  cookieSet: false,
  accepted: 0,
  refused: 0,
  answeredMs: null,
}

/** Page that opened the window of an attempt. */
export interface Opener {
  readonly tabId: number
  /** Its look while the window was open; null if it was not told of. */
  readonly before: PageLook | null
}

/** An attempt whose outcome is not known yet. */
export interface PendingAttempt extends LoginAttempt {
  readonly tabId: number
  readonly frameId: number
  /** The page with the form: origin and path. */
  readonly url: string
  /** Hash of its address. */
  readonly page: string
  readonly startedMs: number
  readonly answers: Answers
  /** Documents that the deciding frame has shown since. */
  readonly documents: number
  /** Hash of the address of the last of them. */
  readonly documentPage: string | null
  /** The second step that was seen; null so far. */
  readonly secondStep: SecondStep | null
  readonly codeEntered: boolean
  /** Frames that showed a form or a second step when they were last heard of. */
  readonly heldBy: readonly number[]
  /** Look of the page around the frame with the form; null if the form is in none, or it was not told of yet. */
  readonly aroundBefore: PageLook | null
  readonly clear: ClearPage | null
  readonly wentOn: boolean
  /** True once the script of the form's page went to another address before the employee did anything more. */
  readonly isRouted: boolean
  /** True once the employee typed another address of the site before the page after the form came to rest. */
  readonly isLeftEarly: boolean
  /** True once the form was still there for seconds after an answer. */
  readonly outlivedAnswer: boolean
  /** For how long the form was still there after it was handed in, as far as it was seen. */
  readonly waitedMs: number
  /** Facts of the last report that could decide. */
  readonly facts: readonly LoginFact[]
  readonly opener: Opener | null
  /** When its window was closed; null while it is open. */
  readonly closedMs: number | null
  /** Whether the page was opened from the dashboard of a provider that fills in forms. */
  readonly isLaunched: boolean
}

/** What a frame of the tab reported, and what the browser knows of it. */
export interface FrameReport {
  readonly frameId: number
  readonly state: PageState
  /** Hash of its address. */
  readonly page: string
  /** True if its address names signing in or an error. */
  readonly namesSignIn: boolean
  /** The frames that the tab has now. */
  readonly frames: readonly number[]
  /** True if no script of the tab waits for an answer. */
  readonly isQuiet: boolean
  /** True if the page opened a WebSocket. */
  readonly hasSocket: boolean
  readonly timeMs: number
}

/** For how long a page may take to answer, and a person to fetch a code. */
const answerMaximumMs = 2 * 60_000
const secondStepMaximumMs = 10 * 60_000

/** Whether an attempt waited longer than any page takes. */
export const isExpired = (attempt: PendingAttempt, timeMs: number): boolean =>
  timeMs - attempt.startedMs > (attempt.secondStep ? secondStepMaximumMs : answerMaximumMs)

/** Address of a page as attempts compare it: with the route of a script, without a query. */
export function pageOf(address: string): string {
  const url = URL.parse(address)
  if (!url) return ''
  const route = /^#!?\//.test(url.hash) ? url.hash.replace(/\?.*$/, '') : ''
  return `${url.origin}${url.pathname.replace(/\/$/, '')}${route}`
}

const signInNames =
  /\b(?:(?:log|sign)[ _-]?(?:in|on)|auth(?:enticate|entication|orize)?|sso|saml2?|oauth2?|sessions?|challenge|mfa|2fa|otp|verify|err(?:or)?s?|fail(?:ed|ure)?|invalid|denied|expired|refused)\b/i

/** Returns true if an address names signing in or an error in its path, its query or its route. */
export function namesSignIn(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && signInNames.test(`${url.pathname}${url.search}${url.hash}`.replaceAll('_', '-'))
}

/** Shortest time for which a page must have been clear before leaving it says anything. */
export const clearMinimumMs = 1_500

export const wasClear = (attempt: PendingAttempt, timeMs: number): boolean =>
  attempt.clear !== null && timeMs - attempt.clear.sinceMs >= clearMinimumMs

/** Second factor to report with the login; null if none was used. */
export function usedFactor({ secondStep, codeEntered, isNewPassword }: PendingAttempt) {
  if (!secondStep || secondStep.confirmsAddress || (secondStep.needsCode && !codeEntered)) return null
  // A message with a code at a sign-up confirms the address.
  const isMessage = secondStep.method === null || /^(?:EMAIL|SMS)_OTP$/.test(secondStep.method)
  return isNewPassword && isMessage ? null : { method: secondStep.method }
}
