import { shortHash } from '../lib/short-hash.ts'
import { fetchPart, withPart } from '../loader/fetch-part.ts'
import { frameWatch } from '../loader/frame-watch.ts'
import type { PasswordKit } from '../logins/observation-messages.ts'
import { ask, type PagePolicy } from '../messages.ts'
import { openPasswordReports } from '../threats/act-on-threat.ts'
import { chosenAccount } from './chosen-account.ts'
import { watchCodes } from './code-entry.ts'
import { deepTarget } from './deep-dom.ts'
import { onPageEvent } from './page-events.ts'
import { credentialsIn, identityNow, identityOnPage, pageFields } from './page-fields.ts'
import type { FieldReading } from './page-reading.ts'
import { listenToSubmits, type Press, pressOfClick, pressOfKey, pressOfSubmit } from './press.ts'
import { formIdentity } from './readers/form-identity.ts'
import { countRequests, type ScriptRequests } from './script-requests.ts'
import { trackSecretFields } from './secret-fields.ts'
import { watchSettled, whenParsed } from './settled.ts'
import { typingLog } from './typing-log.ts'

/** Maximum time between a click, Enter and the `submit` event of one attempt. */
const sameAttemptMs = 1_500
/** Time for which a document reports its state. */
const watchedMs = 10 * 60_000
/**
 * Times at which an unchanged page reports again: it may still wait for a response, and staying without a form is
 * evidence as well.
 */
const recheckTimesMs = [
  1_500, 3_000, 4_500, 6_000, 12_000, 13_500, 15_000, 18_000, 24_000, 28_000, 36_000, 50_000, 75_000, 100_000,
]

const noRequests = (): ScriptRequests => ({ count: 0, status: 0 })

const reading: FieldReading = { pageFields, identityNow, formIdentity }

/** Returns true if a user reaches a password form or enters part of a login, and may submit it within a moment. */
function mayAttempt(event: Event): boolean {
  const target = deepTarget(event)
  if (event.type === 'focusin' && navigator.userActivation?.hasBeenActive === false) return false
  if (!(target instanceof HTMLInputElement) && event.type !== 'focusin') return false
  return pageFields().some(({ element, kind }) =>
    kind === 'PASSWORD' || kind === 'NEW_PASSWORD'
      ? event.type === 'focusin' || element === target
      : element === target && (kind === 'IDENTITY' || kind === 'CODE' || kind === 'SHOWN_SECRET'),
  )
}

/**
 * Observes the logins of one frame. Reports submitted credentials to the background, and then the state of the page
 * until the background knows the outcome. A missing answer is not a failure: the service worker may have been stopped
 * after it handled the message, and the next message wakes it.
 *
 * @returns function to call with each policy, and whether it changed; events are observed from the start
 */
