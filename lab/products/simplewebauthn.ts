import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Person } from '../src/lab-person.ts'
import type { Product } from '../src/lab-product.ts'
import type { Credentials } from '../src/login-flows.ts'

const host = 'vault.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Pigeon-Copper-1938' },
  { user: 'grace.murray', password: 'Sunset-Ladder-6470' },
] as const
const keyed = { user: 'alan.mathison', password: 'Radish-Voyage-3815' }

/** Site with passwords and optional passkeys. A passkey is then the second step, or replaces the password. */
const server = `
import {
  generateAuthenticationOptions, generateRegistrationOptions, verifyAuthenticationResponse, verifyRegistrationResponse,
} from '@simplewebauthn/server'
import express from 'express'
import { randomUUID } from 'node:crypto'
const [port, accounts, library] = [Number(process.argv[2]), JSON.parse(process.argv[3]), process.argv[4]]
const rp = { expectedOrigin: 'https://${host}', expectedRPID: '${host}', requireUserVerification: false }
const [sessions, passkeys] = [new Map(), new Map()]
const app = express()
app.use(express.json(), express.urlencoded({ extended: false }))
app.use((request, response, next) => {
  const id = /sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID()
  if (!sessions.has(id)) sessions.set(id, {})
  response.cookie('sid', id, { secure: true, httpOnly: true })
  request.session = sessions.get(id)
  next()
})
app.get('/library.js', (_, response) => response.sendFile(library))
const page = (title, body, script = '') => '<!doctype html><title>' + title + '</title><h1>' + title + '</h1>' + body +
  '<script src="/library.js"></script><script>const { startAuthentication, startRegistration } = SimpleWebAuthnBrowser;' +
  'const post = async (path, body) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" },' +
  ' body: JSON.stringify(body) })).json();' +
  'const prove = async (user) => { const optionsJSON = await post("/passkey/options", { user });' +
  ' const { ok } = await post("/passkey/verify", await startAuthentication({ optionsJSON })); if (ok) location.href = "/home" };' +
  script + '</script>'
const signIn = (error = '') => page('Sign in', (error && '<p role="alert" id="error">' + error + '</p>') +
  '<form method="post" action="/sign-in"><label>User name <input name="username" autocomplete="username webauthn"></label>' +
  '<label>Password <input type="password" name="password" autocomplete="current-password"></label>' +
  '<button id="sign-in">Sign in</button></form><button id="passkey" type="button">Sign in with a passkey</button>',
  'document.getElementById("passkey").onclick = () => prove(document.querySelector("[name=username]").value)')
app.get('/', (_, response) => response.send(signIn()))
app.post('/sign-in', ({ body, session }, response) => {
  const { username, password } = body
  if (!accounts.some((one) => one.user === username && one.password === password))
    return response.status(401).send(signIn('Wrong user name or password'))
  session.claimed = username
  if (passkeys.has(username)) return response.redirect(303, '/second-step')
  session.user = username
  response.redirect(303, '/home')
})
app.get('/second-step', (_, response) => response.send(page('Use your security key',
  '<p>Insert your security key and touch it.</p><button id="touch">Use security key</button>',
  'document.getElementById("touch").onclick = () => prove()')))
app.get('/home', ({ session }, response) => session.user === undefined ? response.redirect('/') : response.send(page('Vault',
  '<p id="home">Welcome, ' + session.user + '</p><button id="add">Add a passkey</button> <a id="sign-out" href="/sign-out">Sign out</a>',
  'document.getElementById("add").onclick = async () => {' +
  ' const optionsJSON = await post("/passkey/new", {});' +
  ' const { ok } = await post("/passkey/add", await startRegistration({ optionsJSON }));' +
  ' document.getElementById("add").outerHTML = "<p id=added>" + (ok ? "Passkey added" : "Failed") + "</p>" }')))
app.get('/sign-out', ({ session }, response) => {
  for (const name of Object.keys(session)) delete session[name]
  response.redirect('/')
})
app.post('/passkey/new', async ({ session }, response) => {
  const options = await generateRegistrationOptions({ rpName: 'Vault', rpID: '${host}', userName: session.user,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' } })
  session.challenge = options.challenge
  response.json(options)
})
app.post('/passkey/add', async ({ session, body }, response) => {
  const { verified, registrationInfo } = await verifyRegistrationResponse(
    { response: body, expectedChallenge: session.challenge, ...rp })
  if (verified) passkeys.set(session.user, registrationInfo.credential)
  response.json({ ok: verified })
})
app.post('/passkey/options', async ({ session, body }, response) => {
  session.claimed = body.user ?? session.claimed
  const known = passkeys.get(session.claimed)
  const options = await generateAuthenticationOptions({ rpID: '${host}', userVerification: 'preferred',
    allowCredentials: known ? [{ id: known.id, transports: known.transports }] : [] })
  session.challenge = options.challenge
  response.json(options)
})
app.post('/passkey/verify', async ({ session, body }, response) => {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse(
    { response: body, expectedChallenge: session.challenge, credential: passkeys.get(session.claimed), ...rp })
  if (verified) session.user = session.claimed
  response.json({ ok: verified })
})
app.post('/forget', (_, response) => { passkeys.clear(); response.json({}) })
app.listen(port, '127.0.0.1')
`

