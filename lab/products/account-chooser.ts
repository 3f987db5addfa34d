import {
  escapeHtml,
  htmlPage,
  redirectTo,
  type SiteRequest,
  type SiteResponse,
} from '../../e2e/src/sites/site.ts'
import type { Person } from '../src/lab-person.ts'
import type { Flow, Product } from '../src/lab-product.ts'
import { homePage, json, serveOwn } from '../src/own-server.ts'

const host = 'accounts.acme-works.example'
const people = {
  plain: { user: 'ada.byron@acme-works.example', password: 'Nutmeg-Harbor-4420' },
  offered: { user: 'offered@acme-works.example', password: 'Pewter-Canyon-7156' },
  choice: { user: 'choice@acme-works.example', password: 'Sparrow-Mosaic-3082' },
  phone: { user: 'phone@acme-works.example', password: 'Cobbler-Meadow-9613' },
} as const
const rightCode = '482913'
const passwordField = 'input[name="Passwd"]'

/**
 * Script of a single document that draws the step named by the address, after a short delay as on a network. Each
 * server response names the next step.
 */
const script = `
const steps = {
  identifier: () => '<h1>Sign in</h1><p>Use your account</p>' +
    field('email', 'identifier', 'Email or phone', 'autocomplete="username webauthn"') + next,
  pwd: () => '<h1>Welcome</h1>' + chip() + field('password', 'Passwd', 'Enter your password', 'autocomplete="current-password"') +
    '<label><input type="checkbox" id="show"> Show password</label><a href="#">Forgot password?</a>' + next,
  selection: () => '<h1>2-Step Verification</h1>' + chip() + '<p>To help keep your account safe, we want to make sure it’s really you</p>' +
    '<p>Choose how you want to sign in:</p><ul><li><button type="button" data-step="dp">Tap <b>Yes</b> on your phone or tablet</button></li>' +
    '<li><button type="button" data-step="totp">Get a verification code from the Authenticator app</button></li></ul>',
  totp: () => '<h1>2-Step Verification</h1>' + chip() + '<p>Get a verification code from the Authenticator app</p>' +
    field('tel', 'totpPin', 'Enter code', 'maxlength="8"') +
    '<label><input type="checkbox" checked> Don’t ask again on this device</label>' + next,
  dp: () => '<h1>2-Step Verification</h1>' + chip() + '<p>Check your phone</p><p>A notification was sent to your phone. ' +
    'Tap <b>Yes</b> on the notification to verify it’s you.</p><button type="button" data-step="selection">Try another way</button>',
  offer: () => '<h1>Sign in faster</h1>' + chip() + '<p>With a passkey you sign in with your fingerprint, face or screen lock.</p>' +
    '<button type="button" data-step="done">Not now</button><button type="button" data-step="done">Continue</button>',
}
const next = '<button id="next" type="button">Next</button>'
const field = (type, name, label, more) => '<div><input type="' + type + '" name="' + name + '" aria-label="' + label + '" ' + more + '>' +
  '<div id="error" aria-live="polite"></div></div>'
const chip = () => '<button type="button" id="chip" aria-label="' + user + ' selected. Switch account">' + user + '</button>'
let user = sessionStorage.getItem('user') ?? ''
const view = document.querySelector('main')
const stepOf = () => location.pathname.split('/').at(-1)
const show = (step) => {
  if (step === 'done') return location.assign('/home')
  if (step !== stepOf()) history.pushState(null, '', (step === 'identifier' ? '/signin/' : '/signin/challenge/') + step)
  view.setAttribute('aria-busy', 'true')
  setTimeout(() => { view.innerHTML = steps[step](); view.removeAttribute('aria-busy'); view.querySelector('input')?.focus()
    if (step === 'dp') poll() }, 400)
}
const ask = async (body) => (await fetch('/_/ask', { method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ user, ...body }) })).json()
const poll = async () => {
  const { step } = await ask({ poll: true })
  if (stepOf() === 'dp') step === 'dp' ? setTimeout(poll, 1000) : show(step)
}
const hand = async () => {
  const input = view.querySelector('input')
  if (input.name === 'identifier') user = input.value
  const { step, error } = await ask({ [input.name]: input.value })
  sessionStorage.setItem('user', user)
  if (error === undefined) return show(step)
  view.querySelector('#error').textContent = error
  input.setAttribute('aria-invalid', 'true')
}
view.addEventListener('keydown', ({ key, target }) => { if (key === 'Enter' && target.matches('input')) hand() })
view.addEventListener('click', ({ target }) => {
  const button = target.closest('button, #show')
  if (button?.id === 'next') hand()
  else if (button?.id === 'show') view.querySelector('[name=Passwd]').type = button.checked ? 'text' : 'password'
  else if (button?.id === 'chip') show('identifier')
  else if (button?.dataset.step) show(button.dataset.step)
})
addEventListener('popstate', () => show(stepOf()))
show(stepOf())
`

const chooser = (user: string): SiteResponse =>
  htmlPage(
    'Choose an account',
    `<main><h1>Choose an account</h1><ul><li><a id="chosen" href="/home">${escapeHtml(user)}</a></li>
<li><a id="another" href="/signin/identifier">Use another account</a></li></ul></main>`,
  )

