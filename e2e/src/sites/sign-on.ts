import { deflateRawSync } from 'node:zlib'
import {
  escapeHtml,
  firstOf,
  htmlPage,
  isRight,
  redirectTo,
  type SitePart,
  type SiteRequest,
} from './site.ts'

/** Simulated identity providers with their authorization addresses. */
export const identityProviders = {
  google: { host: 'accounts.google.com', path: '/o/oauth2/v2/auth' },
  microsoft: { host: 'login.microsoftonline.com', path: '/common/oauth2/v2.0/authorize' },
  okta: { host: 'acme.okta.com', path: '/app/acme_app/exk1fcia6d6EMsf331d8/sso/saml' },
} as const

const samlRequest = (host: string): string =>
  deflateRawSync(
    `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0"
 AssertionConsumerServiceURL="https://${host}/saml/acs"/>`,
  ).toString('base64')

/** Single sign-on of an app: `/sso/google` and `/sso/microsoft` with OpenID Connect, `/sso/okta` with SAML. */
export const relyingParty: SitePart = ({ method, host, url }) => {
  const [, , name = ''] = url.pathname.split('/')
  if (url.pathname.startsWith('/sso/') && name in identityProviders) {
    const provider = identityProviders[name as keyof typeof identityProviders]
    const target = new URL(`https://${provider.host}${provider.path}`)
    if (name === 'okta') {
      target.searchParams.set('SAMLRequest', samlRequest(host))
      target.searchParams.set('RelayState', `https://${host}/home`)
    } else {
      target.searchParams.set('client_id', '407408718192.apps.example')
      target.searchParams.set('response_type', 'code')
      target.searchParams.set('scope', 'openid email profile')
      target.searchParams.set('redirect_uri', `https://${host}/auth/callback`)
      target.searchParams.set('state', 'af0ifjsldkj')
    }
    return { status: 302, headers: { location: target.href } }
  }
  if (url.pathname === '/auth/callback') {
    const outcome = url.searchParams.has('code') ? '/home' : '/login?error=access_denied'
    return redirectTo(outcome, ['session=1; Path=/'])
  }
  if (url.pathname === '/saml/acs' && method === 'POST') return redirectTo('/home', ['session=1; Path=/'])
  return undefined
}

/** Returns the app's request, which the provider's pages keep in a cookie instead of their addresses, as many do. */
const askedOf = ({ cookies }: SiteRequest): URLSearchParams =>
  new URLSearchParams(decodeURIComponent(cookies.asked ?? ''))

const isAsked = (asked: URLSearchParams): boolean => asked.has('redirect_uri') || asked.has('SAMLRequest')

/** Returns to the app after the sign-in. */
function backToApp(asked: URLSearchParams, email: string) {
  if (asked.has('SAMLRequest')) {
    const acs = new URL('/saml/acs', asked.get('RelayState') ?? 'https://nowhere.invalid').href
    const answer = Buffer.from(`<samlp:Response><NameID>${escapeHtml(email)}</NameID></samlp:Response>`)
    return htmlPage(
      'Signing in',
      `<form id="f" method="post" action="${escapeHtml(acs)}">
  <input type="hidden" name="SAMLResponse" value="${answer.toString('base64')}">
  <input type="hidden" name="RelayState" value="${escapeHtml(asked.get('RelayState') ?? '')}">
</form><script>document.getElementById('f').submit()</script>`,
    )
  }
  const back = new URL(asked.get('redirect_uri') ?? 'https://nowhere.invalid')
  back.searchParams.set('code', '4/P7q7W91a-oMsCeLvIaQm6bTrgtp7')
  back.searchParams.set('state', asked.get('state') ?? '')
  return { status: 302, headers: { location: back.href } }
}

/**
 * Sign-in of an identity provider: e-mail address and password on separate pages, then back to the requesting app or on
 * to its own start page. A signed-in user returns directly.
 */
const providerSignIn =
  (title: string, startPaths: readonly string[]): SitePart =>
  (request) => {
    const { method, url, fields, cookies } = request
    const { pathname } = url
    const signedIn = decodeURIComponent(cookies.idp ?? '')
    if (startPaths.includes(pathname)) {
      if (signedIn !== '' && isAsked(url.searchParams)) return backToApp(url.searchParams, signedIn)
      return htmlPage(
        title,
        `<h1>Sign in</h1><form method="post" action="/idp/identifier">
  <label>E-mail <input type="email" name="identifier" autocomplete="username"></label>
  <button type="submit">Next</button></form>`,
        { headers: { 'set-cookie': [`asked=${encodeURIComponent(url.search)}; Path=/`] } },
      )
    }
    if (pathname === '/idp/identifier' && method === 'POST')
      return redirectTo('/idp/password', [`who=${encodeURIComponent(fields.identifier ?? '')}; Path=/`])
    if (pathname !== '/idp/password') return undefined
    const who = decodeURIComponent(cookies.who ?? '')
    if (method === 'POST' && isRight(fields.password))
      return redirectTo('/idp/done', [`idp=${encodeURIComponent(who)}; Path=/`])
    return htmlPage(
      title,
      `<h1>Welcome</h1><p>${escapeHtml(who)}</p>
<form method="post" action="/idp/password">
  ${method === 'POST' ? '<p role="alert">Wrong password. Try again.</p>' : ''}
  <input type="hidden" name="identifier" value="${escapeHtml(who)}">
  <label>Password <input type="password" name="password" autocomplete="current-password"></label>
  <button type="submit">Next</button></form>`,
    )
  }

const providerDone: SitePart = (request) => {
  if (request.url.pathname !== '/idp/done') return undefined
  const asked = askedOf(request)
  return isAsked(asked)
    ? backToApp(asked, decodeURIComponent(request.cookies.idp ?? ''))
    : htmlPage('My account', '<h1>My account</h1>')
}

/** Pages of an identity provider, whose sign-in starts at `/signin` or at the address that apps use. */
export const identityProvider = (title: string, askedAt: string): SitePart =>
  firstOf(providerSignIn(title, ['/signin', askedAt]), providerDone)

export const providerPasswordPaths = ['/idp/password']