async function submitCredentials(person: Person, { user, password }: Credentials): Promise<void> {
  await person.type('input[name="username"]', user)
  await person.type('input[name="password"]', password)
  await person.click('#sign-in')
}

/** Signs in with the password, adds a passkey and signs out. */
async function addPasskey(person: Person): Promise<void> {
  await person.open('/')
  await person.evaluate(`fetch('/forget', { method: 'POST' })`)
  await person.plugInSecurityKey()
  await submitCredentials(person, keyed)
  await person.click('#add')
  await person.see('#added', 'Passkey added')
  await person.pause(1_500)
  await person.click('#sign-out')
}

/** Lab pages around the vendor's library, which requests and verifies passkeys. */
export const product: Product = {
  name: 'simplewebauthn',
  host,
  packages: {
    npm: { '@simplewebauthn/server': '13.2.2', '@simplewebauthn/browser': '13.2.2', express: '4.21.2' },
  },
  start: async ({ installed, node, serve, start, secret }) => {
    const port = await serve(host)
    secret(keyed.password)
    const file = join(installed, 'lab-server.mjs')
    writeFileSync(file, server)
    const library = join(installed, 'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js')
    await start(node, [file, String(port), JSON.stringify([...accounts, keyed]), library], {
      port,
      cwd: installed,
    })
  },
  login: {
    user: 'input[name="username"]',
    password: 'input[name="password"]',
    submit: '#sign-in',
    signedIn: '#home',
    refused: '#error',
    accounts,
  },
  flows: [
    {
      name: 'add a passkey after the login',
      browsers: ['chromium'],
      run: addPasskey,
      expect: [{ identity: keyed.user }],
    },
    {
      name: 'second step: security key',
      browsers: ['chromium'],
      run: async (person) => {
        await addPasskey(person)
        await submitCredentials(person, keyed)
        await person.click('#touch')
        await person.see('#home')
      },
      expect: [{ identity: keyed.user }, { identity: keyed.user, mfa: 'WEBAUTHN' }],
    },
    {
      name: 'passkey instead of the password',
      browsers: ['chromium'],
      run: async (person) => {
        await addPasskey(person)
        await person.type('input[name="username"]', keyed.user)
        await person.click('#passkey')
        await person.see('#home')
        await person.pause(1_500)
      },
      expect: [{ identity: keyed.user }],
    },
    {
      name: 'leave at the security key',
      browsers: ['chromium'],
      run: async (person) => {
        await addPasskey(person)
        await submitCredentials(person, keyed)
        await person.see('#touch')
        await person.pause(1_500)
      },
      expect: [{ identity: keyed.user }],
    },
  ],
}
