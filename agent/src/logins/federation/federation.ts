import type { LoginType } from '@muster/contract/agent/agent-event'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { loginPageUrl } from '../../lib/login-url.ts'
import {
  type AuthorizationRequest,
  authorizationAnswer,
  authorizationRequest,
  isSamlAnswer,
} from './authorization-request.ts'
import { sharesSignIn, vendorOf } from './login-vendors.ts'

/** Sign-in with an identity provider that is in progress in a tab. */
export interface Flow {
  readonly protocol: AuthorizationRequest['protocol']
  /** Frame that shows it; 0 for the main frame. */
  readonly frameId: number
  /** Catalog token of the provider. */
  readonly provider: string
  /** Provider host that received the request. */
  readonly providerHost: string
  /** Page of the app that sent the request: origin and path. */
  readonly appUrl: string
  /** Address that receives the response, origin and path; null if only the response itself shows it. */
  readonly returnUrl: string | null
  /** True if the response goes to a script in another window, where it cannot be observed. */
  readonly answersScript: boolean
  readonly startedMs: number
  /** Identity seen at the provider in this flow; null if none so far. */
  readonly identity: string | null
  /** Identity that the app asked for; null if none. Any page can name any identity, and the provider may ignore it. */
  readonly hint: string | null
  /**
   * True if the provider accepted the identity: its password was correct, or it was chosen from the signed-in accounts.
   */
  readonly isProven: boolean
  /** For a broker, which asks another provider in turn: that provider. */
  readonly askedProvider: string | null
}

/** Flows of a tab, oldest first. A response is matched to the newest one first. */
export type TabFlows = readonly Flow[]

/** Page load of a tab or a frame, or one redirect of it. */
export interface NavigationStep {
  readonly frameId: number
  readonly url: URL
  /** Previous address of a redirect chain, or the requesting page; null if the employee typed the address. */
  readonly from: URL | null
  readonly method: string
  /** Names, never values, of the fields of a posted form. */
  readonly formNames: readonly string[]
  readonly timeMs: number
}

/** Sign-in with an identity provider that ended with a proof. */
export interface FederatedLogin {
  readonly loginUrl: string
  readonly loginType: LoginType
  readonly provider: string
  /** Identity seen at the provider in this flow; null if the provider did not have to ask. */
  readonly identity: string | null
  /** Identity that the app asked for; null if none. */
  readonly hint: string | null
}

/** Facts about hosts, from the catalog. */
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

/** Providers that only pass sign-ins on: an account there is no account of the employee. */
const brokers = new Set(['AUTH0'])

const pageOf = (url: URL) => `${url.origin}${url.pathname}`
const loginUrlOf = (url: URL) => loginPageUrl(url.href) ?? pageOf(url)
const samePage = (a: string, b: string) => a.replace(/\/$/, '') === b.replace(/\/$/, '')

/** Updates the flows of a tab for one navigation. Only the flows of its frame change. */
export function advanceFlows(flows: TabFlows, navigation: NavigationStep, hosts: HostFacts): FlowStep {
  const live = flows.filter(({ startedMs }) => navigation.timeMs - startedMs <= flowMaximumMs)
  const others = live.filter(({ frameId }) => frameId !== navigation.frameId)
  const own = live.filter(({ frameId }) => frameId === navigation.frameId)
  const next = advanceFrame(own, navigation, hosts)
  return { ...next, flows: [...others, ...next.flows].slice(-flowsOfTabMaximum) }
}

function advanceFrame(live: TabFlows, navigation: NavigationStep, hosts: HostFacts): FlowStep {
  const answered = findAnswered(live, navigation, hosts)
  if (answered) return completeFlow(live, answered, navigation, hosts)
  const unasked = idpInitiatedLogin(navigation, hosts)
  if (unasked) return { flows: live, logins: [unasked] }
  return { flows: startFlow(live, navigation, hosts), logins: [] }
}

/**
 * Returns true if a navigation is the response to a flow. It must come from a page of the provider, because any page can
 * make up a code or post a form.
 */
function isAnswerTo(flow: Flow, navigation: NavigationStep, hosts: HostFacts): boolean {
  if (navigation.from === null || !isProviderHost(flow, navigation.from.hostname, hosts)) return false
  if (flow.protocol === 'SAML' && isSamlAnswer(navigation.formNames)) return true
  const answer = authorizationAnswer(navigation.url, navigation.formNames)
  if (flow.returnUrl === null)
    return flow.protocol === 'OIDC' && answer !== 'NONE' && isAppSite(flow, navigation.url)
  if (!samePage(flow.returnUrl, pageOf(navigation.url))) return false
  if (answer !== 'NONE') return true
  // A proof in the fragment, or one that stays between the vendor's servers, is not visible in the request.
  return hosts.providerByHost(navigation.from.hostname) === flow.provider
}

