import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'parse.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Pumpkin-Lagoon-5093' },
  { user: 'grace.murray', password: 'Sparrow-Canvas-7726' },
] as const

const config = {
  apps: [{ serverURL: `https://${host}/parse`, appId: 'lab', masterKey: 'lab', appName: 'Lab' }],
  users: accounts.map(({ user, password }) => ({ user, pass: password })),
  trustProxy: 1,
}

export const product: Product = {
  name: 'parse-dashboard',
  host,
  packages: { npm: { 'parse-dashboard': '9.2.0' } },
  start: async ({ installed, data, node, serve, start }) => {
    const port = await serve(host)
    const file = join(data, 'dashboard.json')
    writeFileSync(file, JSON.stringify(config))
    const program = join(installed, 'node_modules', 'parse-dashboard', 'bin', 'parse-dashboard')
    await start(
      node,
      [program, '--config', file, '--host', '127.0.0.1', '--port', String(port), '--trustProxy', '1'],
      {
        port,
        path: '/login',
      },
    )
  },
  login: {
    path: '/login',
    user: 'input[name="username"]',
    password: 'input[name="password"]',
    submit: 'input[type="submit"]',
    signedIn: 'a[href$="/apps"], [class*="sidebar"]',
    accounts,
  },
}
