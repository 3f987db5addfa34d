import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'flows.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Kettle-Orchid-4417' },
  { user: 'grace.murray', password: 'Lantern-Pebble-9023' },
] as const

/** Settings that hash the passwords at startup. */
const settings = (port: number): string => `
const { hashSync } = require('bcryptjs')
module.exports = {
  uiPort: ${port}, uiHost: '127.0.0.1', flowFile: 'flows.json', credentialSecret: 'lab',
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false },
  adminAuth: { type: 'credentials', users: ${JSON.stringify(accounts)}.map(({ user, password }) => (
    { username: user, password: hashSync(password, 8), permissions: '*' })) },
}`

export const product: Product = {
  name: 'node-red',
  host,
  quick: true,
  packages: { npm: { 'node-red': '5.0.7' } },
  start: async ({ installed, data, node, serve, start }) => {
    const port = await serve(host)
    writeFileSync(join(data, 'settings.js'), settings(port))
    const program = join(installed, 'node_modules', 'node-red', 'red.js')
    await start(node, [program, '--userDir', data, '--settings', join(data, 'settings.js')], {
      port,
      env: { NODE_PATH: join(installed, 'node_modules') },
    })
  },
  login: {
    user: '#node-dialog-login-username',
    password: '#node-dialog-login-password',
    submit: '#node-dialog-login-submit',
    signedIn: '#red-ui-header-button-user',
    accounts,
  },
}
