import { canonicalText, meetsFormat, type TextFormat, textFormats } from '@muster/contract/text/text-format'
import type { Configuration } from 'openid-client'
import { firstCharacters, storable } from '../../kernel/lib/text.ts'
import type { GuardedRequest } from './guarded-fetch.ts'

/** Loaded on first use: many deployments have no identity provider. */
const openidClient = () => import('openid-client')

/** Identity provider and the client registered with it. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Display name of the provider. */
  readonly name: string
}

/** Values that the response of the identity provider is checked against. */
export interface OidcChecks {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** True if the person must authenticate again, even with an active session at the provider. */
  readonly fresh: boolean
}

/** Identity that the provider asserts. */
export interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  /** Set only if the provider has verified the address. */
  readonly email: string | undefined
  readonly name: string | undefined
}

/** Path of the redirect URI below that of the console API. */
export const oidcCallbackPath = '/oidc/callback'

/** Makes the requests to the provider. */
export type ProviderFetch = (url: string, request: GuardedRequest) => Promise<Response>

/** Client of an identity provider. */
export type OidcClient = ReturnType<typeof oidcClient>

/** Signs people in at an identity provider: authorization code flow with PKCE (OpenID Connect Core, RFC 7636). */
export function oidcClient(
  { issuer, clientId, clientSecret }: OidcSettings,
  callbackUrl: string,
  fetchFrom?: ProviderFetch,
) {
  let known: Promise<Configuration> | undefined

  const configuration = async (): Promise<Configuration> => {
    const client = await openidClient()
    const url = new URL(issuer)
    const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
    const execute = url.protocol === 'http:' && local ? [client.allowInsecureRequests] : []
    const ownFetch = fetchFrom ? { [client.customFetch]: fetchFrom } : {}
    known ??= client.discovery(url, clientId, clientSecret, undefined, { execute, timeout: 10, ...ownFetch })
    try {
      return await known
    } catch (error) {
      // Do not cache a failed discovery.
      known = undefined
      throw error
    }
  }

  const begin = async (fresh: boolean): Promise<{ url: string; checks: OidcChecks }> => {
    const client = await openidClient()
    const config = await configuration()
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
      fresh,
    }
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callbackUrl,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
      ...(fresh ? { prompt: 'login', max_age: '0' } : {}),
    })
    return { url: url.href, checks }
  }

  /** Fetches the discovery document, unless it is known. @throws Error if the provider cannot be used */
  const discover = async (): Promise<void> => void (await begin(false))

  /** @throws Error when the response does not match the checks */
  const finish = async (
    query: string,
    { state, nonce, codeVerifier, fresh }: OidcChecks,
  ): Promise<OidcPerson> => {
    const client = await openidClient()
    const config = await configuration()
    const tokens = await client.authorizationCodeGrant(config, new URL(`${callbackUrl}${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
      ...(fresh ? { maxAge: 0 } : {}),
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('the identity provider returned no ID token')
    const facts: Record<string, unknown> =
      claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
        ? { ...claims, ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)) }
        : claims
    const { email, email_verified: verified, name } = facts
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: verified === true ? claimedText(email, textFormats.email) : undefined,
      name: firstCharacters(claimedText(name, textFormats.name) ?? '', 128) || undefined,
    }
  }

  return { discover, begin, finish }
}

/** Returns a claim in canonical form; undefined if its format is invalid, as if the provider had not sent it. */
function claimedText(claim: unknown, format: TextFormat): string | undefined {
  if (typeof claim !== 'string') return undefined
  const text = canonicalText(format, claim)
  return storable(text) && meetsFormat(format, text) ? text : undefined
}
