import {
  escapeHtml,
  htmlPage,
  redirectTo,
  type SiteRequest,
  type SiteResponse,
} from '../../e2e/src/sites/site.ts'
import type { Flow, Product } from '../src/lab-product.ts'
import { homePage, serveOwn } from '../src/own-server.ts'

const host = 'account.acme-works.example'
const people = {
  plain: { user: 'ada.byron@acme-works.example', password: 'Nectar-Bronze-6184' },
  totp: { user: 'totp@acme-works.example', password: 'Summit-Tulip-3369' },
  push: { user: 'push@acme-works.example', password: 'Mosaic-Ferry-8257' },
  expired: { user: 'expired@acme-works.example', password: 'Barley-Rocket-1490' },
} as const
const renewed = 'Fresh-Barley-Rocket-2061'
const rightCode = '482913'

const form = (title: string, fields: string, button: string, error = ''): SiteResponse =>
  htmlPage(
    title,
    `<main><h1>${title}</h1>${error && `<p role="alert" id="error">${error}</p>`}<form method="post">${fields}
<button id="next" type="submit">${button}</button></form></main>`,
  )
const as = (user: string) => `<p>${escapeHtml(user)}</p>`
const passwordField = (label: string, name: string, complete: string) =>
  `<label>${label} <input type="password" name="${name}" autocomplete="${complete}" required></label>`
const namePage = (error = '') =>
  form(
    'Sign in',
    '<label>E-mail or phone <input type="email" name="login" autocomplete="username" required></label>',
    'Next',
    error,
  )
const passwordPage = (user: string, error = '') =>
  form('Enter password', as(user) + passwordField('Password', 'passwd', 'current-password'), 'Sign in', error)
const codePage = (user: string, error = '') =>
  form(
    'Enter code',
    `${as(user)}<p>Enter the code from your authenticator app.</p><label>Code <input name="otc" inputmode="numeric" autocomplete="one-time-code" maxlength="6" required></label>`,
    'Verify',
    error,
  )
const pushPage = (user: string) =>
  htmlPage(
    'Approve sign-in request',
    `<main><h1>Approve sign-in request</h1>${as(user)}<p>Open your authenticator app and enter the number shown to sign in.</p>
<p>58</p></main><script>setTimeout(() => { location.href = '/login/stay' }, 4000)</script>`,
  )
const changePage = (user: string) =>
  form(
    'Update your password',
    `${as(user)}<p>Your password has expired.</p>${passwordField('Current password', 'old', 'current-password')}
${passwordField('New password', 'new', 'new-password')}${passwordField('Confirm password', 'confirm', 'new-password')}`,
    'Sign in',
  )
const stayPage = (user: string) => form('Stay signed in?', as(user), 'Yes')

const cookie = (user: string) => [`who=${encodeURIComponent(user)}; Path=/; Secure; HttpOnly`]

function respond({ method, url, fields, cookies }: SiteRequest): SiteResponse | undefined {
  const who = decodeURIComponent(cookies.who ?? '')
  const known = Object.values(people).find(({ user }) => user === who)
  const after = () =>
    redirectTo(
      who === people.totp.user
        ? '/login/code'
        : who === people.push.user
          ? '/login/approve'
          : who === people.expired.user
            ? '/login/update'
            : '/login/stay',
    )
  switch (`${method} ${url.pathname}`) {
    case 'GET /':
      return namePage()
    case 'POST /':
      return Object.values(people).some(({ user }) => user === fields.login)
        ? redirectTo('/login/password', cookie(fields.login ?? ''))
        : namePage('That account does not exist.')
    case 'GET /login/password':
      return passwordPage(who)
    case 'POST /login/password':
      return known?.password === fields.passwd
        ? after()
        : passwordPage(who, 'Your account or password is incorrect.')
    case 'GET /login/code':
      return codePage(who)
    case 'POST /login/code':
      return fields.otc === rightCode
        ? redirectTo('/login/stay')
        : codePage(who, 'That code did not work. Try again.')
    case 'GET /login/approve':
      return pushPage(who)
    case 'GET /login/update':
      return changePage(who)
    case 'POST /login/update':
      return redirectTo('/home')
    case 'GET /login/stay':
      return stayPage(who)
    case 'POST /login/stay':
      return redirectTo('/home')
    case 'GET /home':
      return homePage(escapeHtml(who))
    default:
      return undefined
  }
}

const upToPassword =
  ({ user, password }: { readonly user: string; readonly password: string }): Flow['run'] =>
  async (person) => {
    await person.open('/')
    await person.type('input[name="login"]', user)
    await person.click('#next')
    await person.type('input[name="passwd"]', password)
    await person.click('#next')
  }

/** Sign-in steps of the large mail and office providers: name, password, second step, "Stay signed in?". */
export const product: Product = {
  name: 'stay-signed-in',
  host,
  quick: true,
  start: async (stage) => {
    for (const { password } of Object.values(people)) stage.secret(password)
    stage.secret(renewed)
    await serveOwn(stage, host, respond)
  },
  login: {
    user: 'input[name="login"]',
    next: '#next',
    password: 'input[name="passwd"]',
    submit: '#next',
    refused: '#error',
    after: async (person) => {
      await person.see('h1', 'Stay signed in?')
      await person.click('#next')
    },
    signedIn: '#home',
    accounts: [people.plain],
  },
  flows: [
    {
      name: 'second step: totp',
      run: async (person) => {
        await upToPassword(people.totp)(person)
        await person.type('input[name="otc"]', rightCode)
        await person.click('#next')
        await person.see('h1', 'Stay signed in?')
        await person.click('#next')
        await person.see('#home')
      },
      expect: [{ identity: people.totp.user, mfa: 'APP_TOTP' }],
    },
    {
      name: 'wrong code: totp',
      run: async (person) => {
        await upToPassword(people.totp)(person)
        await person.type('input[name="otc"]', '111111')
        await person.click('#next')
        await person.see('#error')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'leave at the code',
      run: async (person) => {
        await upToPassword(people.totp)(person)
        await person.see('input[name="otc"]')
        await person.pause(2_000)
      },
      expect: [],
    },
    {
      name: 'second step: push',
      run: async (person) => {
        await upToPassword(people.push)(person)
        await person.see('h1', 'Stay signed in?')
        await person.click('#next')
        await person.see('#home')
      },
      expect: [{ identity: people.push.user, mfa: 'PUSH_NOTIFICATION' }],
    },
    {
      name: 'expired password',
      run: async (person) => {
        await upToPassword(people.expired)(person)
        await person.type('input[name="old"]', people.expired.password)
        await person.type('input[name="new"]', renewed)
        await person.type('input[name="confirm"]', renewed)
        await person.click('#next')
        await person.see('#home')
      },
      expect: [{ identity: people.expired.user }],
    },
  ],
}
