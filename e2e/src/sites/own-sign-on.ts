import {
  escapeHtml,
  firstOf,
  htmlPage,
  isRight,
  redirectTo,
  type SitePart,
  type SiteRequest,
} from './site.ts'

/** Identity provider run by the organization, with apps on the same domain that use it. */
export const ownProviderHost = 'sso.ironworks.example'

const interaction = '/interaction/9bUs2mT_x0Yq1kLr3ZpVw'
const authorizePath = '/realms/works/protocol/openid-connect/auth'
const samlPath = '/adfs/ls/'

const asked = ({ cookies }: SiteRequest) => new URLSearchParams(decodeURIComponent(cookies.asked ?? ''))

const postedForm = (action: string, fields: Readonly<Record<string, string>>) =>
  htmlPage(
    'Signing in',
    `<form id="f" method="post" action="${escapeHtml(action)}">${Object.entries(fields)
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
      .join('')}</form><script>document.getElementById('f').submit()</script>`,
  )

/** Responds to the app in the requested way. */
function answerApp(query: URLSearchParams) {
  const back = query.get('redirect_uri') ?? ''
  if (query.has('SAML')) return postedForm(back, { SAMLResponse: 'PHNhbWw+', RelayState: '1' })
  if (query.get('response_mode') === 'form_post') return postedForm(back, { code: 'c0de', state: 's' })
  const url = new URL(back)
  url.searchParams.set('code', 'c0de')
  return redirectTo(url.href)
}

const form = (error = '') => `<h1>IRONWORKS</h1>
<form method="post" action="${interaction}/login">${error}
  <label>E-mail <input type="text" name="username" autocomplete="username"></label>
  <label>Password <input type="password" name="password" autocomplete="current-password"></label>
  <button type="submit">Sign in</button></form>`

/**
 * Provider with OpenID Connect by redirect and posted form, and SAML by redirect and post. A signed-in user is not
 * asked again.
 */
export const ownProvider: SitePart = (request) => {
  const { method, url, fields, cookies } = request
  if (url.pathname === authorizePath || url.pathname === samlPath) {
    const query = new URLSearchParams(url.search)
    if (url.pathname === samlPath) {
      query.set('SAML', '1')
      query.set('redirect_uri', fields.RelayState ?? query.get('RelayState') ?? '')
    }
    if (cookies.own) return answerApp(query)
    return redirectTo(interaction, [
      `asked=${encodeURIComponent(query.toString())}; Path=/; SameSite=None; Secure`,
    ])
  }
  if (url.pathname === interaction) return htmlPage('Sign in to Ironworks', form())
  if (url.pathname === `${interaction}/login` && method === 'POST') {
    if (!isRight(fields.password))
      return htmlPage('Sign in to Ironworks', form('<p role="alert">Wrong password.</p>'))
    return redirectTo(`${interaction}/done`, ['own=1; Path=/; SameSite=None; Secure'])
  }
  if (url.pathname === `${interaction}/done`) return answerApp(asked(request))
  return undefined
}

/** App that signs in with the provider: `?mode=` form_post, popup and frame, and `/saml` by redirect and post. */
export const ownRelyingParty: SitePart = ({ host, method, url }) => {
  const back = `https://${host}/auth/callback`
  const authorize = new URL(`https://${ownProviderHost}${authorizePath}`)
  authorize.search = new URLSearchParams({
    client_id: host,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: back,
    ...(url.searchParams.get('mode') === 'form_post' ? { response_mode: 'form_post' } : {}),
  }).toString()
  switch (url.pathname) {
    case '/oidc':
      return redirectTo(authorize.href)
    case '/oidc-popup':
      authorize.searchParams.set('redirect_uri', `${back}/popup`)
      return htmlPage(
        'Log in',
        `<h1>Log in</h1><button onclick="open('${authorize.href}', 'p', 'popup')">Sign in with Ironworks</button>`,
      )
    case '/oidc-frame':
      return htmlPage(
        'Log in',
        `<h1>Log in</h1><iframe src="${escapeHtml(authorize.href)}" width="500" height="400"></iframe>`,
      )
    case '/saml':
      return redirectTo(
        `https://${ownProviderHost}${samlPath}?SAMLRequest=eA&RelayState=${encodeURIComponent(`https://${host}/saml/acs`)}`,
      )
    case '/saml-post':
      return postedForm(`https://${ownProviderHost}${samlPath}`, {
        SAMLRequest: 'eA',
        RelayState: `https://${host}/saml/acs`,
      })
    case '/auth/callback/popup':
      return htmlPage('Signed in', '<h1>Signed in</h1><script>close()</script>')
    case '/auth/callback':
      return redirectTo('/home', ['session=1; Path=/; SameSite=None; Secure'])
    case '/saml/acs':
      return method === 'POST' ? redirectTo('/home', ['session=1; Path=/']) : undefined
    default:
      return undefined
  }
}

/** Copy of the provider's page on another host, with a form that submits to itself. */
export const ownProviderClone: SitePart = ({ url }) =>
  url.pathname === '/works'
    ? htmlPage('Sign in to Ironworks', form().replace(`action="${interaction}/login"`, ''))
    : undefined

/** App that sends a sign-in link; the test opens it. */
const sentLink: SitePart = ({ method, url }) => {
  if (url.pathname === '/link')
    return method === 'POST'
      ? htmlPage('Sent', '<h1>Sent</h1><p>We sent you a link.</p>')
      : htmlPage(
          'Sign in',
          `<h1>Sign in</h1><form method="post" action="/link"><label>E-mail
  <input type="email" name="email" autocomplete="username"></label><button type="submit">Send link</button></form>`,
        )
  if (url.pathname === '/magic') return redirectTo('/home', ['session=1; Path=/'])
  return undefined
}

/** App with only a passkey, and an optional identity field (`?who`). */
const passkeyAlone: SitePart = ({ url }) => {
  if (url.pathname !== '/passkey') return undefined
  const who = url.searchParams.has('who')
    ? '<label>E-mail <input type="email" id="who" autocomplete="username webauthn"></label>'
    : ''
  return htmlPage(
    'Sign in',
    `<h1>Sign in</h1>${who}<button id="go">Sign in</button><script>
document.getElementById('go').addEventListener('click', async () => {
  await navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32), userVerification: 'discouraged' } })
  location.href = '/home'
})</script>`,
  )
}

/** App that asks for a password but no identity. */
const passwordAlone: SitePart = ({ method, url, fields }) => {
  if (url.pathname !== '/unlock') return undefined
  if (method === 'POST' && isRight(fields.password)) return redirectTo('/home', ['session=1; Path=/'])
  return htmlPage(
    'Log in',
    `<form method="post" action="/unlock"><label>Password <input type="password" name="password"></label><button type="submit">Log in</button></form>`,
  )
}

/** Page with one field per character of a password, as for codes. */
const splitTrap: SitePart = ({ url }) =>
  url.pathname === '/split'
    ? htmlPage(
        'Unlock',
        `<div id="boxes"></div><script>
const boxes = document.getElementById('boxes')
for (let n = 0; n < 40; n++) boxes.append(Object.assign(document.createElement('input'), { type: 'password', maxLength: 1, size: 1 }))
boxes.addEventListener('input', (event) => event.target.nextElementSibling?.focus())
</script>`,
      )
    : undefined

export const otherWays = firstOf(sentLink, passkeyAlone, passwordAlone, splitTrap)
export const ownPasswordPaths = [`${interaction}/login`, '/unlock', '/works']
