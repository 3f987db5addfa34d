import { htmlPage, redirectTo } from '../../e2e/src/sites/site.ts'
import type { Product } from '../src/lab-product.ts'
import { bundle, homePage, json, serveOwn } from '../src/own-server.ts'

const host = 'signin.acme-works.example'
const accounts = [
  { user: 'ada.byron@acme-works.example', password: 'Saffron-Tunnel-7348' },
  { user: 'grace.murray@acme-works.example', password: 'Meadow-Piston-1926' },
] as const
const joined = { user: 'joined@acme-works.example', password: 'Falcon-Drizzle-4471' }

const client = {
  id: 'lab',
  tenant: 'acme',
  authorize: `https://${host}/authorize`,
  callback: `https://${host}/callback`,
  hasAllowedOrigins: true,
  strategies: [
    {
      name: 'auth0',
      connections: [
        {
          name: 'Users',
          passwordPolicy: 'none',
          showSignup: true,
          showForgot: true,
          requires_username: false,
        },
      ],
    },
  ],
}

const source = `
import { Auth0Lock } from 'auth0-lock'
new Auth0Lock('lab', '${host}', {
  configurationBaseUrl: 'https://${host}', allowShowPassword: true, closable: false,
  auth: { redirectUrl: 'https://${host}/callback', responseType: 'code' },
}).show()
`

/** Auth0's Lock with a mock of the calls that it makes: cross-origin authentication and sign-up. */
export const product: Product = {
  name: 'auth0-lock',
  host,
  packages: { npm: { 'auth0-lock': '14.3.0', esbuild: '0.28.2' } },
  start: async (stage) => {
    stage.secret(joined.password)
    const folder = await bundle(stage, source)
    const known = new Map<string, string>([...accounts, joined].map(({ user, password }) => [user, password]))
    const respond: Parameters<typeof serveOwn>[2] = ({ method, url, fields, cookies }) => {
      switch (`${method} ${url.pathname}`) {
        case 'GET /':
          return htmlPage('Sign in', '<script src="/static/page.js"></script>')
        case 'GET /client/lab.js':
          return {
            headers: { 'content-type': 'text/javascript' },
            body: `Auth0.setClient(${JSON.stringify(client)})`,
          }
        case 'POST /co/authenticate':
          return known.get(fields.username ?? '') === fields.password
            ? json({ login_ticket: fields.username, co_verifier: 'lab', co_id: 'lab' })
            : json({ error: 'access_denied', error_description: 'Wrong email or password.' }, 403)
        case 'POST /dbconnections/signup':
          return json({ _id: 'lab', email: fields.email, email_verified: false })
        case 'GET /authorize':
          return redirectTo('/callback?code=lab', [
            `user=${url.searchParams.get('login_ticket')}; Path=/; Secure`,
          ])
        case 'GET /callback':
          return homePage(cookies.user ?? 'nobody')
        default:
          return undefined
      }
    }
    await serveOwn(stage, host, respond, { '/static/': folder })
  },
  login: {
    user: 'input[name="email"]',
    password: 'input[name="password"]',
    submit: 'button[name="submit"]',
    signedIn: '#home',
    refused: '.auth0-global-message-error',
    accounts,
  },
  flows: [
    {
      name: 'sign up',
      run: async (person) => {
        await person.open('/')
        await person.click('.auth0-lock-tabs a, .auth0-lock-tabs button', /sign up/i)
        await person.type('input[name="email"]', joined.user)
        await person.type('input[name="password"]', joined.password)
        await person.click('button[name="submit"]')
        await person.see('#home')
      },
      expect: [{ identity: joined.user }],
    },
  ],
}
