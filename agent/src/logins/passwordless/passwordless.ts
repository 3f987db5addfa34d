import type { AgentLoginType } from '@muster/contract/agent-event'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { loginPageUrl } from '../../lib/login-url.ts'
import { authorizationAnswer } from '../federation/authorization-request.ts'
import type { Hop } from '../federation/federation.ts'
import type { FormState, PageState } from '../login-messages.ts'

/** Ways to sign in without a password that only the agents' protocol names. */
export type PasswordlessWay = Extract<AgentLoginType, 'PASSKEY_LOGIN' | 'ONE_TIME_LOGIN'>

/** Somebody said who they are on a sign-in page, and gave no password there. */
export interface SignInStart {
  readonly tabId: number
  /** The page that asked: its address as reports carry it. */
  readonly url: string
  readonly identity: string
  readonly timeMs: number
}

/** A sign-in without a password whose outcome is not known yet. */
export interface PendingSignIn {
  readonly way: PasswordlessWay
  readonly frameId: number
  /** The address of the frame when it began. */
  readonly pageUrl: string
  /** The sign-in page, as reports carry it. */
  readonly loginUrl: string
  readonly identity: string
  readonly startedMs: number
}

/** For how long a link or code that was sent can be used, as far as it is followed. */
const startMaximumMs = 30 * 60_000
const startsMaximum = 20
const outcomeMaximumMs = 2 * 60_000
/** No one-time token is shorter; words and names in addresses mostly are. */
const tokenLengthMinimum = 16

const siteOf = (address: string): string | undefined => {
  const host = URL.parse(address)?.hostname
  return host ? registrableHost(host) : undefined
}

/** Adds a start; one for each site and tab, and none that is too old. */
export const withStart = (starts: readonly SignInStart[], start: SignInStart): readonly SignInStart[] =>
  [
    ...starts.filter(
      ({ tabId, url, timeMs }) =>
        start.timeMs - timeMs <= startMaximumMs &&
        !(tabId === start.tabId && siteOf(url) === siteOf(start.url)),
    ),
    start,
  ].slice(-startsMaximum)

/** Finds the latest start on the site of an address, in one tab or in any. */
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

/** Returns true for an address with a part that is used once. */
function carriesToken(url: URL): boolean {
  const values = [...url.searchParams.values(), ...new URLSearchParams(url.hash.slice(1)).values()]
  const path = URL.parse(loginPageUrl(url.href) ?? '')?.pathname ?? ''
  return values.some(isToken) || (path.includes('*') && url.pathname.split('/').some(isToken))
}

/**
 * Returns the sign-in that an opened link goes on with: the link leads to a site where somebody began to sign in, comes
 * from elsewhere (a mail), and carries a token. What a provider answers is no such link.
 */
export function startOfLink(starts: readonly SignInStart[], hop: Hop): SignInStart | undefined {
  if (hop.frameId !== 0 || hop.method !== 'GET' || !carriesToken(hop.url)) return undefined
  if (hop.from && siteOf(hop.from.href) === siteOf(hop.url.href)) return undefined
  if (hop.from && authorizationAnswer(hop.url, hop.formNames) !== 'NONE') return undefined
  return startAt(starts, hop.url.href, hop.timeMs)
}

/** Report of a frame after a sign-in without a password. */
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
 * Judges a sign-in without a password by what the page shows afterwards: another page, or another address in the same
 * document, that asks for nothing and reports no failure. A page that stays as it was proves nothing.
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
  if (state.secondStep !== null || state.signInControl || !state.isReady) return 'PENDING'
  return isNew || (frameId === pending.frameId && url !== pending.pageUrl) ? 'SUCCEEDED' : 'PENDING'
}
