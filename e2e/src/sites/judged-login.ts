import { escapeHtml, htmlPage, isRight, redirectTo, type SitePart, type SiteRequest } from './site.ts'

/**
 * Converts a query parameter of these logins. A wrong password returns the form after `delay` milliseconds; a correct
 * one leads to the page named by `landing`.
 */
const asNumber = (text: string | null) => Number(text ?? '0')

const scriptJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

const loginForm = (action: string, email: string, error: string) => `<h1>Log in</h1>
<form method="post" action="${escapeHtml(action)}">${error === '' ? '' : `<p role="alert">${error}</p>`}
<label>E-mail <input type="email" name="email" autocomplete="username" value="${escapeHtml(email)}"></label>
<label>Password <input type="password" name="password" autocomplete="current-password"></label>
<button type="submit">Log in</button></form>`

/** Draws a form into the page after a delay, like an app with a slow script. */
const drawLate = (html: string, delayMs: number, shell = '') => `<div id="app">${shell}</div><script>
setTimeout(() => { document.getElementById('app').innerHTML = ${scriptJson(html)} }, ${delayMs})
</script>`

const changePanel = `<form method="post" action="/judged/change"><h2>Change password</h2>
<label>Current password <input type="password" name="old" autocomplete="current-password"></label>
<label>New password <input type="password" name="new" autocomplete="new-password"></label>
<label>Repeat it <input type="password" name="repeat" autocomplete="new-password"></label><button>Save</button></form>`

const signOut = '<a href="/logout">Sign out</a>'
const oldForm = (style: string) => `<div ${style}>${loginForm('/judged/full', '', '')}</div>`

/** Bodies of landing pages by name. */
const landings: Readonly<Record<string, string>> = {
  plain: '<h1>Welcome</h1><p>Nothing to do today.</p><a href="/judged/next">Reports</a>',
  signOut: `<h1>Welcome</h1>${signOut}`,
  change: `<h1>Profile</h1>${signOut}${changePanel}`,
  unrelated: `<h1>Devices</h1>${signOut}<form><label>Wi-Fi password <input type="password" name="psk"></label><button>Join</button></form>`,
  alert: `<h1>Welcome</h1>${signOut}<div role="alert">Access to the report "Q3" was denied.</div>`,
  newsletter: `<h1>Welcome</h1>${signOut}<form><label>Newsletter <input type="email" name="newsletter" placeholder="Your e-mail"></label><button>Subscribe</button></form>`,
  search: `<h1>Welcome</h1><input type="search" name="q" placeholder="Search"><a href="/judged/next">Next</a>`,
  opacity: `<h1>Welcome</h1>${signOut}${oldForm('style="opacity:0;position:absolute"')}`,
  offScreen: `<h1>Welcome</h1>${signOut}${oldForm('style="position:absolute;left:-9999px"')}`,
  inert: `<h1>Welcome</h1>${signOut}${oldForm('inert style="display:none"')}`,
  restless: `<h1>Welcome</h1>${signOut}<script>setInterval(() => document.body.classList.toggle('tick'), 100)</script>`,
  trackers: `<h1>Welcome</h1>${signOut}<script>fetch('/judged/missing', { method: 'POST' }); navigator.sendBeacon('/judged/track')</script>`,
}

const landingPage = (name: string) => landings[name] ?? ''

/** Script of a login that never leaves its page. The response is 200 with JSON, whatever the password. */
const scriptedForm = (query: string, delayMs: number, landing: string) => `<div id="app"></div><script>
const form = ${scriptJson(loginForm('#', '', ''))}
const draw = (html) => { document.getElementById('app').innerHTML = html; bind() }
const bind = () => document.querySelector('form button')?.closest('form').addEventListener('submit', async (event) => {
  if (!event.target.email) return
  event.preventDefault()
  const fields = Object.fromEntries(new FormData(event.target))
  draw('<h1>Log in</h1><p>One moment …</p>')
  const answer = await fetch('/judged/api?${query}', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields),
  })
  const { ok } = await answer.json()
  if (ok) { history.pushState(null, '', '/judged/app'); document.title = 'App'; draw(${scriptJson(landing)}); return }
  setTimeout(() => draw(form), ${delayMs})
})
draw(form)
</script>`

