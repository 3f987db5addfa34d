import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'git.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Hollow-Ginger-7754' },
  { user: 'grace.murray', password: 'Static-Plum-1308' },
] as const

export const product: Product = {
  name: 'ungit',
  host,
  packages: { npm: { ungit: '1.5.30' } },
  start: async ({ installed, data, node, serve, start }) => {
    const port = await serve(host)
    const users = Object.fromEntries(accounts.map(({ user, password }) => [user, password]))
    const settings = {
      port,
      ungitBindIp: '127.0.0.1',
      authentication: true,
      users,
      launchBrowser: false,
      bugtracking: false,
      sendUsageStatistics: false,
      disableProgressBar: true,
      logLevel: 'none',
    }
    writeFileSync(join(data, '.ungitrc'), JSON.stringify(settings))
    const program = join(installed, 'node_modules', 'ungit', 'bin', 'ungit')
    await start(node, [program], { port, env: { HOME: data } })
  },
  login: {
    user: '#inputUsername',
    password: '#inputPassword',
    submit: '.login button',
    signedIn: '.home, .app-container .path, [data-bind*="repositories"]',
    refused: '.loginError',
    accounts,
  },
}
