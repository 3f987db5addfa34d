import type { LoginType } from '@muster/contract/agent-event'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { loginPageUrl } from '../../lib/login-url.ts'
import {
  type AuthorizationRequest,
  authorizationAnswer,
  authorizationRequest,
  isSamlAnswer,
} from './authorization-request.ts'
import { sharesSignIn, vendorOf } from './login-vendors.ts'

/** A sign-in elsewhere that a tab is in the middle of. */
export interface Flow {
  readonly protocol: AuthorizationRequest['protocol']
  /** The frame that shows it; 0 for the page of the tab. */
  readonly frameId: number
  /** The provider, by its catalog token. */
  readonly provider: string
  /** The host that was asked. */
  readonly providerHost: string
  /** Page of the app that asked: origin and path. */
  readonly appUrl: string
  /** Address to which the answer goes, origin and path; null if only the answer itself tells. */
  readonly returnUrl: string | null
  /** Whether the answer goes to a script in another window, where it cannot be seen. */
  readonly answersScript: boolean
  readonly startedMs: number
  /** The identity that was seen at the provider in this flow; null so far. */
  readonly identity: string | null
  /** Whom the app asked for; null if nobody. Any page can ask for anybody, and the provider need not heed it. */
  readonly hint: string | null
  /** Whether the provider took the identity: its password was right, or it was chosen from those signed in. */
  readonly isProven: boolean
  /** For a provider that asks others (a broker): whom it asked. */
  readonly askedProvider: string | null
}

/** The flows of a tab; the one begun last is last, and is answered first. */
export type TabFlows = readonly Flow[]

/** A page load of a tab or of a frame in it, or one hop of its redirects. */
export interface Hop {
  readonly frameId: number
  readonly url: URL
  /** The hop before in a chain of redirects, or the page that asked; null if the employee typed the address. */
  readonly from: URL | null
  readonly method: string
  /** Names, never values, of the members of a posted form. */
  readonly formNames: readonly string[]
  readonly timeMs: number
}

/** A sign-in by a provider that was answered with a proof. */
export interface FederatedLogin {
  readonly loginUrl: string
  readonly loginType: LoginType
  readonly provider: string
  /** The identity seen at the provider in this flow; null if it did not have to ask. */
  readonly identity: string | null
  /** Whom the app asked for; null if nobody. */
  readonly hint: string | null
}

/** What is known of hosts, from the catalog. */
export interface HostFacts {
  providerByHost(host: string): string | undefined
  appTypeByHost(host: string): string | undefined
}

export interface FlowStep {
  readonly flows: TabFlows
  readonly logins: readonly FederatedLogin[]
}

const flowMaximumMs = 15 * 60_000
const flowsMaximum = 5
const flowsOfTabMaximum = 20

/** Providers that only pass on: an account there is no account of the employee. */
const brokers = new Set(['AUTH0'])

const pageOf = (url: URL) => `${url.origin}${url.pathname}`
const loginUrlOf = (url: URL) => loginPageUrl(url.href) ?? pageOf(url)
const samePage = (a: string, b: string) => a.replace(/\/$/, '') === b.replace(/\/$/, '')

/** Moves the flows of a tab on by one hop. What one frame shows says nothing of the others. */
export function step(flows: TabFlows, hop: Hop, hosts: HostFacts): FlowStep {
  const live = flows.filter(({ startedMs }) => hop.timeMs - startedMs <= flowMaximumMs)
  const others = live.filter(({ frameId }) => frameId !== hop.frameId)
  const own = live.filter(({ frameId }) => frameId === hop.frameId)
  const next = stepOfFrame(own, hop, hosts)
  return { ...next, flows: [...others, ...next.flows].slice(-flowsOfTabMaximum) }
}

function stepOfFrame(live: TabFlows, hop: Hop, hosts: HostFacts): FlowStep {
  const answered = findAnswered(live, hop, hosts)
  if (answered) return answer(live, answered, hop, hosts)
  const unasked = unaskedLogin(hop, hosts)
  if (unasked) return { flows: live, logins: [unasked] }
  return { flows: begin(live, hop, hosts), logins: [] }
}