/** Answers the script; `polls` counts its requests for the phone's response. */
function nextStep(fields: SiteRequest['fields'], polls: Map<string, number>): SiteResponse {
  const { user = '', identifier, Passwd: password, totpPin } = fields
  const known = Object.values(people).find((one) => one.user === (identifier ?? user))
  const signedIn = (step: string) =>
    json({ step }, 200, { 'set-cookie': `SID=${encodeURIComponent(user)}; Path=/; Secure; HttpOnly` })
  if (known === undefined) return json({ error: 'Couldn’t find your account' })
  if (identifier !== undefined) return json({ step: 'pwd' })
  if (totpPin !== undefined)
    return totpPin === rightCode ? signedIn('done') : json({ error: 'Wrong code. Try again.' })
  if (password === undefined) {
    polls.set(user, (polls.get(user) ?? 0) + 1)
    return (polls.get(user) ?? 0) % 4 === 0 ? signedIn('done') : json({ step: 'dp' })
  }
  if (password !== known.password)
    return json({ error: 'Wrong password. Try again or click Forgot password.' })
  if (known === people.choice) return json({ step: 'selection' })
  if (known === people.phone) return json({ step: 'dp' })
  return signedIn(known === people.offered ? 'offer' : 'done')
}

async function upToPassword(
  person: Person,
  { user, password }: { readonly user: string; readonly password: string },
): Promise<void> {
  await person.open('/signin/identifier')
  await person.type('input[name="identifier"]', user)
  await person.click('#next')
  await person.type(passwordField, password)
  await person.click('#next')
}

const codeFlow = (name: string, code: string, expect: Flow['expect']): Flow => ({
  name,
  run: async (person) => {
    await upToPassword(person, people.choice)
    await person.click('button', 'Authenticator')
    await person.type('input[name="totpPin"]', code)
    await person.click('#next')
    if (expect.length > 0) return person.see('#home')
    await person.see('#error', 'Wrong code')
    await person.pause(1_500)
  },
  expect,
})

/** Sign-in steps of the largest consumer account provider, each at its own address in one document. */
export const product: Product = {
  name: 'account-chooser',
  host,
  start: async (stage) => {
    for (const { password } of Object.values(people)) stage.secret(password)
    const polls = new Map<string, number>()
    await serveOwn(stage, host, ({ method, url, fields, cookies }) => {
      if (method === 'POST') return nextStep(fields, polls)
      const user = decodeURIComponent(cookies.SID ?? '')
      if (url.pathname === '/') return user === '' ? redirectTo('/signin/identifier') : chooser(user)
      if (url.pathname === '/home') return homePage(escapeHtml(user))
      if (url.pathname.startsWith('/signin/'))
        return htmlPage('Sign in', `<main></main><script>${script}</script>`)
      return undefined
    })
  },
  login: {
    user: 'input[name="identifier"]',
    next: '#next',
    password: passwordField,
    submit: '#next',
    refused: '#error',
    signedIn: '#home',
    accounts: [people.plain],
  },
  flows: [
    codeFlow('chosen second step: totp', rightCode, [{ identity: people.choice.user, mfa: 'APP_TOTP' }]),
    codeFlow('wrong code: totp', '111111', []),
    {
      name: 'prompt on the phone',
      run: async (person) => {
        await upToPassword(person, people.phone)
        await person.see('h1', '2-Step Verification')
        await person.see('#home')
      },
      expect: [{ identity: people.phone.user, mfa: 'PUSH_NOTIFICATION' }],
    },
    {
      name: 'leave at the choice',
      run: async (person) => {
        await upToPassword(person, people.choice)
        await person.see('button', 'Authenticator')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'passkey offered, not now',
      run: async (person) => {
        await upToPassword(person, people.offered)
        await person.click('button', 'Not now')
        await person.see('#home')
      },
      expect: [{ identity: people.offered.user }],
    },
    {
      name: 'passkey offered, left',
      run: async (person) => {
        await upToPassword(person, people.offered)
        await person.see('h1', 'Sign in faster')
        await person.pause(1_500)
        await person.open('/home')
        await person.see('#home')
      },
      expect: [{ identity: people.offered.user }],
    },
    {
      name: 'password shown',
      run: async (person) => {
        await person.open('/signin/identifier')
        await person.type('input[name="identifier"]', people.plain.user)
        await person.click('#next')
        await person.click('#show')
        await person.type(passwordField, people.plain.password)
        await person.click('#next')
        await person.see('#home')
      },
      expect: [{ identity: people.plain.user }],
    },
    {
      name: 'account chooser, another account',
      run: async (person) => {
        await upToPassword(person, people.plain)
        await person.see('#home')
        await person.pause(1_500)
        await person.open('/')
        await person.click('#another')
        await person.type('input[name="identifier"]', people.offered.user)
        await person.click('#next')
        await person.type(passwordField, people.offered.password)
        await person.click('#next')
        await person.click('button', 'Not now')
        await person.see('#home')
      },
      expect: [{ identity: people.plain.user }, { identity: people.offered.user }],
    },
    {
      name: 'account chooser, same account',
      run: async (person) => {
        await upToPassword(person, people.plain)
        await person.see('#home')
        await person.pause(1_500)
        await person.open('/')
        await person.click('#chosen')
        await person.see('#home')
        await person.pause(1_500)
      },
      expect: [{ identity: people.plain.user }],
    },
  ],
}
