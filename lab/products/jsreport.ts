import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'reports.acme-works.example'
const account = { user: 'ada.byron', password: 'Picnic-Boulder-4926' }

const server = `
const [port, username, password] = process.argv.slice(2)
require('jsreport')({
  httpPort: Number(port), hostname: '127.0.0.1', trustUserCode: true, store: { provider: 'memory' },
  logger: { console: { level: 'warn' } },
  extensions: {
    authentication: { cookieSession: { secret: 'a secret of the lab' }, admin: { username, password } },
    'sample-template': { createSamples: false }, licensing: { enabled: false },
  },
}).init()
`

export const product: Product = {
  name: 'jsreport',
  host,
  packages: { npm: { jsreport: '4.14.2' } },
  start: async ({ installed, node, serve, start }) => {
    const port = await serve(host)
    const file = join(installed, 'lab-server.cjs')
    writeFileSync(file, server)
    await start(node, [file, String(port), account.user, account.password], { port, cwd: installed })
  },
  login: {
    user: 'input[name="username"]',
    password: 'input[name="password"]',
    submit: '.form button',
    signedIn: '#client-studio, .container > div, #root > div',
    accounts: [account],
  },
}
