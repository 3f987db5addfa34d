import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'remote.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Tractor-Velvet-6031' },
  { user: 'grace.murray', password: 'Bonfire-Clover-2794' },
] as const
const totp = { user: 'totp.user', password: 'Jigsaw-Harvest-8517' }
const joined = 'Pelican-Thunder-4406'
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const signedIn = '#logoutControlSpan, #logoutControl'
let newcomers = 0

const settings = (port: number) => ({
  settings: {
    cert: host,
    WANonly: true,
    port,
    aliasPort: 443,
    redirPort: 0,
    mpsPort: 0,
    tlsOffload: '127.0.0.1',
    trustedProxy: '127.0.0.1',
    selfUpdate: false,
    maxInvalidLogin: false,
  },
  domains: { '': { title: 'Acme Remote', newAccounts: true } },
})

async function submitCredentials(person: Person, { user, password }: Credentials): Promise<void> {
  await person.open('/')
  await person.type('#username', user)
  await person.type('#password', password)
  await person.click('#loginButton')
}

export const product: Product = {
  name: 'meshcentral',
  host,
  packages: { npm: { meshcentral: '1.1.55' } },
  start: async ({ installed, data, node, serve, start, exec, ...stage }) => {
    const port = await serve(host)
    for (const password of [totp.password, joined]) stage.secret(password)
    const program = [join(installed, 'node_modules', 'meshcentral', 'meshcentral.js'), '--datapath', data]
    writeFileSync(join(data, 'config.json'), JSON.stringify(settings(port)))
    mkdirSync(join(data, 'files'))
    for (const { user, password } of [...accounts, totp])
      await exec(node, [
        ...program,
        '--createaccount',
        user,
        '--pass',
        password,
        '--email',
        `${user}@acme-works.example`,
      ])
    const database = join(data, 'meshcentral.db')
    const user = readFileSync(database, 'utf8')
      .split('\n')
      .findLast((line) => line.includes(`"user//${totp.user}"`))
    appendFileSync(database, `${JSON.stringify({ ...JSON.parse(user ?? ''), otpsecret: secret })}\n`)
    await start(node, program, { port })
  },
  login: {
    user: '#username',
    password: '#password',
    submit: '#loginButton',
    signedIn,
    refused: '#message1',
    accounts,
  },
  flows: [
    {
      name: 'second step: totp',
      run: async (person) => {
        await submitCredentials(person, totp)
        await person.type('#tokenInput', new TOTP({ secret }).generate())
        await person.click('#tokenOkButton')
        await person.see(signedIn)
      },
      // The page asks for a "login token" without naming a source, so the agent reports a factor of unknown kind.
      expect: [{ identity: totp.user, mfa: 'APP_TOTP' }],
    },
    {
      name: 'wrong code: totp',
      run: async (person) => {
        await submitCredentials(person, totp)
        await person.type('#tokenInput', '111111')
        await person.click('#tokenOkButton')
        await person.see('#message4')
        await person.pause(1_500)
      },
      expect: [],
    },
    {
      name: 'sign up',
      run: async (person) => {
        await person.open('/')
        await person.click('#newAccountDiv a')
        const name = `dorothy${++newcomers}`
        await person.type('#ausername', name)
        await person.type('#aemail', `${name}@acme-works.example`)
        await person.type('#apassword1', joined)
        await person.type('#apassword2', joined)
        await person.click('#createButton')
        await person.see(signedIn)
      },
      expect: [{ identity: 'dorothy1' }],
    },
  ],
}
