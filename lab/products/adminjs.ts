import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'admin.acme-works.example'
const accounts = [
  { user: 'ada.byron@acme-works.example', password: 'Biscuit-Tundra-8841' },
  { user: 'grace.murray@acme-works.example', password: 'Walnut-Glacier-3307' },
] as const

const server = `
import AdminJS from 'adminjs'
import AdminJSExpress from '@adminjs/express'
import express from 'express'
const [port, accounts] = [Number(process.argv[2]), JSON.parse(process.argv[3])]
const admin = new AdminJS({ rootPath: '/admin' })
const app = express()
app.set('trust proxy', 1)
const authenticate = async (email, password) =>
  accounts.some((one) => one.user === email && one.password === password) ? { email } : null
app.use('/admin', AdminJSExpress.buildAuthenticatedRouter(admin,
  { authenticate, cookieName: 'adminjs', cookiePassword: 'a cookie password of the lab, long enough' },
  null, { resave: false, saveUninitialized: true, secret: 'a session secret of the lab' }))
app.listen(port, '127.0.0.1')
`

export const product: Product = {
  name: 'adminjs',
  host,
  packages: {
    npm: {
      adminjs: '7.8.17',
      '@adminjs/express': '6.1.1',
      express: '4.22.3',
      'express-formidable': '1.2.0',
      'express-session': '1.19.0',
      tslib: '2.9.1',
    },
    // Its extensions are resolved newer than this core, which then lacks what they import.
    overrides: { '@tiptap/core': '2.27.3', '@tiptap/pm': '2.27.3' },
  },
  start: async ({ installed, node, serve, start }) => {
    const port = await serve(host)
    // Modules are found from the place of the file.
    const file = join(installed, 'lab-server.mjs')
    writeFileSync(file, server)
    await start(node, [file, String(port), JSON.stringify(accounts)], {
      port,
      cwd: installed,
      path: '/admin/login',
      env: { NODE_ENV: 'production' },
    })
  },
  login: {
    path: '/admin',
    user: 'input[name="email"]',
    password: 'input[name="password"]',
    submit: 'form button',
    signedIn: '[data-css="sidebar"]',
    accounts,
  },
}
