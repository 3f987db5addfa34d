import { browser } from 'wxt/browser'
import { loginPageUrl } from '../../lib/login-url.ts'
import type { Notice } from '../../messages.ts'
import { type SessionValue, sessionValue, taskQueue } from '../../state/session-value.ts'
import type { FromFrame } from '../attempts/track-attempts.ts'
import type { NavigationStep } from '../federation/federation.ts'
import type { LoginDeps } from '../login-deps.ts'
import type { PageState } from '../login-messages.ts'
import { providerIdentities, readTab } from '../tab-logins.ts'
import { reportVisit } from '../visits.ts'
import {
  judgePasswordless,
  type PasswordlessLoginType,
  type PendingSignIn,
  type SignInStart,
  startAt,
  startOfLink,
  withStart,
} from './passwordless.ts'

type Pending = Readonly<Record<string, PendingSignIn>>

const starts: SessionValue<readonly SignInStart[]> = sessionValue('logins.starts', [])
const pendingByTab: SessionValue<Pending> = sessionValue('logins.passwordless', {})
/** Hosts that ask for HTTP authentication in a browser dialog, by tab. */
const askedByTab: SessionValue<Readonly<Record<string, string>>> = sessionValue('logins.asked', {})
const enqueue = taskQueue()

/** Maximum age of an identity from an earlier page. */
const hintMaximumMs = 10 * 60_000

const change = <T>(value: SessionValue<T>, next: (now: T) => T) =>
  enqueue(async () => value.write(next(await value.read())))

/** Sets an entry of a table, or removes it if the value is undefined. */
const entry =
  <T>(tabId: number, value: T | undefined) =>
  (table: Readonly<Record<string, T>>): Readonly<Record<string, T>> => {
    if (value === undefined && !(tabId in table)) return table
    const { [tabId]: _, ...others } = table
    return value === undefined ? others : { ...others, [tabId]: value }
  }

const setPending = (tabId: number, pending: PendingSignIn | undefined) =>
  change(pendingByTab, entry(tabId, pending))

/** Stores that somebody entered their identity on a page that asks for nothing else. */
export async function onSignInStart({ tabId, url }: FromFrame, identity: string): Promise<void> {
  const page = loginPageUrl(url)
  if (page) await change(starts, (now) => withStart(now, { tabId, url: page, identity, timeMs: Date.now() }))
}

async function begin(
  from: FromFrame,
  loginType: PasswordlessLoginType,
  identity: string,
  loginUrl: string,
): Promise<void> {
  const { tabId, frameId, url } = from
  await setPending(tabId, { loginType, frameId, pageUrl: url, loginUrl, identity, startedMs: Date.now() })
}

/** Asks the frames of a tab to report their state. */
async function notifyFrames(tabId: number): Promise<void> {
  const notice: Notice = { notice: 'LOGIN_PENDING' }
  await browser.tabs.sendMessage(tabId, notice).catch(() => undefined)
}

/**
 * Handles a passkey used outside a password login. The site counts as a used app, because the authenticator has a
 * credential for it. The account is known only if the identity was entered before.
 */
export async function onStandalonePasskey(deps: LoginDeps, from: FromFrame): Promise<void> {
  const loginUrl = loginPageUrl(from.url)
  if (!loginUrl) return
  await reportVisit(deps, new URL(loginUrl).hostname)
  const { hint } = await readTab(from.tabId)
  const timeMs = Date.now()
  const hinted = hint && timeMs - hint.timeMs <= hintMaximumMs ? hint.identity : undefined
  const identity = startAt(await starts.read(), from.url, timeMs, from.tabId)?.identity ?? hinted
  if (identity === undefined) return
  await begin(from, 'PASSKEY_LOGIN', identity, loginUrl)
  await notifyFrames(from.tabId)
}

/** Handles a code submitted on a page without a password. It was sent to whoever started to sign in there. */
export async function onCodeSubmitted(from: FromFrame): Promise<boolean> {
  const start = startAt(await starts.read(), from.url, Date.now(), from.tabId)
  if (!start || (await readTab(from.tabId)).attempt) return false
  await begin(from, 'ONE_TIME_LOGIN', start.identity, start.url)
  await notifyFrames(from.tabId)
  return true
}

/** Handles a page opened in a tab, which may come from a link sent to whoever started to sign in there. */
export async function onLinkOpened(tabId: number, navigation: NavigationStep): Promise<void> {
  const { attempt, flows } = await readTab(tabId)
  if (attempt || flows.length > 0) return
  const start = startOfLink(await starts.read(), navigation)
  if (start)
    await begin({ tabId, frameId: 0, url: navigation.url.href }, 'ONE_TIME_LOGIN', start.identity, start.url)
}

export const isPasswordlessPending = async (tabId: number): Promise<boolean> =>
  (await pendingByTab.read())[tabId] !== undefined

/**
 * Handles the state that a frame reports while no password login is pending.
 *
 * @returns true if the frame should report further changes
 */
export async function onPasswordlessState(
  deps: LoginDeps,
  from: FromFrame,
  state: PageState,
): Promise<boolean> {
  const pending = (await pendingByTab.read())[from.tabId]
  if (!pending) return false
  const { frameId, url } = from
  const outcome = judgePasswordless(pending, { frameId, url, state, timeMs: Date.now() })
  if (outcome === 'PENDING') return true
  await setPending(from.tabId, undefined)
  if (outcome === 'SUCCEEDED') await complete(deps, pending)
  return false
}

async function complete(deps: LoginDeps, { loginType, identity, loginUrl }: PendingSignIn): Promise<void> {
  const { hostname } = new URL(loginUrl)
  const provider = (await deps.catalog()).providerByHost(hostname)
  if (provider) await providerIdentities.change((known) => ({ ...known, [provider]: identity }))
  // Older servers reject these login types; the visit still records the app.
  await reportVisit(deps, hostname)
  await deps.report({
    kind: 'LOGIN',
    loginUrl,
    email: identity,
    loginType,
    identityProvider: null,
    password: null,
    mfa: loginType === 'PASSKEY_LOGIN' ? { method: 'WEBAUTHN' } : null,
  })
}

/** Handles an HTTP authentication request of a page's server. */
export async function onAuthRequired(tabId: number, url: string): Promise<void> {
  const host = URL.parse(url)?.hostname
  if (tabId >= 0 && host) await change(askedByTab, entry(tabId, host))
}

/** Handles the response status of a page, which may be the outcome of HTTP authentication or of a link. */
export async function onPasswordlessAnswer(
  deps: LoginDeps,
  { tabId, url, statusCode }: { readonly tabId: number; readonly url: string; readonly statusCode: number },
): Promise<void> {
  const asked = (await askedByTab.read())[tabId]
  if (asked !== undefined) {
    await change(askedByTab, entry<string>(tabId, undefined))
    // The user name is not read, so only the visit is reported.
    if (statusCode < 400 && URL.parse(url)?.hostname === asked) await reportVisit(deps, asked)
  }
  if (statusCode >= 400) await setPending(tabId, undefined)
}

/**
 * Removes the pending sign-in of a closed tab. Sign-in starts are kept, because a link may continue them in another
 * tab.
 */
export async function forgetPasswordless(tabId: number): Promise<void> {
  await setPending(tabId, undefined)
  await change(askedByTab, entry<string>(tabId, undefined))
}
