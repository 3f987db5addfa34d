import type { Variant } from './variant-dimensions.ts'

/** Data for the script of a page. */
export interface PageFacts {
  readonly variant: Variant
  /** Form with the password; empty on pages without one. */
  readonly form: string
  /** First of two steps on one page. */
  readonly userForm: string
  /** Second step, if it is drawn into the page. */
  readonly step: string
  readonly landing: string
  readonly wrong: string
  readonly badCode: string
  readonly locked: string
  /** True if the last attempt failed. */
  readonly refused: boolean
  /** True in a frame or popup. */
  readonly inner: boolean
  /** Time until a script draws the form, in ms; null if the document contains it. */
  readonly drawAfter: number | null
  readonly byScript: boolean
}

/** Script of every page with a login form or a second step. */
export const pageScript = `
const V = JSON.parse(document.getElementById('facts').textContent)
const v = V.variant
const q = (window.q = {})
const place = document.querySelector('[data-place]')
let root = document
let known
const mark = (state) => { document.documentElement.dataset.state = state }

function draw(html) {
  const shadow = /^(open|closed|nested)-shadow$/.exec(v.structure)
  if (!shadow) {
    place.innerHTML = html
    return bind(place)
  }
  const outer = document.createElement(shadow[1] === 'nested' ? 'works-app' : 'works-login')
  place.replaceChildren(outer)
  root = outer.shadowRoot ?? outer.attachShadow({ mode: shadow[1] === 'closed' ? 'closed' : 'open' })
  if (shadow[1] === 'nested') {
    root.innerHTML = '<style>:host{display:block}</style><works-login></works-login>'
    root = root.querySelector('works-login').attachShadow({ mode: 'open' })
  }
  root.innerHTML = html
  return bind(root)
}

function bind(scope) {
  for (const role of ['user', 'password', 'code', 'go', 'next', 'eye']) {
    const found = scope.querySelector('[data-q="' + role + '"]')
    if (found) q[role] = found
    else delete q[role]
  }
  const form = scope.querySelector('form#f1')
  if (form) form.addEventListener('submit', (event) => {
    if (!V.byScript) return
    event.preventDefault()
    q.next ? ask() : send()
  })
  const press = (event) => {
    event.preventDefault()
    if (q.next) ask()
    else if (V.byScript) send()
    else if (form) form.submit()
    else sendDocument()
  }
  const control = q.go ?? q.next
  if (control && (!form || !['BUTTON', 'INPUT'].includes(control.tagName))) control.addEventListener('click', press)
  if (!form || !control || !['BUTTON', 'INPUT'].includes(control.tagName))
    for (const one of [q.user, q.password, q.code]) one?.addEventListener('keydown', (event) => { if (event.key === 'Enter') press(event) })
  if (v.secret === 'readonly') q.password?.addEventListener('focus', () => q.password.removeAttribute('readonly'))
  if (v.secret === 'rerendered') for (const role of ['user', 'password']) rerender(role)
  q.eye?.addEventListener('click', () => {
    if (v.secret === 'css-masked') { q.password.style.webkitTextSecurity = 'none'; return }
    const next = q.password.cloneNode()
    next.type = q.password.type === 'password' ? 'text' : 'password'
    next.value = q.password.value
    q.password.replaceWith(next)
    q.password = next
  })
}

function rerender(role) {
  q[role]?.addEventListener('input', () => {
    const old = q[role]
    const next = old.cloneNode()
    next.value = old.value
    old.replaceWith(next)
    q[role] = next
    next.focus()
    try { next.setSelectionRange(next.value.length, next.value.length) } catch {}
    rerender(role)
  })
}

function sendDocument() {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = V.action
  form.hidden = true
  for (const [role, name] of Object.entries(V.names)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = q[role]?.value ?? ''
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

const post = (address, body) => fetch(address, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
}).then((reply) => reply.json(), () => ({}))

async function ask() {
  known = q.user.value
  if (!V.byScript) return
  await post('/who', { user: known })
  draw(V.form)
}

async function send() {
  const body = { user: known ?? q.user?.value, password: q.password?.value, code: q.code?.value }
  document.querySelectorAll('[data-message]').forEach((old) => { if (v.error !== 'toast-stays') old.remove() })
  const { go } = await post('/session', body)
  if (go === 'in') arrive()
  else if (go === 'step') v.stepPlace === 'spa' ? drawStep() : location.assign('/verify')
  else refuse()
}

function refuse() {
  if (v.refusal === 'fetch-reload') return location.reload()
  if (v.refusal === 'fetch-lockout') { place.innerHTML = '<p>' + V.locked + '</p>'; return mark('refused') }
  if (v.refusal === 'fetch-captcha') {
    place.innerHTML = '<h2>Are you a robot?</h2><div class="box" role="checkbox" tabindex="0" aria-checked="false"></div><p>Select all squares with boats.</p>'
    return mark('refused')
  }
  if (v.redraw === 0) {
    if (v.who === 'mail' && q.password) q.password.value = ''
    return showError(V.wrong)
  }
  place.innerHTML = '<div class="spinner"></div>'
  setTimeout(() => { draw(V.form); showError(V.wrong) }, v.redraw)
}

function message(html) {
  const box = document.createElement('div')
  box.dataset.message = ''
  box.innerHTML = html
  return box
}

function showError(text) {
  const field = q.password ?? q.code
  switch (v.error) {
    case 'inline': place.append(message('<p class="hint">' + text + '</p>')); break
    case 'toast': { const box = message('<div class="toast" role="status">' + text + '</div>'); document.body.append(box); setTimeout(() => box.remove(), 4000); break }
    case 'toast-stays': document.body.append(message('<div class="toast" role="alert">' + text + '</div>')); break
    case 'title': document.title = text; break
    case 'alert': alert(text); break
    case 'aria-live': { const box = message('<div aria-live="polite"></div>'); place.append(box); setTimeout(() => { box.firstChild.textContent = text }, 50); break }
    case 'shake': place.animate([{ transform: 'translateX(-6px)' }, { transform: 'translateX(6px)' }], { duration: 90, iterations: 4 }); break
    case 'red-border': if (field) field.style.border = '2px solid #c00'; break
    case 'aria-invalid': field?.setAttribute('aria-invalid', 'true'); place.append(message('<small>' + text + '</small>')); break
  }
  mark('refused')
}

function arrive() {
  if (V.inner) return location.assign('/done')
  switch (v.route) {
    case 'replace': return location.replace('/home')
    case 'reload': return location.reload()
    case 'hash': location.hash = '#/home'; break
    case 'push-state': history.pushState(null, '', '/home'); break
  }
  const app = document.querySelector('[data-app]')
  const hide = {
    opacity: () => { place.style.cssText = 'opacity:0;pointer-events:none;position:absolute' },
    'off-screen': () => { place.style.cssText = 'position:absolute;left:-9999px' },
    inert: () => { place.inert = true; place.style.filter = 'blur(4px)' },
    'display-none': () => { place.style.display = 'none' },
    behind: () => { app.style.cssText = 'position:fixed;inset:0;background:#fff;z-index:10' },
  }[v.landing]
  if (hide) hide()
  else place.replaceChildren()
  document.querySelectorAll('[data-beside]').forEach((beside) => beside.remove())
  app.innerHTML = V.landing
}

function drawStep() {
  place.innerHTML = V.step
  document.querySelectorAll('[data-beside]').forEach((beside) => beside.remove())
  bindStep()
}

function bindStep() {
  const form = document.getElementById('f2')
  const fields = [...document.querySelectorAll('[data-box]')]
  const joined = document.querySelector('[data-joined]')
  q.code = document.querySelector('[data-q="code"]')
  const value = () => fields.length > 0 ? fields.map((one) => one.value).join('') : q.code.value
  const verify = async () => {
    const { go } = await post('/verify', { code: value() })
    if (go === 'in') return arrive()
    showError(V.badCode)
  }
  fields.forEach((box, index) => {
    box.addEventListener('input', () => { if (box.value) fields[index + 1]?.focus() })
    box.addEventListener('focus', () => box.select())
    box.addEventListener('paste', (event) => {
      event.preventDefault()
      const text = event.clipboardData.getData('text').trim()
      fields.forEach((one, at) => { one.value = text[at] ?? '' })
      if (v.step !== 'totp-form-submit') return
      joined.value = value()
      V.byScript ? verify() : form.submit()
    })
  })
  form?.addEventListener('submit', (event) => {
    if (joined) joined.value = value()
    if (!V.byScript) return
    event.preventDefault()
    verify()
  })
  const wait = document.querySelector('[data-wait]')
  const done = (go) => { if (go === 'in') V.byScript ? arrive() : location.assign('/home') }
  if (wait) {
    const poll = async () => {
      const { go } = await fetch('/poll').then((reply) => reply.json(), () => ({}))
      if (go === 'wait') setTimeout(poll, 1000)
      else done(go)
    }
    setTimeout(poll, 1000)
  }
  document.querySelector('[data-key]')?.addEventListener('click', async () => {
    await navigator.credentials.get({ publicKey: { challenge: crypto.getRandomValues(new Uint8Array(32)), rpId: location.hostname, userVerification: 'discouraged', timeout: 15000 } })
    const { go } = await post('/verify', { key: true })
    done(go)
  })
}

if (V.place === 'step') {
  if (V.refused) { bindStep(); showError(V.badCode) } else bindStep()
} else if (V.place === 'landing') {
  // Nothing to bind.
} else {
  const first = V.userForm || V.form
  const start = () => {
    V.drawAfter === null && !v.structure.endsWith('-shadow') ? bind(document) : draw(first)
    if (V.refused) showError(V.wrong)
  }
  V.drawAfter ? setTimeout(start, V.drawAfter) : start()
  for (const opener of document.querySelectorAll('[data-opens]')) opener.addEventListener('click', () => {
    const what = document.querySelector('[data-hidden]')
    what.hidden = false
    if (what.tagName === 'DIALOG') what.showModal()
  })
}
`
