import type { CookieSerializeOptions } from '@fastify/cookie'

/** The prefix binds a cookie to this host, to TLS and to the whole of it: no other host can set it. */
export const sessionCookie = '__Host-muster_session'
/** What a sign-in at the identity provider has to answer; it only lives for that hop. */
export const oidcCookie = '__Host-muster_oidc'

/** No script reads it, and no other site sends it. */
export const sessionCookieOptions: CookieSerializeOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'strict',
}

/** It comes back with a redirect from the identity provider, which is another site. */
export const oidcCookieOptions: CookieSerializeOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
  maxAge: 10 * 60,
}
