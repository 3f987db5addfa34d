import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../test/support/services.ts'
import type { Product } from '../src/lab-product.ts'

const host = 'toggles.acme-works.example'
const account = { user: 'ada.byron', password: 'Quartz-Sailor-2258' }

const server = `
import { start } from 'unleash-server'
const [port, databaseUrl, username, password] = process.argv.slice(2)
await start({
  databaseUrl, server: { host: '127.0.0.1', port: Number(port), unleashUrl: 'https://${host}' },
  authentication: { type: 'open-source', initialAdminUser: { username, password } },
  versionCheck: { enable: false }, logLevel: 'warn', telemetry: false,
})
`

export const product: Product = {
  name: 'unleash',
  host,
  packages: { npm: { 'unleash-server': '8.2.0' } },
  start: async ({ installed, node, serve, start, defer }) => {
    const postgres = await startPostgres()
    defer(() => postgres.stop())
    const port = await serve(host)
    const file = join(installed, 'lab-server.mjs')
    writeFileSync(file, server)
    const database = `${postgres.url}?sslmode=disable`
    await start(node, [file, String(port), database, account.user, account.password], {
      port,
      cwd: installed,
      path: '/health',
      env: { DATABASE_SSL: 'false', NODE_ENV: 'production', SEND_TELEMETRY: 'false', CHECK_VERSION: 'false' },
    })
  },
  login: {
    path: '/login',
    user: 'input[name="username"], #username',
    password: 'input[type="password"]',
    submit: 'button[type="submit"]',
    signedIn: 'header button',
    accounts: [account],
  },
}