/** Only what comes from a page of the provider is its answer: any page can make up a code, or post a form. */
function isAnswerTo(flow: Flow, hop: Hop, hosts: HostFacts): boolean {
  if (hop.from === null || !speaksFor(flow, hop.from.hostname, hosts)) return false
  if (flow.protocol === 'SAML' && isSamlAnswer(hop.formNames)) return true
  const answer = authorizationAnswer(hop.url, hop.formNames)
  if (flow.returnUrl === null) return flow.protocol === 'OIDC' && answer !== 'NONE' && isOfApp(flow, hop.url)
  if (!samePage(flow.returnUrl, pageOf(hop.url))) return false
  if (answer !== 'NONE') return true
  // A proof in the fragment, or one that stays between the vendor's servers, cannot be seen on the way.
  return hosts.providerByHost(hop.from.hostname) === flow.provider
}

/** The site of the app that asked, where the request does not say to which page the answer goes. */
const isOfApp = (flow: Flow, { hostname }: URL): boolean =>
  hostname !== flow.providerHost &&
  registrableHost(hostname) === registrableHost(new URL(flow.appUrl).hostname)

/**
 * A provider may hand over between hosts of its own, as where customers have theirs, or countries. The app never speaks
 * for it, also where both are on one domain of the organization.
 */
const speaksFor = (flow: Flow, host: string, hosts: HostFacts): boolean =>
  hosts.providerByHost(host) === flow.provider ||
  (sharesSignIn(host, flow.providerHost) && host !== new URL(flow.appUrl).hostname)

const findAnswered = (flows: TabFlows, hop: Hop, hosts: HostFacts): Flow | undefined =>
  flows.findLast((flow) => isAnswerTo(flow, hop, hosts))

function answer(flows: TabFlows, flow: Flow, hop: Hop, hosts: HostFacts): FlowStep {
  const outer = flows.slice(0, flows.indexOf(flow))
  if (authorizationAnswer(hop.url, hop.formNames) === 'REFUSAL') return { flows: outer, logins: [] }
  const asking = outer.at(-1)
  const isBroker = asking !== undefined && brokers.has(asking.provider)
  const passedOn = asking
    ? outer.with(-1, {
        ...asking,
        askedProvider: isBroker ? flow.provider : asking.askedProvider,
        identity: isBroker ? (flow.identity ?? asking.identity) : asking.identity,
        hint: isBroker ? (flow.hint ?? asking.hint) : asking.hint,
      })
    : outer
  const login = loginOf(flow, appPage(flow, hop, hosts), hosts)
  return { flows: passedOn, logins: login ? [login] : [] }
}

/** The page that asked, unless that is the provider's own (a dashboard): then the page that was answered. */
function appPage(flow: Flow, hop: Hop, hosts: HostFacts): URL {
  const asked = new URL(flow.appUrl)
  return hosts.providerByHost(asked.hostname) === flow.provider ? hop.url : asked
}

function loginOf(flow: Flow, app: URL, hosts: HostFacts): FederatedLogin | undefined {
  const provider = flow.askedProvider ?? flow.provider
  const appType = hosts.appTypeByHost(app.hostname)
  if (appType !== undefined && (appType === provider || brokers.has(appType))) return undefined
  const vendor = vendorOf(app.hostname)
  const isVendors = flow.protocol === 'VENDOR' || (vendor !== undefined && vendor === providerVendor(flow))
  const loginType = isVendors ? 'VENDOR_SSO_LOGIN' : flow.protocol === 'SAML' ? 'SAML_LOGIN' : 'OIDC_LOGIN'
  return { loginUrl: loginUrlOf(app), loginType, provider, identity: flow.identity, hint: flow.hint }
}