function fullPage({ method, url, fields }: SiteRequest, path: string) {
  const delay = asNumber(url.searchParams.get('delay'))
  const landing = url.searchParams.get('landing') ?? 'plain'
  const action = `${path}${url.search}`
  if (method === 'GET') return htmlPage('Log in', loginForm(action, '', ''))
  if (isRight(fields.password)) {
    const cookies = ['session=1; Path=/; HttpOnly']
    return url.searchParams.has('inPlace')
      ? htmlPage('Home', landingPage(landing), { headers: { 'set-cookie': cookies } })
      : redirectTo(`/judged/home?landing=${landing}`, cookies)
  }
  const again = loginForm(action, fields.email ?? '', '')
  const body = delay === 0 ? again : drawLate(again, delay, url.searchParams.get('shell') ?? '')
  if (url.searchParams.has('redirect'))
    return redirectTo(`/judged/failed${url.search}`, ['flash=1; Path=/; HttpOnly'])
  return htmlPage('Log in', body, { headers: { 'set-cookie': ['flash=1; Path=/; HttpOnly'] } })
}

const done = `<p>Signed in.</p><script>opener?.postMessage('signed in', '*'); setTimeout(() => close(), 50)</script>`

export const judgedLogins: SitePart = (request) => {
  const { method, url, fields } = request
  const { pathname, searchParams } = url
  const delay = asNumber(searchParams.get('delay'))
  const landing = landingPage(searchParams.get('landing') ?? 'plain')
  const query = url.search.slice(1)
  switch (pathname) {
    case '/judged/full':
      return fullPage(request, pathname)
    case '/judged/failed':
      return htmlPage('Log in', drawLate(loginForm(`/judged/full?${query}`, '', ''), delay))
    case '/judged/home':
      return htmlPage('Home', landing)
    case '/judged/next':
      return htmlPage('Reports', '<h1>Reports</h1><p>Three reports.</p><a href="/judged/home">Home</a>')
    case '/judged/spa':
      return htmlPage('Log in', scriptedForm(query, delay, landing))
    case '/judged/api':
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ok: isRight(fields.password) }),
      }
    case '/judged/frame': {
      const inner = `https://login.copperworks.example/judged/framed?${query}`
      return htmlPage(
        'App',
        `<h1>App</h1><p id="app">Please log in.</p><iframe src="${escapeHtml(inner)}" width="500" height="300"></iframe>
<script>addEventListener('message', ({ data }) => { if (data !== 'signed in') return
document.querySelector('iframe').remove(); document.title = 'Home'; document.body.innerHTML = ${scriptJson(landing)} })</script>`,
      )
    }
    case '/judged/framed':
      return method === 'POST' && isRight(fields.password)
        ? htmlPage('Done', `<p>Signed in.</p><script>parent.postMessage('signed in', '*')</script>`)
        : fullPage(request, pathname)
    case '/judged/popup':
      return htmlPage(
        'App',
        `<h1>App</h1><button onclick="open('/judged/window${escapeHtml(url.search)}', 'login', 'width=500,height=500')">Open login</button>
<script>addEventListener('message', ({ data }) => { if (data === 'signed in') { document.title = 'Home'; document.body.innerHTML = ${scriptJson(landing)} } })</script>`,
      )
    case '/judged/window':
      if (method === 'GET') return htmlPage('Log in', loginForm(`${pathname}${url.search}`, '', ''))
      return isRight(fields.password)
        ? redirectTo('/judged/done', ['session=1; Path=/'])
        : htmlPage('Log in', drawLate(loginForm(`${pathname}${url.search}`, '', ''), delay))
    case '/judged/done':
      return htmlPage('Done', done)
    case '/judged/track':
    case '/judged/missing':
      return { status: pathname === '/judged/track' ? 204 : 404 }
    default:
      return undefined
  }
}

/** Paths to which these pages send a password themselves. */
export const judgedPasswordPaths = ['/judged/full', '/judged/api', '/judged/framed', '/judged/window']
