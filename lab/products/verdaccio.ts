import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'npm.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Saddle-Quarry-5518' },
  { user: 'grace.murray', password: 'Thimble-Harbor-2096' },
] as const

const config = `
storage: ./storage
web: { enable: true, title: Packages }
auth: { htpasswd: { file: ./htpasswd, algorithm: bcrypt, rounds: 8 } }
packages: { '**': { access: $all, publish: $authenticated } }
userRateLimit: { windowMs: 1000, max: 1000 }
log: { type: stdout, format: pretty, level: warn }
`

export const product: Product = {
  name: 'verdaccio',
  host,
  packages: { npm: { verdaccio: '6.10.4' }, overrides: { 'node-fetch': '2.7.0' } },
  start: async ({ installed, data, node, serve, start, exec }) => {
    const port = await serve(host)
    const modules = join(installed, 'node_modules')
    writeFileSync(join(data, 'config.yaml'), config)
    const hash = "const { hashSync } = require('bcryptjs'); console.log(hashSync(process.argv[1], 8))"
    const lines = await Promise.all(
      accounts.map(async ({ user, password }) => {
        const hashed = await exec(node, ['-e', hash, password], { env: { NODE_PATH: modules } })
        return `${user}:${hashed.trim()}\n`
      }),
    )
    writeFileSync(join(data, 'htpasswd'), lines.join(''))
    const program = join(modules, 'verdaccio', 'bin', 'verdaccio')
    await start(node, [program, '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`], { port })
  },
  login: {
    reach: async (person) => {
      await person.click('[data-testid="header--button-login"]')
    },
    user: '#login--dialog-username',
    password: '#login--dialog-password',
    submit: '#login--dialog-button-submit',
    signedIn: '[data-testid="logInDialogIcon"]',
    refused: '[data-testid="error"]',
    accounts,
  },
}