const vendorOfProvider: Readonly<Record<string, string>> = {
  AMAZON: 'AMAZON',
  AWS_IAM_IDENTITY_CENTER: 'AMAZON',
  APPLE: 'APPLE',
  ATLASSIAN: 'ATLASSIAN',
  FACEBOOK: 'META',
  GOOGLE_WORKSPACE: 'GOOGLE',
  MICROSOFT_365: 'MICROSOFT',
  SALESFORCE: 'SALESFORCE',
}
const providerVendor = (flow: Flow) => vendorOfProvider[flow.askedProvider ?? flow.provider]

/** A SAML answer that nobody asked for: the app was opened from the provider's dashboard. */
function unaskedLogin(hop: Hop, hosts: HostFacts): FederatedLogin | undefined {
  const provider = hop.from ? hosts.providerByHost(hop.from.hostname) : undefined
  if (provider === undefined || hop.method !== 'POST' || !isSamlAnswer(hop.formNames)) return undefined
  if (hosts.providerByHost(hop.url.hostname) === provider) return undefined
  if (authorizationAnswer(hop.url, hop.formNames) !== 'PROOF') return undefined
  return { loginUrl: loginUrlOf(hop.url), loginType: 'SAML_LOGIN', provider, identity: null, hint: null }
}

function begin(flows: TabFlows, hop: Hop, hosts: HostFacts): TabFlows {
  const provider = hosts.providerByHost(hop.url.hostname)
  if (provider === undefined) return flows
  const request = authorizationRequest(hop.url, hop.formNames)
  if (!request) return flows
  const asking = hop.from && hosts.providerByHost(hop.from.hostname) !== provider ? hop.from : null
  const current = flows.at(-1)
  // The provider's own pages pass the request on among themselves.
  if (!asking && current?.provider === provider) {
    return flows.with(-1, { ...current, hint: request.loginHint ?? current.hint })
  }
  const app = asking ?? request.returnUrl ?? hop.from
  if (!app || !isSignInElsewhere(request, app, hop.url)) return flows
  const flow: Flow = {
    protocol: request.protocol,
    frameId: hop.frameId,
    provider,
    providerHost: hop.url.hostname,
    appUrl: pageOf(app),
    returnUrl: request.returnUrl ? pageOf(request.returnUrl) : null,
    answersScript: request.answersScript,
    startedMs: hop.timeMs,
    identity: null,
    hint: request.loginHint,
    isProven: false,
    askedProvider: null,
  }
  return [
    ...flows.filter((other) => other.provider !== provider || other.appUrl !== flow.appUrl),
    flow,
  ].slice(-flowsMaximum)
}

/** A page to go on to is a sign-in elsewhere only among the hosts of one vendor. */
function isSignInElsewhere(request: AuthorizationRequest, app: URL, provider: URL): boolean {
  if (request.protocol !== 'VENDOR') return true
  const vendor = vendorOf(provider.hostname)
  return vendor !== undefined && vendorOf(app.hostname) === vendor && app.hostname !== provider.hostname
}

/** Notes who signs in at the provider whose page the tab shows; null where only the proof changes. */
export function withIdentity(
  flows: TabFlows,
  provider: string,
  seen: { readonly identity: string | null; readonly isProven: boolean },
): TabFlows {
  const index = flows.findLastIndex((flow) => flow.provider === provider)
  const flow = flows[index]
  if (!flow) return flows
  return flows.with(index, { ...flow, identity: seen.identity ?? flow.identity, isProven: seen.isProven })
}

/**
 * The sign-in that a window was opened for and that ended with it: the answer went to the script that had
 * opened it, which cannot be seen; that the provider took somebody's word for who they are, can. Where an answer would
 * have been seen and was not, the window was closed before there was one.
 */
export function closedWindowLogin(flows: TabFlows, hosts: HostFacts): FederatedLogin | undefined {
  const flow = flows.findLast(({ frameId }) => frameId === 0)
  if (!flow?.answersScript || !flow.isProven) return undefined
  return loginOf(flow, new URL(flow.appUrl), hosts)
}
