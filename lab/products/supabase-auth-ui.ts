import { htmlPage } from '../../e2e/src/sites/site.ts'
import type { Product } from '../src/lab-product.ts'
import { bundle, json, serveOwn } from '../src/own-server.ts'

const host = 'orders.acme-works.example'
const accounts = [
  { user: 'ada.byron@acme-works.example', password: 'Hamster-Velvet-4829' },
  { user: 'grace.murray@acme-works.example', password: 'Cricket-Lagoon-7105' },
] as const
const joined = { user: 'joined@acme-works.example', password: 'Walrus-Tulip-2684' }
const asked = { user: 'asked@acme-works.example', password: 'Spindle-Mango-9357' }

const source = `
import { createClient } from '@supabase/supabase-js'
import { Auth } from '@supabase/auth-ui-react'
import { ThemeSupa } from '@supabase/auth-ui-shared'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
const client = createClient('https://${host}', 'lab')
function App() {
  const [session, setSession] = useState(null)
  useEffect(() => {
    client.auth.getSession().then(({ data }) => setSession(data.session))
    return client.auth.onAuthStateChange((_, next) => setSession(next)).data.subscription.unsubscribe
  }, [])
  if (!session) return <Auth supabaseClient={client} appearance={{ theme: ThemeSupa }} providers={[]} magicLink />
  return <main><h1 id="home">Your orders</h1><button onClick={() => client.auth.signOut()}>Sign out</button></main>
}
createRoot(document.getElementById('root')).render(<App />)
`

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const user = (email: string) => ({
  id: email,
  aud: 'authenticated',
  role: 'authenticated',
  email,
  app_metadata: {},
})
const session = (email: string) => {
  const expires_at = Math.floor(Date.now() / 1_000) + 3_600
  const access_token = `${part({ alg: 'none' })}.${part({ sub: email, email, exp: expires_at })}.lab`
  return {
    access_token,
    token_type: 'bearer',
    expires_in: 3_600,
    expires_at,
    refresh_token: 'lab',
    user: user(email),
  }
}

/** Supabase Auth UI with a mock of its auth API. */
export const product: Product = {
  name: 'supabase-auth-ui',
  host,
  packages: {
    npm: {
      '@supabase/auth-ui-react': '0.4.7',
      '@supabase/auth-ui-shared': '0.1.8',
      '@supabase/supabase-js': '2.45.4',
      react: '18.3.1',
      'react-dom': '18.3.1',
      esbuild: '0.28.2',
    },
  },
  start: async (stage) => {
    for (const { password } of [joined, asked]) stage.secret(password)
    const folder = await bundle(stage, source)
    const respond: Parameters<typeof serveOwn>[2] = ({ method, url, fields }) => {
      const { email = '', password } = fields
      switch (`${method} ${url.pathname}`) {
        case 'GET /':
          return htmlPage('Orders', '<div id="root"></div><script src="/static/page.js"></script>')
        case 'POST /auth/v1/token':
          return accounts.some((one) => one.user === email && one.password === password)
            ? json(session(email))
            : json({ code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' }, 400)
        case 'POST /auth/v1/signup':
          // One user has to confirm the address first.
          return json(email === asked.user ? user(email) : session(email))
        case 'POST /auth/v1/otp':
          return json({})
        case 'POST /auth/v1/logout':
          return { status: 204 }
        default:
          return undefined
      }
    }
    await serveOwn(stage, host, respond, { '/static/': folder })
  },
  login: {
    user: 'input[name="email"]',
    password: 'input[name="password"]',
    submit: 'button[type="submit"]',
    signedIn: '#home',
    refused: '.supabase-auth-ui_ui-message',
    accounts,
  },
  flows: [
    {
      name: 'sign up',
      run: async (person) => {
        await person.open('/')
        await person.click('a[href="#auth-sign-up"]')
        await person.type('#auth-sign-up input[name="email"]', joined.user)
        await person.type('#auth-sign-up input[name="password"]', joined.password)
        await person.click('button[type="submit"]')
        await person.see('#home')
      },
      expect: [{ identity: joined.user }],
    },
    {
      name: 'sign up, address not confirmed',
      run: async (person) => {
        await person.open('/')
        await person.click('a[href="#auth-sign-up"]')
        await person.type('#auth-sign-up input[name="email"]', asked.user)
        await person.type('#auth-sign-up input[name="password"]', asked.password)
        await person.click('button[type="submit"]')
        await person.see('.supabase-auth-ui_ui-message', 'Check your email')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'magic link asked for',
      run: async (person) => {
        await person.open('/')
        await person.click('a[href="#auth-magic-link"]')
        await person.type('input[name="email"]', accounts[0].user)
        await person.click('button[type="submit"]')
        await person.see('.supabase-auth-ui_ui-message')
        await person.pause(1_500)
      },
      expect: [],
    },
  ],
}
