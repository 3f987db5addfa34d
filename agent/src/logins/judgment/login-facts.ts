import { shortHash } from '../../lib/short-hash.ts'
import type { ClearPage, FrameReport, PendingAttempt, SecondStep } from '../attempts/attempt.ts'
import { wasClear } from '../attempts/attempt.ts'
import type { FormState, PageLook, PageState, SignInControl } from '../login-messages.ts'
import type { LoginFact } from './fact-weights.ts'

/** Attempt after a report, and the current facts; null if the report cannot decide anything. */
export interface Observed {
  readonly attempt: PendingAttempt
  readonly facts: ReadonlySet<LoginFact> | null
}

/** Minimum time without a form for `STAYED_BRIEFLY`. */
export const briefStayMs = 3_000
/** Minimum time without a form for `STAYED`. Scripts may redraw the form up to 10 s later. */
export const stayMs = 12_000
/** Minimum times for which a form stays visible after a response before that counts as evidence. */
const answerShownMs = 1_500
const outlivesMs = 2_500

const adminPurposes: ReadonlySet<FormState['purpose']> = new Set([
  'CHANGE_PASSWORD',
  'NEW_USER',
  'CONNECTION',
])

/**
 * Applies a frame's report to an attempt. Only the main frame and the form's frame decide. Other frames may ask for a
 * second step; everything else in them is ignored.
 */
export function observe(attempt: PendingAttempt, report: FrameReport): Observed {
  const { state, frameId } = report
  const others = attempt.heldBy.filter((frame) => frame !== frameId && report.frames.includes(frame))
  const isNew = !state.isSameDocument && state.documentMs > attempt.startedMs
  const isAround = !isNew && !state.isSameDocument
  if (isAround && report.frames.includes(attempt.frameId)) {
    const aroundBefore = attempt.aroundBefore ?? (frameId === 0 ? lookOf(state) : null)
    return { attempt: { ...attempt, aroundBefore, heldBy: others }, facts: null }
  }
  const mayDecide = frameId === 0 || frameId === attempt.frameId
  const isAsking = asksStep(attempt, state, frameId)
  if (!mayDecide) {
    const next = isAsking ? withSecondStep(attempt, state) : attempt
    return { attempt: { ...next, heldBy: isAsking ? [...others, frameId] : others }, facts: null }
  }
  const forms = relatedForms(attempt, state)
  const isStep = isAsking && !(state.isSameDocument && forms.waits)
  const stepped = isStep ? withSecondStep(attempt, state) : attempt
  const moved = advance(stepped, report, forms, isStep)
  const next = { ...moved, heldBy: isStep ? [...others, frameId] : others }
  if (attempt.isRestored && (forms.waits || asksToSignIn(forms))) return { attempt: next, facts: null }
  const facts = new Set<LoginFact>([
    ...attemptFacts(next),
    ...navigationFacts(next, report, isNew),
    ...answerFacts(next, report, isNew),
    ...lookFacts(next, report, forms, isStep, isNew),
    ...formFacts(next, report, forms, isNew),
    ...stepFacts(next, isStep, forms),
  ])
  if (others.length > 0) facts.add('HELD_BY_FRAME')
  return { attempt: { ...next, facts: [...facts] }, facts }
}

export const lookOf = ({ messages, signOut, accountMenu, showsIdentity, heading }: PageState): PageLook => ({
  messages: messages.map(({ key }) => key),
  signOut,
  accountMenu,
  showsIdentity,
  heading,
})

/**
 * Purposes of password forms that do not ask for the user's own new password: sign-in and connections to other servers.
 */
const isForOthers: ReadonlySet<FormState['purpose']> = new Set(['SIGN_IN', 'CONNECTION'])

