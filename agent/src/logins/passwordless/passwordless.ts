import type { AgentLoginType } from '@muster/contract/agent/agent-event'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { loginPageUrl } from '../../lib/login-url.ts'
import { authorizationAnswer } from '../federation/authorization-request.ts'
import type { NavigationStep } from '../federation/federation.ts'
import type { FormState, PageState } from '../login-messages.ts'

/** Passwordless login types, which only the agent protocol has. */
export type PasswordlessLoginType = Extract<AgentLoginType, 'PASSKEY_LOGIN' | 'ONE_TIME_LOGIN'>

/** Identity entered on a sign-in page without a password. */
export interface SignInStart {
  readonly tabId: number
  /** Address of that page in the form used in reports. */
  readonly url: string
  readonly identity: string
  readonly timeMs: number
}

/** Passwordless sign-in with an unknown outcome. */
export interface PendingSignIn {
  readonly loginType: PasswordlessLoginType
  readonly frameId: number
  /** Address of the frame at the start. */
  readonly pageUrl: string
  /** Sign-in page in the form used in reports. */
  readonly loginUrl: string
  readonly identity: string
  readonly startedMs: number
}

/** Maximum time for which a sent link or code is tracked. */
const startMaximumMs = 30 * 60_000
const startsMaximum = 20
const outcomeMaximumMs = 2 * 60_000
/** Minimum length of a one-time token. Most words and names in addresses are shorter. */
const tokenLengthMinimum = 16

const siteOf = (address: string): string | undefined => {
  const host = URL.parse(address)?.hostname
  return host ? registrableHost(host) : undefined
}

/** Adds a start. Keeps one per site and tab, and removes expired ones. */
export const withStart = (starts: readonly SignInStart[], start: SignInStart): readonly SignInStart[] =>
  [
    ...starts.filter(
      ({ tabId, url, timeMs }) =>
        start.timeMs - timeMs <= startMaximumMs &&
        !(tabId === start.tabId && siteOf(url) === siteOf(start.url)),
    ),
    start,
  ].slice(-startsMaximum)

/** Returns the latest start on the site of an address, in one tab or in any. */
export const startAt = (
  starts: readonly SignInStart[],
  address: string,
  timeMs: number,
  tabId?: number,
): SignInStart | undefined =>
  starts.findLast(
    (start) =>
      timeMs - start.timeMs <= startMaximumMs &&
      siteOf(start.url) === siteOf(address) &&
      (tabId === undefined || start.tabId === tabId),
  )

const isToken = (value: string): boolean => value.length >= tokenLengthMinimum && !/[\s/]/.test(value)

/** Returns true if an address contains a one-time token. */
function carriesToken(url: URL): boolean {
  const values = [...url.searchParams.values(), ...new URLSearchParams(url.hash.slice(1)).values()]
  const path = URL.parse(loginPageUrl(url.href) ?? '')?.pathname ?? ''
  return values.some(isToken) || (path.includes('*') && url.pathname.split('/').some(isToken))
}

/**
 * Returns the sign-in that an opened link continues: the link leads to a site where somebody started to sign in, comes
 * from elsewhere (a mail), and carries a token. A provider's response does not count.
 */
export function startOfLink(
  starts: readonly SignInStart[],
  navigation: NavigationStep,
): SignInStart | undefined {
  if (navigation.frameId !== 0 || navigation.method !== 'GET' || !carriesToken(navigation.url))
    return undefined
  if (navigation.from && siteOf(navigation.from.href) === siteOf(navigation.url.href)) return undefined
  if (navigation.from && authorizationAnswer(navigation.url, navigation.formNames) !== 'NONE')
    return undefined
  return startAt(starts, navigation.url.href, navigation.timeMs)
}

/** Report of a frame after a passwordless sign-in. */
export interface ShownAfter {
  readonly frameId: number
  readonly url: string
  readonly state: Pick<
    PageState,
    'forms' | 'code' | 'secondStep' | 'messages' | 'signInControl' | 'isReady' | 'documentMs'
  >
  readonly timeMs: number
}

const asksToSignIn = ({ hasPassword, purpose }: FormState) => hasPassword || purpose === 'FIRST_STEP'

/**
 * Judges a passwordless sign-in by what the page shows afterwards. It succeeded if another page, or another address in
 * the same document, asks for nothing and reports no failure. An unchanged page proves nothing.
 */
export function judgePasswordless(
  pending: PendingSignIn,
  { frameId, url, state, timeMs }: ShownAfter,
): 'PENDING' | 'SUCCEEDED' | 'FAILED' {
  if (timeMs - pending.startedMs > outcomeMaximumMs) return 'FAILED'
  if (frameId !== 0 && frameId !== pending.frameId) return 'PENDING'
  if (state.messages.some(({ kind }) => kind === 'REFUSED' || kind === 'LOCKED')) return 'FAILED'
  const isNew = state.documentMs > pending.startedMs
  const asks = state.forms.some(asksToSignIn) || state.code !== null
  if (asks) return isNew ? 'FAILED' : 'PENDING'
  if (state.secondStep !== null || state.signInControl !== null || !state.isReady) return 'PENDING'
  return isNew || (frameId === pending.frameId && url !== pending.pageUrl) ? 'SUCCEEDED' : 'PENDING'
}
