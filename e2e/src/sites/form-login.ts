import {
  escapeHtml,
  firstOf,
  htmlPage,
  isRight,
  redirectTo,
  type SitePart,
  type SiteResponse,
} from './site.ts'

const form = (action: string, email: string, error: string) => `<h1>Log in</h1>
<form method="post" action="${action}">
  ${error === '' ? '' : `<p role="alert">${error}</p>`}
  <label>E-mail <input type="email" name="email" autocomplete="username" value="${escapeHtml(email)}"></label>
  <label>Password <input type="password" name="password" autocomplete="current-password"></label>
  <button type="submit">Log in</button>
</form>`

/**
 * One-step login at two paths with different failure responses: `/login` returns 200 with the form again, as most sites
 * do; `/strict-login` returns 401.
 */
const oneStepLogin: SitePart = ({ method, url, fields }) => {
  const { pathname } = url
  if (pathname !== '/login' && pathname !== '/strict-login') return undefined
  if (method === 'GET') return htmlPage('Log in', form(pathname, '', ''))
  if (isRight(fields.password)) return redirectTo('/home', ['session=1; Path=/'])
  return htmlPage('Log in', form(pathname, fields.email ?? '', 'Wrong e-mail or password. Try again.'), {
    status: pathname === '/login' ? 200 : 401,
  })
}

const passwordStep = (email: string, error: string): SiteResponse =>
  htmlPage(
    'Welcome back',
    `<h1>Welcome back</h1><p>${escapeHtml(email)}</p><form method="post" action="/signin/password">
  ${error === '' ? '' : `<p role="alert">${error}</p>`}
  <label>Password <input type="password" name="password" autocomplete="current-password"></label>
  <button type="submit">Continue</button></form>`,
  )

/** Login with e-mail address and password on separate pages. */
const twoStepLogin: SitePart = ({ method, url, fields, cookies }) => {
  if (url.pathname === '/signin') {
    if (method === 'POST')
      return redirectTo('/signin/password', [`who=${encodeURIComponent(fields.identifier ?? '')}; Path=/`])
    return htmlPage(
      'Sign in',
      `<h1>Sign in</h1><form method="post" action="/signin">
  <label>E-mail <input type="email" name="identifier" autocomplete="username"></label>
  <button type="submit">Next</button></form>`,
    )
  }
  if (url.pathname !== '/signin/password') return undefined
  const who = decodeURIComponent(cookies.who ?? '')
  if (method === 'GET') return passwordStep(who, '')
  return isRight(fields.password)
    ? redirectTo('/home', ['session=1; Path=/'])
    : passwordStep(who, 'That password is not right.')
}

/** Login of a single-page app: a script sends the form and draws the next view. */
const scriptedLogin: SitePart = ({ method, url, fields }) => {
  if (url.pathname === '/api/session' && method === 'POST') {
    const right = isRight(fields.password)
    return {
      status: right ? 200 : 401,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ signedIn: right }),
    }
  }
  if (url.pathname !== '/spa') return undefined
  return htmlPage(
    'Sign in',
    `<main id="app"><h1>Sign in</h1><div class="form">
  <input id="user" type="text" name="username" placeholder="E-mail" autocomplete="username">
  <input id="secret" type="password" name="password" placeholder="Password" autocomplete="current-password">
  <button id="go" type="button">Sign in</button><p id="error" role="alert"></p></div></main>
<script>
document.getElementById('go').addEventListener('click', async () => {
  const email = document.getElementById('user').value
  const password = document.getElementById('secret').value
  const answer = await fetch('/api/session', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email, password }),
  })
  const { signedIn } = await answer.json()
  if (!signedIn) { document.getElementById('error').textContent = 'Wrong e-mail or password.'; return }
  history.pushState(null, '', '/dashboard')
  document.getElementById('app').innerHTML = '<h1>Dashboard</h1>'
})
</script>`,
  )
}

/** Login with a one-time code after the password. */
const oneTimeCodeLogin: SitePart = ({ method, url, fields }) => {
  if (url.pathname === '/otp-login') {
    if (method === 'GET') return htmlPage('Log in', form('/otp-login', '', ''))
    return isRight(fields.password)
      ? redirectTo('/otp')
      : htmlPage('Log in', form('/otp-login', fields.email ?? '', 'Wrong password.'))
  }
  if (url.pathname !== '/otp') return undefined
  if (method === 'POST' && /^\d{6}$/.test(fields.code ?? ''))
    return redirectTo('/home', ['session=1; Path=/'])
  return htmlPage(
    'Two-factor authentication',
    `<h1>Two-factor authentication</h1><p>Enter the 6-digit code from your authenticator app.</p>
<form method="post" action="/otp"><label>Code
  <input type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6"></label>
  <button type="submit">Verify</button></form>`,
  )
}

/** Page for changing the password. */
const passwordChange: SitePart = ({ method, url }) => {
  if (url.pathname !== '/settings/password') return undefined
  if (method === 'POST') return redirectTo('/settings?saved=1')
  return htmlPage(
    'Change your password',
    `<h1>Change your password</h1><form method="post" action="/settings/password">
  <label>Current password <input type="password" name="current" autocomplete="current-password"></label>
  <label>New password <input type="password" name="new" autocomplete="new-password"></label>
  <label>Repeat it <input type="password" name="repeat" autocomplete="new-password"></label>
  <button type="submit">Save</button></form>`,
  )
}

/** Paths to which these pages send a password themselves, as every login does. */
export const formPasswordPaths = [
  '/login',
  '/strict-login',
  '/signin/password',
  '/api/session',
  '/otp-login',
  '/settings/password',
]

export const formLogins = firstOf(oneStepLogin, twoStepLogin, scriptedLogin, oneTimeCodeLogin, passwordChange)
