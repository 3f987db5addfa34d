import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'portal.acme-works.example'
const accounts = [
  { user: 'ada.byron@acme-works.example', password: 'Cobalt-Harvest-4459' },
  { user: 'grace.murray@acme-works.example', password: 'Velvet-Summit-2087' },
] as const

const server = `
import { ExpressAuth, getSession } from '@auth/express'
import Credentials from '@auth/express/providers/credentials'
import express from 'express'
const [port, accounts] = [Number(process.argv[2]), JSON.parse(process.argv[3])]
const config = { trustHost: true, secret: 'a secret of the lab, long enough', providers: [Credentials({
  credentials: { email: { label: 'Email', type: 'email' }, password: { label: 'Password', type: 'password' } },
  authorize: ({ email, password }) =>
    accounts.some((one) => one.user === email && one.password === password) ? { id: email, email } : null,
})] }
const app = express()
app.set('trust proxy', true)
app.use('/auth/{*any}'.replace('{*any}', '*'), ExpressAuth(config))
app.get('/', async (request, response) => {
  const session = await getSession(request, config)
  if (session) response.send('<title>Portal</title><h1 id="home">Welcome</h1><a href="/auth/signout">Sign out</a>')
  else response.redirect('/auth/signin?callbackUrl=' + encodeURIComponent('https://${host}/'))
})
app.listen(port, '127.0.0.1')
`

export const product: Product = {
  name: 'auth-express',
  host,
  packages: { npm: { '@auth/express': '0.12.3', express: '4.21.2' } },
  start: async ({ installed, node, serve, start }) => {
    const port = await serve(host)
    const file = join(installed, 'lab-server.mjs')
    writeFileSync(file, server)
    await start(node, [file, String(port), JSON.stringify(accounts)], {
      port,
      cwd: installed,
      path: '/auth/signin',
    })
  },
  login: {
    user: 'input[name="email"]',
    password: 'input[name="password"]',
    submit: 'button[type="submit"]',
    signedIn: '#home',
    accounts,
  },
}
