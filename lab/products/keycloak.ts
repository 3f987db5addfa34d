import { htmlPage, redirectTo, type SiteResponse } from '../../e2e/src/sites/site.ts'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'
import { bundle, homePage, serveOwn } from '../src/own-server.ts'

const host = 'keys.acme-works.example'
const appHost = 'travel.bluebird.example'
const accounts = [
  { user: 'ada.byron', password: 'Magnet-Orchid-4172' },
  { user: 'grace.murray', password: 'Lobster-Anchor-8350' },
] as const
const totp = { user: 'totp.user', password: 'Violin-Harbor-2917' }
const expired = { user: 'expired.user', password: 'Basket-Comet-6048' }
const joined = { user: 'joan.clarke', password: 'Pretzel-Tundra-7731' }
const renewed = 'Trumpet-Glacier-5586'
const rightCode = '482913'

const realm = `https://${host}/realms/acme`
const authorization = `${realm}/protocol/openid-connect/auth?client_id=travel&response_type=code&scope=openid&state=lab&redirect_uri=https://${appHost}/callback`
const action =
  '/realms/acme/login-actions/authenticate?session_code=9bUs2mT&execution=5f0c&client_id=travel&tab_id=Zx81'
const required =
  '/realms/acme/login-actions/required-action?execution=UPDATE_PASSWORD&client_id=travel&tab_id=Zx81'
const registration = '/realms/acme/login-actions/registration?client_id=travel&tab_id=Zx81'

/** Shows the page given by `window.lab`, with its error next to a field. */
const source = `
import { Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import DefaultPage from 'keycloakify/login/DefaultPage'
import { createGetKcContextMock } from 'keycloakify/login/KcContext'
import Template from 'keycloakify/login/Template'
import UserProfileFormFields from 'keycloakify/login/UserProfileFormFields'
import { i18nBuilder } from 'keycloakify/login/i18n'
const { pageId, field, error, ...context } = window.lab
const has = (...names) => names.includes(field)
const messagesPerField = { existsError: has, exists: has, getFirstError: () => error, get: () => error,
  printIfExists: (name, text) => (has(name) ? text : undefined) }
const { getKcContextMock } = createGetKcContextMock({ kcContextExtension: {}, kcContextExtensionPerPage: {} })
const kcContext = getKcContextMock({ pageId, overrides: { ...context, messagesPerField } })
const { useI18n } = i18nBuilder.withThemeName().build()
function Page() {
  const { i18n } = useI18n({ kcContext })
  return <DefaultPage {...{ kcContext, i18n, Template, UserProfileFormFields }} doUseDefaultCss={false} doMakeUserConfirmPassword />
}
createRoot(document.getElementById('root')).render(<Suspense><Page /></Suspense>)
`

const themed = (pageId: string, loginAction: string, more: object = {}): SiteResponse => {
  const context = {
    pageId,
    url: { loginAction, registrationAction: loginAction, registrationUrl: registration },
    realm: { name: 'acme', displayName: 'Acme', displayNameHtml: 'Acme', internationalizationEnabled: false },
    ...more,
  }
  return htmlPage(
    'Sign in to Acme',
    `<div id="root"></div><script>window.lab = ${JSON.stringify(context)}</script><script src="/static/page.js"></script>`,
  )
}
const loginPage = (more: object = {}) => themed('login.ftl', action, more)
const codePage = (more: object = {}) =>
  themed('login-otp.ftl', action, { otpLogin: { userOtpCredentials: [] }, ...more })
const registerPage = () => {
  const email = { validators: { pattern: { pattern: '@' } } }
  return themed('register.ftl', registration, { profile: { attributesByName: { email } } })
}

async function submitCredentials(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open(authorization)
  await person.type('#username', user)
  await person.type('#password', password)
  await person.click('#kc-login')
}

