import type { CookieSerializeOptions } from '@fastify/cookie'

/** The prefix binds a cookie to this host, to TLS and to the whole of it: no other host can set it. */
export const sessionCookie = '__Host-muster_session'
/** What a sign-in at the identity provider has to answer; it only lives for that hop. */
export const oidcCookie = '__Host-muster_oidc'

/** By it a browser is known in which an administrator has signed in; it opens nothing. */
export const browserCookie = '__Host-muster_browser'

/** No script reads it, and no other site sends it. */
export const sessionCookieOptions: CookieSerializeOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'strict',
}

/** For as long as browsers keep one. */
export const browserCookieOptions: CookieSerializeOptions = {
  ...sessionCookieOptions,
  maxAge: 400 * 24 * 60 * 60,
}

/** It comes back with a redirect from the identity provider, which is another site. */
export const oidcCookieOptions: CookieSerializeOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
  maxAge: 10 * 60,
}