/** Forms of a page in relation to the attempt's form. */
interface RelatedForms {
  /** Same form, or one with the same identity. */
  readonly same: boolean
  /** Sign-in form still present in the form's own document. */
  readonly waits: boolean
  /** Different sign-in form. */
  readonly signIn: boolean
  /** Form with only a password field. */
  readonly lone: boolean
  readonly firstStep: boolean
  /** Form that creates an account, or sets or changes a password. */
  readonly other: boolean
}

function relatedForms(attempt: PendingAttempt, state: PageState): RelatedForms {
  const identity = attempt.identity === null ? null : shortHash(attempt.identity.toLowerCase())
  const isSame = (form: FormState) =>
    (form.signature === attempt.form.signature && form.hasPassword) ||
    (identity !== null && form.identity === identity && isForSigningIn(form) && !form.hasCode)
  const isWithCode = (form: FormState) => form.hasCode && !isSame(form)
  const rest = state.forms.filter((form) => !isSame(form) && !isWithCode(form))
  const signIns = rest.filter(({ purpose, hasPassword }) => purpose === 'SIGN_IN' && hasPassword)
  const same = state.forms.some(isSame)
  const signIn = signIns.some(({ hasIdentityField }) => hasIdentityField)
  const lone = signIns.some(({ hasIdentityField }) => !hasIdentityField)
  return {
    same,
    signIn,
    lone,
    waits: state.isSameDocument && (same || signIn),
    firstStep: rest.some(({ purpose }) => purpose === 'FIRST_STEP'),
    other: rest.some(({ purpose, hasPassword }) => hasPassword && !isForOthers.has(purpose)),
  }
}

const isForSigningIn = ({ purpose }: FormState) => /^(?:SIGN_IN|SIGN_UP|FIRST_STEP)$/.test(purpose)
const asksToSignIn = ({ same, signIn, lone, firstStep }: RelatedForms) => same || signIn || lone || firstStep

/**
 * Returns true if a frame asks for a second step. Text alone does not count where the user is signed in, nor does a
 * link that confirms the address of a new account.
 */
function asksStep(attempt: PendingAttempt, state: PageState, frameId: number): boolean {
  if (state.code !== null) return true
  if (state.confirmsAddress && attempt.isNewPassword) return false
  return (
    (state.secondStep !== null || state.confirmsAddress) && !isSignedIn(state, beforeOf(attempt, frameId))
  )
}

const signsOutNow = (state: PageState, before: PageLook | null) =>
  state.signOut === 'SHOWN' && before?.signOut !== 'SHOWN'

const isSignedIn = (state: PageState, before: PageLook | null) =>
  signsOutNow(state, before) || (state.accountMenu && before?.accountMenu !== true)

/** Returns the appearance of the same frame when the form was submitted. */
const beforeOf = (attempt: PendingAttempt, frameId: number) =>
  frameId === attempt.frameId ? attempt.before : attempt.aroundBefore

function withSecondStep(attempt: PendingAttempt, state: PageState): PendingAttempt {
  const named = state.secondStep === 'UNKNOWN' ? null : state.secondStep
  const method = named ?? attempt.secondStep?.method ?? null
  const needsCode = state.code !== null && method !== 'PUSH_NOTIFICATION' && method !== 'WEBAUTHN'
  const secondStep: SecondStep = { method, needsCode, confirmsAddress: state.confirmsAddress }
  return { ...attempt, secondStep, codeEntered: state.code === 'ENTERED' }
}

