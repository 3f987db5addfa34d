import type { LoginAttempt, MfaMethod, PageState } from './login-messages.ts'

/** An attempt whose outcome is not known yet. */
export interface PendingAttempt extends LoginAttempt {
  readonly tabId: number
  readonly frameId: number
  /** The page with the form: origin and path. */
  readonly url: string
  readonly startedMs: number
  /** Status of the last document that was loaded into the frame or the tab since; null if none was. */
  readonly documentStatus: number | null
  /** Requests of scripts of the tab since, that send something or go to the site of the page. */
  readonly requests: number
  /** Status of the first of them that sent something to the site of the page; null so far. */
  readonly requestStatus: number | null
  /** The second step that was seen; null so far. */
  readonly secondStep: { readonly method: MfaMethod | null; readonly needsCode: boolean } | null
  readonly codeEntered: boolean
  /** Frames that showed a form or a second step when they were last heard of. */
  readonly heldBy: readonly number[]
  /** Whether the page was opened from the dashboard of a provider that fills in forms. */
  readonly isLaunched: boolean
}

/** What a frame of the tab reported, and what the browser knows of it. */
export interface FrameReport {
  readonly frameId: number
  readonly state: PageState
  /** The frames that the tab has now. */
  readonly frames: readonly number[]
  readonly timeMs: number
}

export type Verdict =
  | { readonly outcome: 'PENDING'; readonly attempt: PendingAttempt }
  | { readonly outcome: 'SUCCEEDED' | 'FAILED' }

/** For how long a page may take to answer, and a person to fetch a code. */
const answerMaximumMs = 2 * 60_000
const secondStepMaximumMs = 10 * 60_000

const failed: Verdict = { outcome: 'FAILED' }
const pending = (attempt: PendingAttempt): Verdict => ({ outcome: 'PENDING', attempt })

/** Whether an attempt waited longer than any page takes. */
export const isExpired = (attempt: PendingAttempt, timeMs: number): boolean =>
  timeMs - attempt.startedMs > (attempt.secondStep ? secondStepMaximumMs : answerMaximumMs)

/**
 * Whether a login succeeded, from what the frames of its tab show afterwards. Only what follows tells: the
 * form is gone, no second step is asked, nothing says that it failed, and the page did go somewhere. The page and
 * the frame of the form decide; what others put into frames of theirs may ask for a second step, and says nothing else.
 */
export function judge(attempt: PendingAttempt, report: FrameReport): Verdict {
  if (isExpired(attempt, report.timeMs)) return failed
  const { state, frameId } = report
  const heldBy = attempt.heldBy.filter((frame) => frame !== frameId && report.frames.includes(frame))
  const isNew = !state.isSameDocument && state.documentMs > attempt.startedMs
  if (!isNew && !state.isSameDocument && report.frames.includes(attempt.frameId))
    return pending({ ...attempt, heldBy })
  const holding = { ...attempt, heldBy: [...heldBy, frameId] }
  const mayEnd = frameId === 0 || frameId === attempt.frameId
  const isFormThere = state.passwordField || (attempt.isNewPassword && state.newPasswordField)
  if (mayEnd && isFormThere) return formIsThere(holding, state)
  if (state.codeField || state.secondStep) return pending(withSecondStep(holding, state))
  if (!mayEnd) return pending({ ...attempt, heldBy })
  if (state.error) return failed
  if (state.identityField) return state.isSameDocument ? pending(holding) : failed
  return heldBy.length === 0 ? formIsGone(attempt, state) : pending({ ...attempt, heldBy })
}

/** The same document may be waiting still; another one shows the form because the password was wrong. */
function formIsThere(attempt: PendingAttempt, state: PageState): Verdict {
  if (!state.isSameDocument || state.error) return failed
  const status = statusOf(attempt, state)
  return status >= 400 && status < 500 ? failed : pending(attempt)
}

/** The background sees what is asked, the page what was read of the answer; either may miss some. */
const statusOf = (attempt: PendingAttempt, state: PageState) => attempt.requestStatus ?? state.requestStatus

function withSecondStep(attempt: PendingAttempt, state: PageState): PendingAttempt {
  const named = state.secondStep === 'UNKNOWN' ? null : state.secondStep
  const method = named ?? attempt.secondStep?.method ?? null
  const needsCode = state.codeField && method !== 'PUSH_NOTIFICATION' && method !== 'WEBAUTHN'
  return {
    ...attempt,
    secondStep: { method, needsCode },
    codeEntered: state.codeEntered,
  }
}

function formIsGone(attempt: PendingAttempt, state: PageState): Verdict {
  if (attempt.secondStep?.needsCode && !attempt.codeEntered && !state.codeEntered) return failed
  if (attempt.documentStatus !== null && attempt.documentStatus >= 400) return failed
  if (!state.isSameDocument) return { outcome: 'SUCCEEDED' }
  const status = statusOf(attempt, state)
  if (status === 401 || status === 403) return failed
  return attempt.requests + state.requests > 0 ? { outcome: 'SUCCEEDED' } : pending(attempt)
}
