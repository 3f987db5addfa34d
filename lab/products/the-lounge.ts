import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'chat.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Biscuit-Canyon-7714' },
  { user: 'grace.murray', password: 'Marble-Ostrich-3362' },
] as const
const changing = 'joan.clarke'
const passwords: [string, string] = ['Cymbal-Walnut-9085', 'Panther-Button-2241']

/** Without internet access, the update check would stop the server. */
const settings = (port: number): string => `
process.on('uncaughtException', () => undefined)
module.exports = { host: '127.0.0.1', port: ${port}, public: false, reverseProxy: true, prefetch: false,
  maxHistory: 10, messageStorage: [], identd: { enable: false }, fileUpload: { enable: false } }`

async function signIn(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open('/')
  await person.retype('#signin-username', user)
  await person.type('#signin-password', password)
  await person.click('#sign-in button[type="submit"]')
  await person.see('#sidebar')
}

/** The login uses a WebSocket that was opened before, so no request is observed. */
export const product: Product = {
  name: 'the-lounge',
  host,
  packages: { npm: { thelounge: '4.5.2' }, overrides: { 'irc-framework': '4.14.0' } },
  start: async ({ installed, data, node, serve, start, exec, secret }) => {
    const port = await serve(host)
    for (const password of passwords) secret(password)
    const modules = join(installed, 'node_modules')
    writeFileSync(join(data, 'config.js'), settings(port))
    mkdirSync(join(data, 'users'))
    const hash = "console.log(require('bcryptjs').hashSync(process.argv[1], 8))"
    for (const { user, password } of [...accounts, { user: changing, password: passwords[0] }]) {
      const hashed = await exec(node, ['-e', hash, password], { env: { NODE_PATH: modules } })
      const settings = { password: hashed.trim(), log: false, clientSettings: {}, sessions: {}, networks: [] }
      writeFileSync(join(data, 'users', `${user}.json`), JSON.stringify(settings))
    }
    await start(node, [join(modules, 'thelounge', 'index.js'), 'start'], {
      port,
      env: { THELOUNGE_HOME: data, NODE_ENV: 'production' },
    })
  },
  login: {
    user: '#signin-username',
    password: '#signin-password',
    submit: '#sign-in button[type="submit"]',
    signedIn: '#sidebar',
    refused: '#sign-in .error',
    accounts,
  },
  flows: [
    {
      name: 'change the own password',
      run: async (person) => {
        await signIn(person, { user: changing, password: passwords[0] })
        await person.open('/#/settings/account')
        await person.type('#current-password', passwords[0])
        await person.type('#new-password', passwords[1])
        await person.type('#new-password-verify', passwords[1])
        await person.click('button', 'Change password')
        await person.see('.feedback.success')
        await person.pause(1_500)
        passwords.reverse()
      },
      expect: [{ identity: changing }],
    },
    {
      name: 'sign out, sign in as another user',
      run: async (person) => {
        await signIn(person, accounts[0])
        await person.open('/#/settings/account')
        await person.click('button', 'Sign out')
        await person.see('#sign-in')
        await signIn(person, accounts[1])
      },
      expect: accounts.map(({ user }) => ({ identity: user })),
    },
  ],
}