/** Updates the parts of an attempt that persist between reports: the clear page and navigation by the employee. */
function advance(
  attempt: PendingAttempt,
  report: FrameReport,
  forms: RelatedForms,
  isStep: boolean,
): PendingAttempt {
  const { state, page, timeMs, isQuiet } = report
  const { clear } = attempt
  const isKnown = clear?.documentMs === state.documentMs
  const isClear = !forms.same && !forms.signIn && !forms.waits && !isStep && state.isReady
  const answeredMs = attempt.answers.answeredMs
  const outlivedAnswer =
    attempt.outlivedAnswer || (forms.waits && answeredMs !== null && timeMs - answeredMs >= outlivesMs)
  const isElsewhere = state.isSameDocument && page !== attempt.page
  const isRouted = attempt.isRouted || (isElsewhere && !state.isTouched && !outlivedAnswer)
  const waitedMs = forms.waits ? timeMs - attempt.startedMs : attempt.waitedMs
  const moved = { ...attempt, outlivedAnswer, isRouted, waitedMs }
  if (!isClear) return { ...moved, clear: null }
  if (isKnown && clear) {
    const mayGoOn = wasClear(attempt, timeMs) && !outlivedAnswer && hasAsked(attempt, report)
    const hasGoneOn = clear.page !== page && state.isTouched && mayGoOn
    return {
      ...moved,
      wentOn: attempt.wentOn || hasGoneOn,
      clear: clear.page === page ? clear : { ...clear, page },
    }
  }
  const fresh: ClearPage | null = isQuiet ? { sinceMs: timeMs, documentMs: state.documentMs, page } : null
  return { ...moved, clear: fresh }
}

/** Returns the facts that are known when the form is submitted. */
export function attemptFacts({ before, form }: PendingAttempt): ReadonlySet<LoginFact> {
  const facts = new Set<LoginFact>()
  if (before.signOut === 'SHOWN') facts.add('SIGNED_IN_BEFORE')
  if (adminPurposes.has(form.purpose)) facts.add('NO_SIGN_IN_FORM')
  if (form.purpose === 'SETUP') facts.add('SETUP_FORM')
  return facts
}

function navigationFacts(
  attempt: PendingAttempt,
  { frameId, page, namesSignIn, frames, timeMs }: FrameReport,
  isNew: boolean,
): LoginFact[] {
  const facts: LoginFact[] = []
  const isOwnFrame = frameId === attempt.frameId
  const isElsewhere = !isOwnFrame || page !== attempt.page
  // A page whose address the employee typed is no response to the form.
  const isAnswer = isNew && !attempt.isLeftEarly
  if (isAnswer && isElsewhere && !attempt.answers.isInPlace) facts.push('MOVED_ON')
  if (isAnswer && !isElsewhere) facts.push('SAME_ADDRESS')
  const isRouted = !isNew && isOwnFrame && isElsewhere
  if (isRouted && attempt.isRouted) facts.push('ROUTE_CHANGED')
  if (attempt.wentOn) facts.push('WENT_ON')
  if (attempt.frameId !== 0 && !frames.includes(attempt.frameId)) facts.push('FRAME_GONE')
  if (namesSignIn && (isRouted || facts.includes('MOVED_ON'))) facts.push('SIGN_IN_ADDRESS')
  const clearMs = attempt.clear ? timeMs - attempt.clear.sinceMs : 0
  if (clearMs >= briefStayMs) facts.push('STAYED_BRIEFLY')
  if (clearMs >= stayMs) facts.push('STAYED')
  return facts
}

const refusedStatuses: ReadonlySet<number> = new Set([400, 401, 403, 422, 423, 429])
export const isRefusal = (status: number): boolean => refusedStatuses.has(status)

function answerFacts(
  { answers }: PendingAttempt,
  { state: { requestStatus } }: FrameReport,
  isNew: boolean,
): LoginFact[] {
  const facts: LoginFact[] = []
  const { accepted, refused, documentStatus } = answers
  // The background sees requests, the page sees the responses it reads; either may miss some.
  const isUnknown = accepted + refused === 0
  if (answers.redirected) facts.push('REDIRECTED')
  if (answers.cookieSet) facts.push('COOKIE_SET')
  if (accepted > 0 || (isUnknown && requestStatus >= 200 && requestStatus < 400))
    facts.push('REQUEST_ACCEPTED')
  else if (!isNew && (refused > 0 || isRefusal(requestStatus))) facts.push('REQUEST_REFUSED')
  if (documentStatus !== null && documentStatus >= 400)
    facts.push(isRefusal(documentStatus) ? 'DOCUMENT_REFUSED' : 'DOCUMENT_BROKEN')
  return facts
}

