/** Request to an identity provider to sign the user in to another app. */
export interface AuthorizationRequest {
  readonly protocol: 'OIDC' | 'SAML' | 'VENDOR'
  /**
   * Address that receives the provider's response. Null if the request does not contain it: SAML, responses to a
   * script, and requests that were pushed to the provider beforehand or signed.
   */
  readonly returnUrl: URL | null
  /** True if the response goes to a script in another window, where no request can be observed. */
  readonly answersScript: boolean
  /** E-mail address or user name that the app asked for; null if none. */
  readonly loginHint: string | null
}

/**
 * Scopes that only identify the user. A request with other scopes asks for data access, unless it is OpenID Connect.
 */
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

/**
 * Parameters of which one makes a request with a client ID an authorization request. The last two belong to pushed and
 * signed requests (RFC 9126, RFC 9101).
 */
const requestNames = ['response_type', 'redirect_uri', 'request_uri', 'request']

const http = (text: string | null): URL | null => {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url : null
}

function hintOf(parameters: URLSearchParams): string | null {
  const hint = hintNames.map((name) => parameters.get(name)).find((value) => value?.includes('@'))
  return hint && hint.length <= 254 ? hint : null
}

function requestsIdentity(parameters: URLSearchParams): boolean {
  const scopes = (parameters.get('scope') ?? '').split(/[\s,+]+/).filter((scope) => scope !== '')
  return scopes.includes('openid') || scopes.every((scope) => identityScopes.test(scope))
}

/**
 * Returns the response address of an OpenID Connect request. With `storagerelay://` and similar schemes the response
 * goes to the opener's script, whose page `origin` names.
 */
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
 * Parses a request to a provider's host.
 *
 * @param formNames names, never values, of the fields of a posted form
 * @returns undefined if it is not an authorization request
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
    return requestsIdentity(parameters)
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

/** Parameters of a provider's response that carry a proof of identity; `refusalNames` are those of an error. */
const proofNames = ['code', 'id_token', 'access_token', 'SAMLResponse', 'SAMLart', 'wresult', 'credential']
const refusalNames = ['error', 'error_code', 'error_message']

/** Classifies a provider's response by its parameters, its fragment or the field names of a posted form. */
export function authorizationAnswer(url: URL, formNames: readonly string[]): 'PROOF' | 'REFUSAL' | 'NONE' {
  const fragment = new URLSearchParams(url.hash.slice(1))
  const has = (name: string) => url.searchParams.has(name) || fragment.has(name) || formNames.includes(name)
  if (refusalNames.some(has)) return 'REFUSAL'
  return proofNames.some(has) ? 'PROOF' : 'NONE'
}

/** Returns true if a posted form contains a field that only SAML responses have. */
export const isSamlAnswer = (formNames: readonly string[]): boolean =>
  formNames.includes('SAMLResponse') || formNames.includes('wresult')
