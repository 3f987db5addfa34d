import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'records.acme-works.example'
const accounts = [
  { user: 'ada.byron@acme-works.example', password: 'Saffron-Kettle-5027' },
  { user: 'grace.murray@acme-works.example', password: 'Domino-Prairie-8164' },
] as const
const signedIn = '[data-css="sidebar"], .adminjs_Sidebar'

/** Parts of the editor whose newest versions are incompatible with its core. */
const editorParts = [
  'blockquote',
  'bold',
  'bullet-list',
  'code-block',
  'dropcursor',
  'gapcursor',
  'hard-break',
  'history',
  'horizontal-rule',
  'italic',
  'list-item',
  'ordered-list',
  'paragraph',
  'strike',
]

const server = `
import AdminJSExpress from '@adminjs/express'
import AdminJS from 'adminjs'
import express from 'express'
const [port, accounts] = [Number(process.argv[2]), JSON.parse(process.argv[3])]
const admin = new AdminJS({ rootPath: '/admin', branding: { companyName: 'Acme Records', withMadeWithLove: false } })
const secret = 'a secret of the lab, long enough'
const authenticate = async (email, password) =>
  accounts.some((one) => one.user === email && one.password === password) ? { email } : null
const app = express()
app.set('trust proxy', true)
app.use('/admin', AdminJSExpress.buildAuthenticatedRouter(
  admin, { authenticate, cookieName: 'adminjs', cookiePassword: secret }, null,
  { resave: false, saveUninitialized: false, secret }))
app.listen(port, '127.0.0.1')
`

export const product: Product = {
  name: 'adminjs',
  host,
  packages: {
    npm: {
      adminjs: '7.8.17',
      '@adminjs/express': '6.1.1',
      express: '4.21.2',
      'express-formidable': '1.2.0',
      'express-session': '1.18.2',
      tslib: '2.8.1',
    },
    overrides: Object.fromEntries(editorParts.map((part) => [`@tiptap/extension-${part}`, '2.1.13'])),
  },
  start: async ({ installed, data, node, serve, start }) => {
    const port = await serve(host)
    const file = join(installed, 'lab-server.mjs')
    writeFileSync(file, server)
    // Empty, because the lab has no components to bundle.
    mkdirSync(join(data, 'bundles'))
    writeFileSync(join(data, 'bundles', 'bundle.js'), '')
    await start(node, [file, String(port), JSON.stringify(accounts)], {
      port,
      cwd: data,
      path: '/admin/login',
      env: {
        NODE_ENV: 'production',
        ADMIN_JS_SKIP_BUNDLE: 'true',
        ADMIN_JS_TMP_DIR: join(data, 'bundles'),
      },
    })
  },
  login: {
    path: '/admin',
    user: 'input[name="email"]',
    password: 'input[name="password"]',
    submit: 'form button, form input[type="submit"]',
    signedIn,
    accounts,
  },
}
