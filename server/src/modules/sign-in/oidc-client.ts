import { canonicalText, meetsFormat, type TextFormat, textFormats } from '@muster/contract/text-format'
import type { Configuration } from 'openid-client'
import { firstCharacters, storable } from '../../kernel/lib/text.ts'

/** Loaded when somebody first signs in by it: many servers have no identity provider. */
const openidClient = () => import('openid-client')

/** An identity provider, and what it knows this server as. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What people call it. */
  readonly name: string
}

/** What a sign-in at the identity provider must answer. */
export interface OidcChecks {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The person has to prove anew who they are, even if the provider knows them. */
  readonly fresh: boolean
}

/** Who the identity provider says that somebody is. */
export interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  /** Only an address that the provider has verified. */
  readonly email: string | undefined
  readonly name: string | undefined
}

/** Signs people in at an identity provider: authorization code with PKCE (OpenID Connect Core, RFC 7636). */
export function oidcClient({ issuer, clientId, clientSecret }: OidcSettings, callbackUrl: string) {
  let known: Promise<Configuration> | undefined

  const configuration = async (): Promise<Configuration> => {
    const client = await openidClient()
    const url = new URL(issuer)
    const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
    const execute = url.protocol === 'http:' && local ? [client.allowInsecureRequests] : []
    known ??= client.discovery(url, clientId, clientSecret, undefined, { execute, timeout: 10 })
    try {
      return await known
    } catch (error) {
      // The provider may be there again at the next try.
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

  /** @throws Error when the answer is not one to the question that was asked */
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
    if (!claims) throw new Error('the identity provider gave no ID token')
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

  return { begin, finish }
}

/** Returns a claim in its canonical form; undefined for one that the format refuses, as if the provider had not sent it. */
function claimedText(claim: unknown, format: TextFormat): string | undefined {
  if (typeof claim !== 'string') return undefined
  const text = canonicalText(format, claim)
  return storable(text) && meetsFormat(format, text) ? text : undefined
}