export function watchLogins(): (policy: PagePolicy, isChanged: boolean) => void {
  const typing = typingLog()
  let known: PagePolicy | undefined
  let kit: Promise<PasswordKit | null> | null = null
  let attempt: { readonly key: string; readonly timeMs: number } | null = null
  let requests = noRequests
  let stopWatching: (() => void) | null = null
  let lastIdentity = ''
  /** Hash of the identity that signs in; null while unknown. */
  let watchedIdentity: string | null = null
  let isTouched = false
  trackSecretFields()

  const fetchKit = () => {
    kit ??= ask('passwordKit', {}).then((fetched = null) => {
      if (!fetched) kit = null
      return fetched
    })
    return kit
  }
  const sendState = async (isLeft = false) => {
    const { count, status } = requests()
    const since = {
      isSameDocument: attempt !== null,
      isLeft,
      isTouched,
      identity: watchedIdentity,
      requests: count,
      requestStatus: status,
    }
    const state = await withPart('login', ({ pageState }) => pageState(reading, since))
    if (!state || (isLeft && state.signOut === null)) return
    const message = codes.isPasted() && state.code !== null ? { ...state, code: 'ENTERED' as const } : state
    if ((await ask('pageState', { state: message })) === false) stop()
  }
  const codes = watchCodes(() => {
    if (stopWatching) void sendState()
  })
  const stop = () => {
    stopWatching?.()
    stopWatching = null
  }
  /** The page after a form may be left before it settles. */
  const sendFinalState = () => {
    if (!attempt) void sendState(true)
  }
  const watch = () => {
    if (stopWatching) return
    isTouched = false
    const stopSettled = watchSettled(() => void sendState(), recheckTimesMs)
    window.addEventListener('beforeunload', sendFinalState)
    stopWatching = () => {
      stopSettled()
      window.removeEventListener('beforeunload', sendFinalState)
    }
    setTimeout(stop, watchedMs)
  }

  const sendIdentity = async (identity: string, isChosen: boolean, isAskedAlone = false) => {
    const key = `${identity} ${isAskedAlone}`
    if (key === lastIdentity) return
    lastIdentity = key
    const answer = await ask('identitySeen', { identity, isChosen, isAskedAlone })
    if (answer === undefined && lastIdentity === key) lastIdentity = ''
  }
  const onSubmit = async (press: Extract<Press, { kind: 'SUBMIT' }>) => {
    const credentials = credentialsIn(press.field, press.form)
    if (!credentials) return onStepSubmit()
    const { identity, passwordField, isNewPassword } = credentials
    const { value } = passwordField
    const manuallyTyped = typing.isTypedByHand(passwordField)
    const timeMs = performance.now()
    // Taken before any await: the next document may start before the background gets the message.
    const pressedMs = Date.now()
    const isActivated = navigator.userActivation?.hasBeenActive ?? true
    const reads = withPart('login', ({ readSubmittedForm }) => readSubmittedForm(reading, credentials))
    const requestsSince = countRequests(known?.registrableHost ?? location.hostname)
    const [judges, around] = await Promise.all([fetchKit(), reads])
    const password =
      judges && (await withPart('login', (part) => part.judgePassword(value, judges, manuallyTyped)))
    if (!password || !around) return
    const key = `${password.fingerprint} ${identity}`
    if (attempt?.key === key && timeMs - attempt.timeMs < sameAttemptMs) return
    // On a slow page, time passes between the click and the `submit` event.
    attempt = { key, timeMs: performance.now() }
    requests = requestsSince
    watchedIdentity = identity && shortHash(identity.toLowerCase())
    const threatReports = openPasswordReports()
    for (const threatReport of threatReports) threatReport.passwordEntered()
    const isToldOf = threatReports.some(({ verdict }) => verdict.threat === 'PROTECTED_PASSWORD_ENTERED')
    const message = { identity, password, isNewPassword, isActivated, isToldOf, pressedMs, ...around }
    const noted = await ask('loginAttempt', { attempt: message })
    if (noted !== false) watch()
  }
  /** Handles a login step without a password: an identity or a code. */
  const onStepSubmit = async () => {
    const identity = identityOnPage()
    // The page may be left before the part is loaded, so report at least the identity.
    if (identity && !frameWatch().parts.login) void sendIdentity(identity, false)
    const step = await withPart('login', ({ readSubmittedStep }) => readSubmittedStep(reading))
    if (identity) void sendIdentity(identity, false, step?.isAskedAlone)
    if (step?.isCodeEntered && !attempt) void ask('codeHandedIn', {})
    if (stopWatching) void sendState()
  }
  const onPress = (press: Press) => {
    if (!known?.active) return
    if (press.kind === 'SUBMIT') void onSubmit(press)
    if (press.kind === 'LINK' && attempt && requests().count === 0) void ask('withdrawAttempt', {})
  }
  const recordTouch = (event: Event) => {
    isTouched ||= event.isTrusted
  }

  // Load the part before the form is submitted: the page may be left immediately.
  for (const kind of ['focusin', 'keydown', 'input'] as const)
    onPageEvent(kind, (event) => {
      if (known?.active && !frameWatch().parts.login && mayAttempt(event)) void fetchPart('login')
    })
  listenToSubmits((event) => onPress(pressOfSubmit(event)))
  onPageEvent('keydown', (event) => {
    recordTouch(event)
    onPress(pressOfKey(event))
  })
  onPageEvent('click', (event) => {
    recordTouch(event)
    onPress(pressOfClick(event))
    const account = known?.active && known.product?.isIdentityProvider ? chosenAccount(event) : null
    if (account) void sendIdentity(account, true)
  })
  return (policy, isChanged) => {
    known = policy
    if (isChanged) kit = null
    if (!policy.active) return
    window.addEventListener('focusin', () => void fetchKit(), { capture: true, once: true })
    whenParsed(() => {
      if (pageFields().some(({ kind }) => kind === 'PASSWORD')) void fetchKit()
    })
    void ask('loginWatch', {}).then((answer) => {
      watchedIdentity ??= answer?.identity ?? null
      if (answer?.isWatched !== false) watch()
    })
  }
}
