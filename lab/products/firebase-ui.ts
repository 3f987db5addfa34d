import { join } from 'node:path'
import { htmlPage } from '../../e2e/src/sites/site.ts'
import type { Product } from '../src/lab-product.ts'
import { homePage, json, serveOwn } from '../src/own-server.ts'

const host = 'start.acme-works.example'
const accounts = [
  { user: 'ada.byron@acme-works.example', password: 'Juniper-Socket-3095' },
  { user: 'grace.murray@acme-works.example', password: 'Ribbon-Quarter-8241' },
] as const
const joined = { user: 'joined@acme-works.example', password: 'Tangent-Orchid-5560' }

const page = htmlPage(
  'Sign in',
  `<link rel="stylesheet" href="/firebaseui/firebaseui.css"><div id="container"></div>
<script src="/firebase/firebase-app-compat.js"></script><script src="/firebase/firebase-auth-compat.js"></script>
<script src="/firebaseui/firebaseui.js"></script><script>
firebase.initializeApp({ apiKey: 'lab', authDomain: '${host}', projectId: 'lab' })
firebase.auth().useEmulator('https://${host}', { disableWarnings: true })
new firebaseui.auth.AuthUI(firebase.auth()).start('#container', {
  signInSuccessUrl: '/home', signInOptions: [firebase.auth.EmailAuthProvider.PROVIDER_ID], credentialHelper: 'none',
})</script>`,
)

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const idToken = (email: string): string => {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const claims = { sub: email, user_id: email, email, iat: nowSeconds, exp: nowSeconds + 3600, aud: 'lab' }
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ ...claims, firebase: { sign_in_provider: 'password' } })}.`
}

/** FirebaseUI with a mock of the Identity Toolkit API. */
export const product: Product = {
  name: 'firebase-ui',
  host,
  packages: { npm: { firebaseui: '6.1.0', firebase: '9.23.0' } },
  start: async (stage) => {
    stage.secret(joined.password)
    const known = new Map<string, string>(accounts.map(({ user, password }) => [user, password]))
    const failed = (message: string) => json({ error: { code: 400, message, errors: [{ message }] } }, 400)
    const signedIn = (email: string) =>
      json({
        localId: email,
        email,
        idToken: idToken(email),
        refreshToken: email,
        expiresIn: '3600',
        registered: true,
      })
    const respond: Parameters<typeof serveOwn>[2] = ({ method, url, fields }) => {
      if (method === 'GET' && url.pathname === '/') return page
      if (method === 'GET' && url.pathname === '/home') return homePage('Ada')
      const email = fields.email ?? fields.identifier ?? ''
      switch (url.pathname.split(':').at(-1)) {
        case 'createAuthUri':
          return known.has(email)
            ? json({ registered: true, allProviders: ['password'], signinMethods: ['password'] })
            : json({ registered: false })
        case 'signInWithPassword':
          return known.get(email) === fields.password ? signedIn(email) : failed('INVALID_PASSWORD')
        case 'signUp':
          return signedIn(email)
        case 'update':
          return signedIn(joined.user)
        case 'lookup': {
          const [, claims = ''] = (fields.idToken ?? '').split('.')
          const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }
          const providerUserInfo = [{ providerId: 'password', email: sub, federatedId: sub, rawId: sub }]
          return json({ users: [{ localId: sub, email: sub, emailVerified: true, providerUserInfo }] })
        }
        default:
          return undefined
      }
    }
    const modules = join(stage.installed, 'node_modules')
    const folders = {
      '/firebaseui/': join(modules, 'firebaseui', 'dist'),
      '/firebase/': join(modules, 'firebase'),
    }
    await serveOwn(stage, host, respond, folders)
  },
  login: {
    user: 'input[name="email"]',
    next: 'button[type="submit"]',
    password: 'input[name="password"]',
    submit: 'button[type="submit"]',
    signedIn: '#home',
    refused: '.firebaseui-id-password-error',
    accounts,
  },
  flows: [
    {
      name: 'sign up',
      run: async (person) => {
        await person.open('/')
        await person.type('input[name="email"]', joined.user)
        await person.click('button[type="submit"]')
        await person.type('input[name="name"]', 'Joan Clarke')
        await person.type('input[name="newPassword"]', joined.password)
        await person.click('button[type="submit"]')
        await person.see('#home')
      },
      expect: [{ identity: joined.user }],
    },
  ],
}
