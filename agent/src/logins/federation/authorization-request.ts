/** A request at an identity provider to sign somebody in elsewhere. */
export interface AuthorizationRequest {
  readonly protocol: 'OIDC' | 'SAML' | 'VENDOR'
  /**
   * Address at which the provider answers; null where the request does not say it: SAML, answers to a script, and requests whose
   * content the app gave to the provider beforehand or signed.
   */
  readonly returnUrl: URL | null
  /** Whether the answer goes to a script in another window, and not by a request that could be seen. */
  readonly answersScript: boolean
  /** The e-mail address or user name that the app asked for; null if none. */
  readonly loginHint: string | null
}

/** Scopes that tell who somebody is; a request for more is for access to data, unless it is OpenID Connect. */
const identityScopes =
  /^(?:openid|email|profile|offline_access|groups|roles|name|user|user:email|read:user|public_profile|r_(?:lite|basic)profile|r_emailaddress|identify|users\.read|tweet\.read|identity\.\w+|read_user|profile:user_id|https:\/\/www\.googleapis\.com\/auth\/userinfo\.\w+)$/

const hintNames = ['login_hint', 'loginHint', 'username', 'Email', 'whr']
const continueNames = [
  'continue',
  'followup',
  'returnTo',
  'return_to',
  'dest',
  'destination',
  'redirect',
  'wreply',
]

/** One of these makes a request of a client id; the last two are of pushed and of signed requests (RFC 9126, RFC 9101). */
const requestNames = ['response_type', 'redirect_uri', 'request_uri', 'request']

const http = (text: string | null): URL | null => {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url : null
}

function hintOf(parameters: URLSearchParams): string | null {
  const hint = hintNames.map((name) => parameters.get(name)).find((value) => value?.includes('@'))
  return hint && hint.length <= 254 ? hint : null
}

function asksWhoSomebodyIs(parameters: URLSearchParams): boolean {
  const scopes = (parameters.get('scope') ?? '').split(/[\s,+]+/).filter((scope) => scope !== '')
  return scopes.includes('openid') || scopes.every((scope) => identityScopes.test(scope))
}

/** Answers to `storagerelay://` and kin go to the script that opened the window: `origin` names its page. */
function oidcReturn(parameters: URLSearchParams): URL | null {
  const redirect = parameters.get('redirect_uri') ?? ''
  return (
    http(redirect) ??
    http(parameters.get('origin')) ??
    http(/^\w+:\/\/(https?)\/([^?]+)/.exec(redirect)?.slice(1).join('://') ?? null)
  )
}

const answersScript = (parameters: URLSearchParams): boolean =>
  (parameters.has('redirect_uri') && http(parameters.get('redirect_uri')) === null) ||
  /message/.test(parameters.get('response_mode') ?? '')

/**
 * Reads a request to a provider's host.
 *
 * @param formNames names, never values, of the members of a form that was posted
 * @returns undefined if it asks for nothing of the kind: a page of the provider like any other
 */
export function authorizationRequest(
  url: URL,
  formNames: readonly string[],
): AuthorizationRequest | undefined {
  const parameters = url.searchParams
  if (parameters.get('prompt') === 'none') return undefined
  const loginHint = hintOf(parameters)
  const usual = { loginHint, answersScript: false }
  const has = (name: string) => parameters.has(name) || formNames.includes(name)
  if (has('SAMLRequest')) return { ...usual, protocol: 'SAML', returnUrl: null }
  if (parameters.get('wa') === 'wsignin1.0' && parameters.has('wtrealm')) {
    return { ...usual, protocol: 'SAML', returnUrl: http(parameters.get('wreply')) }
  }
  if (parameters.has('client_id') && requestNames.some((name) => parameters.has(name))) {
    return asksWhoSomebodyIs(parameters)
      ? {
          protocol: 'OIDC',
          returnUrl: oidcReturn(parameters),
          answersScript: answersScript(parameters),
          loginHint,
        }
      : undefined
  }
  const next = continueNames.map((name) => http(parameters.get(name))).find((target) => target !== null)
  if (next && parameters.get('passive') !== 'true') return { ...usual, protocol: 'VENDOR', returnUrl: next }
  return undefined
}

/** Names by which a provider answers: with a proof of who it is, or that it would not say. */
const proofNames = ['code', 'id_token', 'access_token', 'SAMLResponse', 'SAMLart', 'wresult', 'credential']
const refusalNames = ['error', 'error_code', 'error_message']

/** What a provider answered, as far as a request shows: by parameters, fragment or the names of a posted form. */
export function authorizationAnswer(url: URL, formNames: readonly string[]): 'PROOF' | 'REFUSAL' | 'NONE' {
  const fragment = new URLSearchParams(url.hash.slice(1))
  const has = (name: string) => url.searchParams.has(name) || fragment.has(name) || formNames.includes(name)
  if (refusalNames.some(has)) return 'REFUSAL'
  return proofNames.some(has) ? 'PROOF' : 'NONE'
}

/** Whether a posted form carries what only SAML carries. */
export const isSamlAnswer = (formNames: readonly string[]): boolean =>
  formNames.includes('SAMLResponse') || formNames.includes('wresult')
