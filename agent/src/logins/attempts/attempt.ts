import type { LoginFact } from '../judgment/fact-weights.ts'
import type { LoginAttempt, MfaMethod, PageLook, PageState } from '../login-messages.ts'

/** Second step requested after the password. */
export interface SecondStep {
  readonly method: MfaMethod | null
  readonly needsCode: boolean
  /** True if it only confirms an address at sign-up, which is not a second factor. */
  readonly confirmsAddress: boolean
}

/** Page that is ready and shows no form. */
export interface ClearPage {
  readonly sinceMs: number
  readonly documentMs: number
  /** Hash of its address. */
  readonly page: string
}

/** Server responses since the attempt started. */
export interface Answers {
  /** True once a document in the main frame or the form's frame was redirected. */
  readonly redirected: boolean
  /** Status of the last document loaded into the frame or the tab; null if none was loaded. */
  readonly documentStatus: number | null
  /** True if that document is the direct response to a POST. */
  readonly isInPlace: boolean
  /** True once a server of the site set a cookie. */
  readonly cookieSet: boolean
  /** Number of script requests that sent data to the site and were accepted; `refused` counts the rejected ones. */
  readonly accepted: number
  readonly refused: number
  /** Time of the last response to such a request. */
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

/** Page that opened the attempt's window. */
export interface Opener {
  readonly tabId: number
  /** Its appearance while the window was open; null if not reported. */
  readonly before: PageLook | null
}

/** Login attempt with an unknown outcome. */
export interface PendingAttempt extends LoginAttempt {
  readonly tabId: number
  readonly frameId: number
  /** Page with the form: origin and path. */
  readonly url: string
  /** Hash of its address. */
  readonly page: string
  readonly startedMs: number
  readonly answers: Answers
  /** Number of documents shown since then in the main frame or the form's frame. */
  readonly documents: number
  /** Address hash of the last of these documents. */
  readonly documentPage: string | null
  /** Second step seen so far; null if none. */
  readonly secondStep: SecondStep | null
  readonly codeEntered: boolean
  /** Frames that last reported a form or a second step. */
  readonly heldBy: readonly number[]
  /**
   * Appearance of the page around the form's frame; null if the form is in the main frame or nothing was reported yet.
   */
  readonly aroundBefore: PageLook | null
  readonly clear: ClearPage | null
  readonly wentOn: boolean
  /** True once a script of the form's page changed the address before the employee did anything else. */
  readonly isRouted: boolean
  /** True once the employee went to another page of the site, or back, before the page after the form settled. */
  readonly isLeftEarly: boolean
  /** True while the tab shows a page of its history after that. Its form may be older than the login. */
  readonly isRestored: boolean
  /** True once the form stayed visible for seconds after a response. */
  readonly outlivedAnswer: boolean
  /** Time for which the form was seen to stay visible after it was submitted. */
  readonly waitedMs: number
  /** Facts of the last report that could decide the outcome. */
  readonly facts: readonly LoginFact[]
  readonly opener: Opener | null
  /** Time at which its window was closed; null while open. */
  readonly closedMs: number | null
  /** True if the page was opened from the dashboard of a provider that fills in forms. */
  readonly isLaunched: boolean
}

/** Observations of an attempt that has just started. */
export const nothingObserved = {
  answers: noAnswers,
  documents: 0,
  documentPage: null,
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
  closedMs: null,
} as const satisfies Partial<PendingAttempt>

/** Report of a frame, combined with what the browser knows about the frame. */
export interface FrameReport {
  readonly frameId: number
  readonly state: PageState
  /** Hash of its address. */
  readonly page: string
  /** True if its address contains sign-in or error words. */
  readonly namesSignIn: boolean
  /** Frames that the tab has now. */
  readonly frames: readonly number[]
  /** True if no script request of the tab is pending. */
  readonly isQuiet: boolean
  /** True if the page opened a WebSocket. */
  readonly hasSocket: boolean
  readonly timeMs: number
}

/** Maximum time for a page to respond, and for a person to get a code. */
const answerMaximumMs = 2 * 60_000
const secondStepMaximumMs = 10 * 60_000

/** Returns true if an attempt has been pending for longer than any page takes. */
export const isExpired = (attempt: PendingAttempt, timeMs: number): boolean =>
  timeMs - attempt.startedMs > (attempt.secondStep ? secondStepMaximumMs : answerMaximumMs)

/** Returns the address of a page for comparison: with the hash route, without the query. */
export function pageOf(address: string): string {
  const url = URL.parse(address)
  if (!url) return ''
  const route = /^#!?\//.test(url.hash) ? url.hash.replace(/\?.*$/, '') : ''
  return `${url.origin}${url.pathname.replace(/\/$/, '')}${route}`
}

const signInNames =
  /\b(?:(?:log|sign)[ _-]?(?:in|on)|auth(?:enticate|entication|orize)?|sso|saml2?|oauth2?|sessions?|challenge|mfa|2fa|otp|verify|err(?:or)?s?|fail(?:ed|ure)?|invalid|denied|expired|refused)\b/i

/** Returns true if the path, query or fragment of an address contains sign-in or error words. */
export function namesSignIn(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && signInNames.test(`${url.pathname}${url.search}${url.hash}`.replaceAll('_', '-'))
}

/** Minimum time for which a page must have been clear before leaving it counts as evidence. */
const clearMinimumMs = 1_500

export const wasClear = (attempt: PendingAttempt, timeMs: number): boolean =>
  attempt.clear !== null && timeMs - attempt.clear.sinceMs >= clearMinimumMs

/** Returns the second factor to report with the login; null if none was used. */
export function usedFactor({ secondStep, codeEntered, isNewPassword }: PendingAttempt) {
  if (!secondStep || secondStep.confirmsAddress || (secondStep.needsCode && !codeEntered)) return null
  // At sign-up, a code sent as a message only confirms the address.
  const isMessage = secondStep.method === null || /^(?:EMAIL|SMS)_OTP$/.test(secondStep.method)
  return isNewPassword && isMessage ? null : { method: secondStep.method }
}