const signInFacts = {
  SIGN_IN: 'SIGN_IN_CONTROL',
  BACK_TO_SIGN_IN: 'BACK_TO_SIGN_IN',
} as const satisfies Readonly<Record<SignInControl, LoginFact>>

function lookFacts(
  attempt: PendingAttempt,
  { frameId, state, page, isQuiet }: FrameReport,
  forms: RelatedForms,
  isStep: boolean,
  isNew: boolean,
): LoginFact[] {
  const facts: LoginFact[] = []
  const before = beforeOf(attempt, frameId)
  if (signsOutNow(state, before)) facts.push('SIGN_OUT_SHOWN')
  else if (state.signOut === 'HIDDEN' && before?.signOut === null) facts.push('SIGN_OUT_HIDDEN')
  else {
    if (state.accountMenu && before?.accountMenu !== true) facts.push('ACCOUNT_MENU_SHOWN')
    // A new document at the form's address, now without a form, is the page of a signed-in user.
    if (attempt.isLeftEarly && !(isNew && page === attempt.page)) facts.push('LEFT_EARLY')
  }
  if (state.showsIdentity && before?.showsIdentity === false && !asksToSignIn(forms) && !isStep)
    facts.push('IDENTITY_SHOWN')
  if (state.asksForPerson && !isSignedIn(state, before)) facts.push('CHALLENGE_SHOWN')
  if (before && state.heading !== before.heading) facts.push('NEW_LOOK')
  if (state.signInControl && !asksToSignIn(forms) && !isSignedIn(state, before))
    facts.push(signInFacts[state.signInControl])
  const isAtRest = isQuiet || state.isLeft || attempt.clear !== null
  if (!state.isReady || !isAtRest) facts.push('NOT_READY')
  if (!isStep) facts.push(...messageFacts(attempt, state, before, forms, isNew))
  return facts
}

function messageFacts(
  attempt: PendingAttempt,
  { messages }: PageState,
  before: PageLook | null,
  forms: RelatedForms,
  isNew: boolean,
): LoginFact[] {
  const old = new Set(isNew ? [] : before?.messages)
  const shown = messages.filter(({ key }) => !old.has(key))
  const isError = ({ kind }: { kind: string }) =>
    kind === 'REFUSED' || kind === 'LOCKED' || (attempt.isNewPassword && kind !== 'UNKNOWN')
  const errors = shown.filter(isError)
  if (errors.some(({ place }) => place === 'FORM') && (asksToSignIn(forms) || forms.waits))
    return ['NEW_ERROR_AT_FORM']
  if (errors.length > 0) return ['NEW_ERROR']
  return shown.length > 0 && !asksToSignIn(forms) ? ['NEW_ALERT'] : []
}

/** Returns true once any request to a server was seen since the form was submitted. */
function hasAsked({ answers, documents, frameId }: PendingAttempt, { state, frames }: FrameReport): boolean {
  const { accepted, refused } = answers
  return accepted + refused + state.requests + documents > 0 || !frames.includes(frameId)
}

