import { htmlPage, redirectTo } from '../../e2e/src/sites/site.ts'
import type { Flow, Product } from '../src/lab-product.ts'
import { bundle, homePage, json, serveOwn } from '../src/own-server.ts'

const host = 'people.acme-works.example'
const accounts = [
  { user: 'ada.byron@acme-works.example', password: 'Lantern-Badger-5918' },
  { user: 'grace.murray@acme-works.example', password: 'Meadow-Piston-3046' },
] as const
const totp = { user: 'totp@acme-works.example', password: 'Ginger-Tunnel-8273' }
const joined = { user: 'joined@acme-works.example', password: 'Copper-Falcon-6491' }
const rightCode = '482913'
const submit = 'button[type="submit"]'

/** Draws the flow given by the page's address. */
const source = `
import { Login, Registration } from '@ory/elements-react/theme'
import { createRoot } from 'react-dom/client'
const kind = location.pathname.slice(1)
const url = location.origin
const project = { name: 'Acme People', default_locale: 'en', locale_behavior: 'force_default', registration_enabled: true,
  verification_enabled: false, recovery_enabled: false, login_ui_url: url + '/login', registration_ui_url: url + '/registration',
  recovery_ui_url: url, verification_ui_url: url, settings_ui_url: url, error_ui_url: url, default_redirect_url: url }
const Card = kind === 'login' ? Login : Registration
const config = { name: 'Acme People', sdk: { url }, project }
fetch('/self-service/' + kind + '/flows' + location.search)
  .then((response) => response.json())
  .then((flow) => createRoot(document.getElementById('root')).render(<Card flow={flow} config={config} />))
`

type Node = Readonly<Record<string, unknown>>
const node = (group: string, name: string, type: string, label?: string, more: object = {}): Node => ({
  type: 'input',
  group,
  attributes: { node_type: 'input', name, type, disabled: false, ...more },
  messages: [],
  meta: label === undefined ? {} : { label: { id: 1_070_000, text: label, type: 'info' } },
})
const csrf = node('default', 'csrf_token', 'hidden', undefined, { value: 'lab', required: true })
const method = (group: string, label: string) => node(group, 'method', 'submit', label, { value: group })
const message = (id: number, text: string) => [{ id, text, type: 'error', context: {} }]
const flow = (kind: string, nodes: readonly Node[], messages: readonly object[] = [], more: object = {}) => ({
  id: kind,
  type: 'browser',
  expires_at: '2099-01-01T00:00:00Z',
  issued_at: '2020-01-01T00:00:00Z',
  request_url: `https://${host}/self-service/${kind}/browser`,
  state: 'choose_method',
  ui: {
    action: `https://${host}/self-service/${kind}?flow=${kind}`,
    method: 'POST',
    nodes: [csrf, ...nodes],
    messages,
  },
  ...more,
})
const passwordFlow = (messages: readonly object[] = []) =>
  flow(
    'login',
    [
      node('default', 'identifier', 'text', 'Email', { required: true, autocomplete: 'username' }),
      node('password', 'password', 'password', 'Password', {
        required: true,
        autocomplete: 'current-password',
      }),
      method('password', 'Sign in with password'),
    ],
    messages,
    { requested_aal: 'aal1', refresh: false },
  )
const codeFlow = (messages: readonly object[] = []) =>
  flow(
    'login',
    [
      node('totp', 'totp_code', 'text', 'Authentication code', { required: true }),
      method('totp', 'Use Authenticator'),
    ],
    messages,
    { id: 'second', requested_aal: 'aal2', refresh: false },
  )
const registrationFlow = flow('registration', [
  node('password', 'traits.email', 'email', 'Email', { required: true, autocomplete: 'email' }),
  node('password', 'password', 'password', 'Password', { required: true, autocomplete: 'new-password' }),
  method('password', 'Sign up'),
])
const goOn = (path: string) => ({
  action: 'redirect_browser_to',
  redirect_browser_to: `https://${host}${path}`,
})

const codeStep = (name: string, code: string, expect: Flow['expect']): Flow => ({
  name,
  run: async (person) => {
    await person.open('/login?id=login')
    await person.type('input[name="identifier"]', totp.user)
    await person.type('input[name="password"]', totp.password)
    await person.click(submit)
    await person.type('input[name="totp_code"]', code)
    await person.click(submit)
    if (expect.length > 0) await person.see('#home')
    else await person.pause(3_000)
  },
  expect,
})

/** Ory Elements with a mock of the Kratos API. */
export const product: Product = {
  name: 'ory-elements',
  host,
  packages: {
    npm: {
      '@ory/elements-react': '1.2.1',
      '@ory/client-fetch': '1.22.22',
      react: '18.3.1',
      'react-dom': '18.3.1',
      esbuild: '0.28.2',
    },
  },
  start: async (stage) => {
    for (const { password } of [totp, joined]) stage.secret(password)
    const folder = await bundle(stage, source)
    const signedIn = (email: string) =>
      json(
        {
          session: { id: 'lab', active: true, identity: { id: email, traits: { email } } },
          continue_with: [goOn('/home')],
        },
        200,
        {
          'set-cookie': `ory_kratos_session=${encodeURIComponent(email)}; Path=/; Secure; HttpOnly`,
        },
      )
    const respond: Parameters<typeof serveOwn>[2] = ({ method, url, fields }) => {
      switch (`${method} ${url.pathname}`) {
        case 'GET /':
          return redirectTo('/login?id=login')
        case 'GET /login':
        case 'GET /registration':
          return htmlPage('Acme People', '<div id="root"></div><script src="/static/page.js"></script>')
        case 'GET /home':
          return homePage('Ada')
        case 'GET /self-service/login/flows':
          return json(url.searchParams.get('id') === 'second' ? codeFlow() : passwordFlow())
        case 'GET /self-service/registration/flows':
          return json(registrationFlow)
        case 'POST /self-service/registration':
          return signedIn(joined.user)
        case 'POST /self-service/login': {
          const { identifier = '', password, totp_code: code } = fields
          if (code !== undefined)
            return code === rightCode
              ? signedIn(totp.user)
              : json(
                  codeFlow(
                    message(4_000_008, 'The provided authentication code is invalid, please try again.'),
                  ),
                  400,
                )
          if (![...accounts, totp].some((one) => one.user === identifier && one.password === password))
            return json(
              passwordFlow(
                message(4_000_006, 'The provided credentials are invalid, check for spelling mistakes.'),
              ),
              400,
            )
          if (identifier !== totp.user) return signedIn(identifier)
          const second = {
            error: { id: 'browser_location_change_required', code: 422, status: 'Unprocessable Entity' },
          }
          return json({ ...second, redirect_browser_to: `https://${host}/login?id=second` }, 422)
        }
        default:
          return undefined
      }
    }
    await serveOwn(stage, host, respond, { '/static/': folder })
  },
  login: {
    user: 'input[name="identifier"]',
    password: 'input[name="password"]',
    submit,
    signedIn: '#home',
    refused: '[data-testid*="message"]',
    accounts,
  },
  flows: [
    codeStep('second step: totp', rightCode, [{ identity: totp.user, mfa: 'APP_TOTP' }]),
    codeStep('wrong code: totp', '111111', []),
    {
      name: 'sign up',
      run: async (person) => {
        await person.open('/registration?id=registration')
        await person.type('input[name="traits.email"]', joined.user)
        await person.type('input[name="password"]', joined.password)
        await person.click(submit)
        await person.see('#home')
      },
      expect: [{ identity: joined.user }],
    },
  ],
}
