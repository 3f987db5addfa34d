import { ask, type PagePolicy } from '../messages.ts'
import { storiesOfPasswords } from '../threats/act-on-threat.ts'
import { chosenAccount } from './chosen-account.ts'
import { judgePassword, type ReadyKit, readyKit } from './judge-password.ts'
import { onPageEvent } from './page-events.ts'
import { credentialsIn, identityOnPage, pageFields } from './page-fields.ts'
import { pageState } from './page-state.ts'
import { listenToSubmits, type Press, pressOfClick, pressOfKey, pressOfSubmit } from './press.ts'
import { countRequests, type ScriptRequests } from './script-requests.ts'
import { noteSecretFields } from './secret-fields.ts'
import { watchSettled, whenParsed } from './settled.ts'
import { typingLog } from './typing-log.ts'

/** A click, Enter and the form's own event come within this for one and the same attempt. */
const sameAttemptMs = 1_500
/** For how long a document tells how it looks. */
const watchedMs = 10 * 60_000

/** A page that stays as it is may still be waiting for an answer: it is told of again. */
const repeatMs = 2_000
const repeatsMaximum = 5

const noRequests = (): ScriptRequests => ({ count: 0, status: 0 })

/**
 * Observes the logins of one frame: tells the background when credentials are handed in, and afterwards how
 * the page looks, until it says that it knows the outcome. That the background gives no answer says nothing: the browser may
 * have ended it after it had noted what it was told, and what is told next wakes it.
 *
 * @returns to be told the policy, whenever there is one, and whether it is another one; events are followed from the start
 */
export function watchLogins(): (policy: PagePolicy, isAnother: boolean) => void {
  const typing = typingLog()
  let known: PagePolicy | undefined
  let kit: Promise<ReadyKit | null> | null = null
  let attempt: { readonly key: string; readonly timeMs: number } | null = null
  let requests = noRequests
  let stopWatching: (() => void) | null = null
  let lastIdentity = ''
  let repeat: ReturnType<typeof setTimeout> | undefined
  noteSecretFields()

  const fetchKit = () => {
    kit ??= ask('passwordKit', {}).then((fetched) => {
      if (!fetched) kit = null
      return fetched ? readyKit(fetched) : null
    })
    return kit
  }
  const tellState = async (repeats = repeatsMaximum) => {
    clearTimeout(repeat)
    const { count, status } = requests()
    const state = pageState({ isSameDocument: attempt !== null, requests: count, requestStatus: status })
    if ((await ask('pageState', { state })) === false) stop()
    else if (repeats > 0) repeat = setTimeout(() => void tellState(repeats - 1), repeatMs)
  }
  const stop = () => {
    clearTimeout(repeat)
    stopWatching?.()
    stopWatching = null
  }
  const watch = () => {
    if (stopWatching) return
    stopWatching = watchSettled(() => void tellState())
    setTimeout(stop, watchedMs)
  }

  const tellIdentity = async (identity: string, isChosen: boolean) => {
    if (identity === lastIdentity) return
    lastIdentity = identity
    const answer = await ask('identitySeen', { identity, isChosen })
    if (answer === undefined && lastIdentity === identity) lastIdentity = ''
  }
  const handIn = async (press: Extract<Press, { kind: 'HAND_IN' }>) => {
    const credentials = credentialsIn(press.field, press.form)
    if (!credentials) return handInStep()
    const { identity, passwordField, isNewPassword } = credentials
    const { value } = passwordField
    const manuallyTyped = typing.isTypedByHand(passwordField)
    const timeMs = performance.now()
    // Before anything is waited for: the next document may begin before the background has heard of this.
    const pressedMs = Date.now()
    const isActivated = navigator.userActivation?.hasBeenActive ?? true
    const requestsSince = countRequests(known?.registrableHost ?? location.hostname)
    const ready = await fetchKit()
    const password = ready && judgePassword(value, ready, manuallyTyped)
    if (!password) return
    const key = `${password.fingerprint} ${identity}`
    if (attempt?.key === key && timeMs - attempt.timeMs < sameAttemptMs) return
    attempt = { key, timeMs }
    requests = requestsSince
    const stories = storiesOfPasswords()
    for (const story of stories) story.passwordEntered()
    const isToldOf = stories.some(({ verdict }) => verdict.threat === 'PROTECTED_PASSWORD_ENTERED')
    const told = { identity, password, isNewPassword, isActivated, isToldOf, pressedMs }
    const noted = await ask('loginAttempt', { attempt: told })
    if (noted !== false) watch()
  }
  /** A step of a login without a password: who somebody is, or a code. */
  const handInStep = () => {
    const identity = identityOnPage()
    if (identity) void tellIdentity(identity, false)
    if (stopWatching) void tellState()
  }
  const act = (press: Press) => {
    if (!known?.active) return
    if (press.kind === 'HAND_IN') void handIn(press)
    if (press.kind === 'LINK' && attempt && requests().count === 0) void ask('withdrawAttempt', {})
  }

  listenToSubmits((event) => act(pressOfSubmit(event)))
  onPageEvent('keydown', (event) => act(pressOfKey(event)))
  onPageEvent('click', (event) => {
    act(pressOfClick(event))
    const account = known?.active && known.product?.isIdentityProvider ? chosenAccount(event) : null
    if (account) void tellIdentity(account, true)
  })
  onPageEvent('input', (event) => {
    if (event.isTrusted && stopWatching && pageFields().some(({ kind }) => kind === 'CODE')) void tellState()
  })
  return (policy, isAnother) => {
    known = policy
    if (isAnother) kit = null
    if (!policy.active) return
    window.addEventListener('focusin', () => void fetchKit(), { capture: true, once: true })
    whenParsed(() => {
      if (pageFields().some(({ kind }) => kind === 'PASSWORD')) void fetchKit()
    })
    void ask('loginWatch', {}).then((isWatched) => isWatched !== false && watch())
  }
}
