import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../src/lab-product.ts'

const host = 'devices.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Lantern.Fossil-5174' },
  { user: 'grace.murray', password: 'Cinder.Maple-8830' },
] as const

export const product: Product = {
  name: 'meshcentral',
  host,
  packages: { npm: { meshcentral: '1.1.55' } },
  start: async ({ installed, data, node, serve, start, exec }) => {
    const port = await serve(host)
    const settings = {
      port,
      cert: host,
      portBind: '127.0.0.1',
      tlsOffload: '127.0.0.1',
      redirPort: 0,
      mpsPort: 0,
      selfUpdate: false,
      WANonly: true,
      exactPorts: true,
      allowLoginToken: false,
    }
    mkdirSync(join(data, 'store'))
    writeFileSync(
      join(data, 'store', 'config.json'),
      JSON.stringify({ settings, domains: { '': { newAccounts: false, title: 'Devices' } } }),
    )
    const program = [
      join(installed, 'node_modules', 'meshcentral', 'meshcentral.js'),
      '--datapath',
      join(data, 'store'),
      '--filespath',
      join(data, 'files'),
    ]
    const env = { NODE_ENV: 'production' }
    for (const { user, password } of accounts)
      await exec(
        node,
        [...program, '--createaccount', user, '--pass', password, '--email', `${user}@acme-works.example`],
        { env },
      )
    await start(node, [...program], { port, env })
  },
  login: {
    user: '#username',
    password: '#password',
    submit: '#loginButton',
    signedIn: '#logoutControlSpan, #logoutControl',
    accounts,
  },
}