/** Returns true for the site of the requesting app. Used when the request does not contain the response address. */
const isAppSite = (flow: Flow, { hostname }: URL): boolean =>
  hostname !== flow.providerHost &&
  registrableHost(hostname) === registrableHost(new URL(flow.appUrl).hostname)

/**
 * Returns true if a host belongs to the flow's provider. A provider may redirect between its own hosts, for example per
 * customer or country. The app's host never counts, even if both share a domain of the organization.
 */
const isProviderHost = (flow: Flow, host: string, hosts: HostFacts): boolean =>
  hosts.providerByHost(host) === flow.provider ||
  (sharesSignIn(host, flow.providerHost) && host !== new URL(flow.appUrl).hostname)

const findAnswered = (flows: TabFlows, navigation: NavigationStep, hosts: HostFacts): Flow | undefined =>
  flows.findLast((flow) => isAnswerTo(flow, navigation, hosts))

function completeFlow(flows: TabFlows, flow: Flow, navigation: NavigationStep, hosts: HostFacts): FlowStep {
  const outer = flows.slice(0, flows.indexOf(flow))
  if (authorizationAnswer(navigation.url, navigation.formNames) === 'REFUSAL')
    return { flows: outer, logins: [] }
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
  const login = loginOf(flow, appPage(flow, navigation, hosts), hosts)
  return { flows: passedOn, logins: login ? [login] : [] }
}

/**
 * Returns the page of the app: the requesting page, or the page that received the response if the request came from the
 * provider's own dashboard.
 */
function appPage(flow: Flow, navigation: NavigationStep, hosts: HostFacts): URL {
  const asked = new URL(flow.appUrl)
  return hosts.providerByHost(asked.hostname) === flow.provider ? navigation.url : asked
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

/** Returns the login of a SAML response without a request: the app was opened from the provider's dashboard. */
function idpInitiatedLogin(navigation: NavigationStep, hosts: HostFacts): FederatedLogin | undefined {
  const provider = navigation.from ? hosts.providerByHost(navigation.from.hostname) : undefined
  if (provider === undefined || navigation.method !== 'POST' || !isSamlAnswer(navigation.formNames))
    return undefined
  if (hosts.providerByHost(navigation.url.hostname) === provider) return undefined
  if (authorizationAnswer(navigation.url, navigation.formNames) !== 'PROOF') return undefined
  return {
    loginUrl: loginUrlOf(navigation.url),
    loginType: 'SAML_LOGIN',
    provider,
    identity: null,
    hint: null,
  }
}

function startFlow(flows: TabFlows, navigation: NavigationStep, hosts: HostFacts): TabFlows {
  const provider = hosts.providerByHost(navigation.url.hostname)
  if (provider === undefined) return flows
  const request = authorizationRequest(navigation.url, navigation.formNames)
  if (!request) return flows
  const asking =
    navigation.from && hosts.providerByHost(navigation.from.hostname) !== provider ? navigation.from : null
  const current = flows.at(-1)
  // The provider's own pages forward the request among themselves.
  if (!asking && current?.provider === provider) {
    return flows.with(-1, { ...current, hint: request.loginHint ?? current.hint })
  }
  const app = asking ?? request.returnUrl ?? navigation.from
  if (!app || !isSignInElsewhere(request, app, navigation.url)) return flows
  const flow: Flow = {
    protocol: request.protocol,
    frameId: navigation.frameId,
    provider,
    providerHost: navigation.url.hostname,
    appUrl: pageOf(app),
    returnUrl: request.returnUrl ? pageOf(request.returnUrl) : null,
    answersScript: request.answersScript,
    startedMs: navigation.timeMs,
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

/**
 * Returns true if a request signs the user in elsewhere. A plain `continue` address counts only between hosts of one
 * vendor.
 */
function isSignInElsewhere(request: AuthorizationRequest, app: URL, provider: URL): boolean {
  if (request.protocol !== 'VENDOR') return true
  const vendor = vendorOf(provider.hostname)
  return vendor !== undefined && vendorOf(app.hostname) === vendor && app.hostname !== provider.hostname
}

/** Stores the identity seen at a provider. A null identity changes only the proof. */
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
 * Returns the login of a popup that ended when it closed. The response went to the opener's script, which cannot be
 * observed; that the provider accepted the identity can. If a response would have been observable and was not seen, the
 * window was closed before there was one.
 */
export function closedWindowLogin(flows: TabFlows, hosts: HostFacts): FederatedLogin | undefined {
  const flow = flows.findLast(({ frameId }) => frameId === 0)
  if (!flow?.answersScript || !flow.isProven) return undefined
  return loginOf(flow, new URL(flow.appUrl), hosts)
}