/** Pages of Keycloak's login theme, drawn by keycloakify, with a mock of its server. */
export const product: Product = {
  name: 'keycloak',
  host,
  packages: { npm: { keycloakify: '11.16.0', react: '18.3.1', 'react-dom': '18.3.1', esbuild: '0.28.2' } },
  start: async (stage) => {
    for (const password of [totp.password, expired.password, joined.password, renewed]) stage.secret(password)
    const folder = await bundle(stage, source)
    const known = [...accounts, totp, expired]
    let attempted = ''
    const granted = () =>
      redirectTo(`https://${appHost}/callback?state=lab&session_state=lab&code=lab`, [
        `KEYCLOAK_IDENTITY=${attempted}; Path=/realms/acme; Secure; HttpOnly`,
      ])
    await serveOwn(
      stage,
      host,
      ({ method, url, fields }) => {
        const at = `${method} ${url.pathname.slice('/realms/acme/'.length)}`
        if (at === 'GET protocol/openid-connect/auth') return loginPage()
        if (at === 'GET login-actions/registration') return registerPage()
        if (at === 'POST login-actions/registration') {
          attempted = fields.username ?? ''
          return granted()
        }
        if (at === 'GET login-actions/required-action') return themed('login-update-password.ftl', required)
        if (at === 'POST login-actions/required-action') return granted()
        if (at !== 'POST login-actions/authenticate') return undefined
        if (fields.otp !== undefined)
          return fields.otp === rightCode
            ? granted()
            : codePage({ field: 'totp', error: 'Invalid authenticator code.' })
        const { username = '', password } = fields
        attempted = username
        if (!known.some((one) => one.user === username && one.password === password))
          return loginPage({ login: { username }, field: 'username', error: 'Invalid username or password.' })
        if (username === totp.user) return codePage()
        return username === expired.user ? redirectTo(required) : granted()
      },
      { '/static/': folder },
    )
    await serveOwn(stage, appHost, ({ url, cookies }) => {
      if (url.pathname === '/callback') return redirectTo('/', ['session=lab; Path=/; Secure; HttpOnly'])
      return cookies.session === undefined ? redirectTo(authorization) : homePage('traveler')
    })
  },
  login: {
    path: `https://${appHost}/`,
    user: '#username',
    password: '#password',
    submit: '#kc-login',
    signedIn: '#home',
    refused: '#input-error',
    facts: { urlWithout: /session_code|9bUs2mT/ },
    accounts,
  },
  flows: [
    {
      name: 'second step: code',
      run: async (person) => {
        await submitCredentials(person, totp)
        await person.type('#otp', rightCode)
        await person.click('#kc-login')
        await person.see('#home')
      },
      // The page says only "One-time code", so the agent reports a factor of unknown kind.
      expect: [{ identity: totp.user, mfa: 'APP_TOTP' }],
    },
    {
      name: 'wrong code',
      run: async (person) => {
        await submitCredentials(person, totp)
        await person.type('#otp', '111111')
        await person.click('#kc-login')
        await person.see('#input-error-otp-code')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'leave at the code',
      run: async (person) => {
        await submitCredentials(person, totp)
        await person.see('#otp')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'expired password',
      run: async (person) => {
        await submitCredentials(person, expired)
        await person.type('#password-new', renewed)
        await person.type('#password-confirm', renewed)
        await person.click('input[type="submit"]')
        await person.see('#home')
      },
      expect: [{ identity: expired.user }],
    },
    {
      name: 'sign up',
      run: async (person) => {
        await person.open(authorization)
        await person.click('a[href*="registration"]')
        await person.type('#username', joined.user)
        await person.type('#password', joined.password)
        await person.type('#password-confirm', joined.password)
        await person.type('#email', `${joined.user}@acme-works.example`)
        await person.type('#firstName', 'Joan')
        await person.type('#lastName', 'Clarke')
        await person.click('input[type="submit"]')
        await person.see('#home')
      },
      expect: [{ identity: joined.user }],
    },
  ],
}
