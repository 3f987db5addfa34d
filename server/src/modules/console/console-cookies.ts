import type { CookieSerializeOptions } from '@fastify/cookie'

/** The `__Host-` prefix restricts a cookie to this host over TLS, so no other host can set it. */
export const sessionCookie = '__Host-muster_session'
/** State of a sign-in at the identity provider. */
export const oidcCookie = '__Host-muster_oidc'

/** Marks a browser in which an administrator has signed in. Grants no access. */
export const browserCookie = '__Host-muster_browser'

/** Not readable by scripts and not sent by other sites. */
export const sessionCookieOptions: CookieSerializeOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'strict',
}

/** Longest lifetime that browsers allow. */
export const browserCookieOptions: CookieSerializeOptions = {
  ...sessionCookieOptions,
  maxAge: 400 * 24 * 60 * 60,
}

/** `lax`, because the redirect back from the identity provider is cross-site. */
export const oidcCookieOptions: CookieSerializeOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
  maxAge: 10 * 60,
}