function formFacts(
  attempt: PendingAttempt,
  report: FrameReport,
  forms: RelatedForms,
  isNew: boolean,
): LoginFact[] {
  const facts: LoginFact[] = []
  const { state, isQuiet, timeMs } = report
  const { answeredMs } = attempt.answers
  if (forms.waits) {
    // Some pages draw the next view over the form.
    if (signsOutNow(state, beforeOf(attempt, report.frameId))) return facts
    facts.push('FORM_WAITS')
    const isAnswered = answeredMs !== null ? timeMs - answeredMs >= answerShownMs : state.requestStatus > 0
    if (isAnswered && isQuiet) facts.push('FORM_OUTLIVES_ANSWER')
    return facts
  }
  if (forms.same) facts.push(isNew ? 'SAME_FORM' : 'FORM_WAITS')
  if (forms.signIn) facts.push('OTHER_SIGN_IN_FORM')
  if (forms.lone) facts.push('LONE_PASSWORD_FORM')
  if (forms.firstStep) facts.push('FIRST_STEP_FORM')
  if (forms.other) facts.push('OTHER_PASSWORD_FORM')
  if (!asksToSignIn(forms)) facts.push('FORM_GONE')
  const isUnasked = !asksToSignIn(forms) && !isNew && !hasAsked(attempt, report)
  if (isUnasked) facts.push(report.hasSocket ? 'ASKED_UNSEEN' : 'NOTHING_ASKED')
  // A message on a WebSocket may have arrived at any time since the form was submitted.
  const outlivedUnseen = isUnasked && report.hasSocket && attempt.waitedMs >= outlivesMs
  if (attempt.outlivedAnswer || outlivedUnseen) facts.push('FORM_OUTLIVED_ANSWER')
  return facts
}

function stepFacts(
  { secondStep, codeEntered }: PendingAttempt,
  isStep: boolean,
  forms: RelatedForms,
): LoginFact[] {
  if (isStep) return ['SECOND_STEP_ASKED']
  if (!secondStep || asksToSignIn(forms)) return []
  return [secondStep.needsCode && !codeEntered ? 'CODE_NOT_ENTERED' : 'SECOND_STEP_ANSWERED']
}

/** Facts that do not apply after the attempt's window closed. */
const passing: ReadonlySet<LoginFact> = new Set([
  'NOT_READY',
  'FORM_WAITS',
  'FORM_GONE',
  'NEW_LOOK',
  'STAYED_BRIEFLY',
  'STAYED',
])

/** Returns the facts of an attempt whose window was closed: the last ones seen, and the server responses. */
export function closedFacts(attempt: PendingAttempt): ReadonlySet<LoginFact> {
  const { answers, documents, documentPage, page } = attempt
  const facts = new Set<LoginFact>(attempt.facts.filter((fact) => !passing.has(fact)))
  facts.add('POPUP_CLOSED')
  if (answers.redirected) facts.add('REDIRECTED')
  if (answers.cookieSet) facts.add('COOKIE_SET')
  if (answers.accepted > 0) facts.add('REQUEST_ACCEPTED')
  else if (answers.refused > 0) facts.add('REQUEST_REFUSED')
  const isMoved = documents > 0 && documentPage !== page && !answers.isInPlace
  if (isMoved && !facts.has('ROUTE_CHANGED')) facts.add('MOVED_ON')
  return facts
}

/** Maximum time after the window closed for a change of the opener to count as its result. */
const openerMaximumMs = 5_000

/** Applies a report of the page that opened the attempt's window. */
export function observeOpener(attempt: PendingAttempt, { state, isQuiet, timeMs }: FrameReport): Observed {
  const { opener, closedMs } = attempt
  const facts = new Set<LoginFact>(closedFacts(attempt))
  const before = opener?.before ?? null
  const isNewDocument = closedMs !== null && state.documentMs > attempt.startedMs
  const isSoon =
    closedMs !== null && (isNewDocument ? state.documentMs : timeMs) - closedMs <= openerMaximumMs
  const isChanged =
    isNewDocument || (before !== null && (before.heading !== state.heading || isSignedIn(state, before)))
  if (isSoon && isChanged) facts.add('OPENER_CHANGED')
  if (isSignedIn(state, before)) facts.add('SIGN_OUT_SHOWN')
  else if (state.signInControl) facts.add(signInFacts[state.signInControl])
  if (!state.isReady || !isQuiet) facts.add('NOT_READY')
  const changed = facts.has('OPENER_CHANGED') ? [...attempt.facts, 'OPENER_CHANGED' as const] : attempt.facts
  return { attempt: { ...attempt, facts: [...new Set(changed)] }, facts }
}
