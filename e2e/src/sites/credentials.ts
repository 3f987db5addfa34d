import { firstOf, htmlPage, redirectTo, type SitePart } from './site.ts'

/** Address of the provider's FedCM configuration; Google's is at a similar path. */
const configUrl = 'https://accounts.google.com/gsi/fedcm.json'
const endpoints = {
  accounts_endpoint: 'https://accounts.google.com/gsi/accounts',
  login_url: 'https://accounts.google.com/signin',
}

const json = (body: object, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Identity that is signed in at the provider, as FedCM offers it. */
export const federatedEmail = 'fedcm@acme-works.example'

/**
 * FedCM endpoints of an identity provider (W3C, Federated Credential Management). The browser calls them without
 * showing a page of the provider. Apps are identified by their origin and get a JSON Web Token.
 */
export const fedCmProvider: SitePart = ({ url, fields }) => {
  switch (url.pathname) {
    case '/.well-known/web-identity':
      return json({ provider_urls: [configUrl], ...endpoints })
    case '/gsi/fedcm.json':
      return json({
        ...endpoints,
        client_metadata_endpoint: '/gsi/metadata',
        id_assertion_endpoint: '/gsi/token',
      })
    case '/gsi/metadata':
      return json({ privacy_policy_url: 'https://www.dropbox.com/privacy' })
    case '/gsi/accounts':
      return json({ accounts: [{ id: '117', name: 'Ada Byron', email: federatedEmail }] })
    case '/gsi/token':
      return json(
        { token: `${base64url({ alg: 'RS256' })}.${base64url({ sub: '117', email: federatedEmail })}.c2ln` },
        {
          'access-control-allow-origin': fields.client_id ?? '',
          'access-control-allow-credentials': 'true',
        },
      )
    default:
      return undefined
  }
}

/** App with a button for signing in with FedCM. `#native` shows how the hooked method looks to the page. */
const fedCmApp: SitePart = ({ url, host }) => {
  if (url.pathname !== '/fedcm') return undefined
  return htmlPage(
    'Sign in',
    `<h1>Sign in</h1><button id="go">Sign in with Google</button><pre id="native"></pre>
<script>
const { get } = navigator.credentials
document.getElementById('native').textContent = JSON.stringify({
  name: get.name, length: get.length, own: Object.hasOwn(navigator.credentials, 'get'),
  prototype: 'prototype' in get, text: Function.prototype.toString.call(get),
})
document.getElementById('go').addEventListener('click', async () => {
  const provider = { configURL: '${configUrl}', clientId: 'https://${host}' }
  const credential = await navigator.credentials.get({ identity: { providers: [provider] } })
  await fetch('/fedcm/session', { method: 'POST', body: credential.token })
  location.href = '/home'
})
</script>`,
  )
}

/** Second step with a security key, on a page whose text does not say what it asks for. */
const keyStep: SitePart = ({ url, method }) => {
  if (url.pathname === '/key-login')
    return method === 'POST'
      ? redirectTo('/key')
      : htmlPage(
          'Log in',
          `<h1>Log in</h1><form method="post" action="/key-login">
  <label>E-mail <input type="email" name="email" autocomplete="username"></label>
  <label>Password <input type="password" name="password" autocomplete="current-password"></label>
  <button type="submit">Log in</button></form>`,
        )
  if (url.pathname !== '/key') return undefined
  return htmlPage(
    'Two-step verification',
    `<h1>Two-step verification</h1><button id="go">Go on</button>
<script>
document.getElementById('go').addEventListener('click', async () => {
  await navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32), userVerification: 'discouraged' } })
  location.href = '/home'
})
</script>`,
  )
}

/** Paths to which these pages send a password themselves. */
export const keyPasswordPaths = ['/key-login']

export const credentialLogins = firstOf(fedCmApp, keyStep)
