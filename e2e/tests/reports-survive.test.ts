import type { Banner } from '@muster/contract/records/controls'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { allText } from '../src/closed-roots.ts'
import { connectedBrowser } from '../src/connect.ts'
import { quickHeartbeat } from '../src/policy-arrives.ts'
import { loginIsQueued, reportedEvents } from '../src/reported-events.ts'
import { enterPassword, signIn, submit } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

const banner: Banner = {
  id: 'files',
  appTypes: ['DROPBOX'],
  mode: 'INFORM',
  title: 'Files of customers',
  subtext: '',
  buttonText: null,
}

const stolen = 'Stolen-Lantern-64-Glacier'

const emails = Array.from({ length: 10 }, (_, index) => `offline${index}@acme-works.example`)

inWorld(
  'an agent whose background or browser is stopped',
  (world) => {
    let browser: AgentBrowser
    let page: Page

    beforeAll(async () => {
      await world.muster.command(
        'controls set',
        world.muster.file('controls.json', JSON.stringify({ banners: [banner] })),
      )
      await world.muster.call('POST', '/v1/controls/stolenCredentials', {
        source: 'test feed',
        credentials: [{ email: 'ada@acme-works.example', password: world.secret(stolen) }],
      })
      ;({ browser } = await connectedBrowser(world, 'ada@acme-works.example'))
      page = await browser.context.newPage()
    })

    const accountOf = (email: string) =>
      world.muster.waitFor(`/v1/accounts?email=${email}`, () => true, `account of ${email}`)

    test('detects a login if it was stopped between the steps', async () => {
      const email = 'steps@acme-works.example'
      await page.goto('https://zapier.com/signin')
      await page.getByLabel('E-mail').pressSequentially(email)
      await submit(page, 'Next')
      await until('the first step, kept', async () =>
        JSON.stringify(await waiting(world.agentId, browser)).includes(email),
      )
      await browser.endWorkers()
      await enterPassword(page, 'Password', world.secret('Between-Puffin-36-Glacier'))
      await submit(page, 'Continue')
      expect(await accountOf(email)).toMatchObject({ loginMethods: { passwordLogin: true } })
    })

    test('shows the banner and detects a login on a page whose messages were not answered', async () => {
      const email = 'unanswered@acme-works.example'
      await (await browser.worker(world.agentId)).evaluate(neverRead)
      await page.goto('https://www.dropbox.com/login')
      await browser.endWorkers()
      await until('banner', async () => (await allText(page)).includes(banner.title))
      await page.getByLabel('E-mail').fill(email)
      await enterPassword(page, 'Password', world.secret('Silent-Trombone-52-Orchid'))
      await submit(page, 'Log in')
      expect(await accountOf(email)).toMatchObject({ loginMethods: { passwordLogin: true } })
    })

    test('reports a login whose message was being handled when it was stopped', async () => {
      const email = 'unheard@acme-works.example'
      await page.goto('https://desk.tinworks.example/spa')
      await page.getByPlaceholder('E-mail').fill(email)
      await page.getByPlaceholder('Password').pressSequentially(world.secret('Unheard-Lantern-37-Bramble'))
      await (await browser.worker(world.agentId)).evaluate(neverRead)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      await browser.endWorkers()
      expect(
        await world.muster.waitFor(`/v1/accountsOther?email=${email}`, () => true, `account of ${email}`),
      ).toMatchObject({ loginMethods: { passwordLogin: true } })
    })

    test('keeps the password if it was stopped before the code and before it answered the page', async () => {
      const email = 'code@acme-works.example'
      const password = world.secret('Before-Falcon-81-Harvest')
      await (await browser.worker(world.agentId)).evaluate(neverDone('"secondStep":{'))
      await signIn(page, { host: 'zapier.com', path: '/otp-login', email, password })
      await until('login that waits for the code', async () =>
        JSON.stringify(await waiting(world.agentId, browser)).includes('"secondStep":{'),
      )
      await browser.endWorkers()
      await page.getByLabel('Code').pressSequentially('135790')
      await until('entered code, noted', async () =>
        JSON.stringify(await waiting(world.agentId, browser)).includes('"codeEntered":true'),
      )
      await submit(page, 'Verify')
      expect(await accountOf(email)).toMatchObject({
        mfaRegistered: true,
        passwordId: expect.any(String),
        loginMethods: { passwordLogin: true },
      })
    })

    test('keeps the stolen credential match if it was stopped before the code', async () => {
      const email = 'stolen@acme-works.example'
      await signIn(page, { host: 'zapier.com', path: '/otp-login', email, password: stolen })
      await until('match of the password, kept', async () =>
        JSON.stringify(await waiting(world.agentId, browser)).includes('"stolenIds":["'),
      )
      await browser.endWorkers()
      await page.getByLabel('Code').pressSequentially('246802')
      await submit(page, 'Verify')
      const { id } = await accountOf(email)
      const path = `/v1/findings?type=STOLEN_CREDENTIALS&accountId=${String(id)}`
      expect(await world.muster.waitFor(path, () => true, 'finding')).toMatchObject({ state: 'OPEN' })
    })

    test('delivers queued events once after it was stopped', async () => {
      const email = 'late@acme-works.example'
      await world.line.cut()
      await signIn(page, { host: 'zapier.com', email, password: world.secret('Parked-Tandem-14-Cinnamon') })
      await loginIsQueued(world, browser, email)
      await browser.endWorkers()
      await world.line.restore()
      // An alarm would wake the worker after half a minute; the next page wakes it earlier.
      await page.goto('https://zapier.com/home')
      await world.muster.waitFor(`/v1/accounts?email=${email}`, () => true, `account of ${email}`, 120_000)
      expect(reportedEvents(world, 'LOGIN').filter((login) => login.email === email)).toHaveLength(1)
    }, 300_000)

    test('delivers ten logins from an outage of Muster once each, after a browser restart', async () => {
      await world.line.cut()
      for (const [index, email] of emails.entries()) {
        await signIn(page, {
          host: 'zapier.com',
          email,
          password: world.secret(`Away-${index}-Submarine-${index}5`),
        })
        await loginIsQueued(world, browser, email)
      }
      await browser.close()
      await world.line.restore()
      await world.launch()

      const accounts = await until(
        'all accounts',
        async () => {
          const all = await world.muster.list('/v1/accounts?email=offline')
          return all.length >= emails.length ? all : undefined
        },
        120_000,
      )
      expect(accounts.map(({ email }) => email).toSorted()).toEqual(emails)
      const logins = reportedEvents(world, 'LOGIN').filter(({ email }) => email.startsWith('offline'))
      expect(new Set(logins.map(({ id }) => id)).size).toBe(emails.length)
      expect(logins.map(({ email }) => email).toSorted()).toEqual(emails)
    }, 300_000)
  },
  quickHeartbeat,
)

/** Returns what the agent stores until the browser is closed. */
const waiting = async (agentId: string, browser: AgentBrowser): Promise<unknown> =>
  (await browser.worker(agentId)).evaluate('chrome.storage.session.get()')

/** Prevents a worker of the agent from reading its storage, so it never answers. */
const neverRead = `{
  const { local, session } = chrome.storage
  local.get = session.get = () => new Promise(() => {})
}`

/** Lets a worker of the agent store values, but never resolves the write once a value contains a text. */
const neverDone = (text: string): string => `{
  const { session } = chrome.storage
  const keep = session.set.bind(session)
  session.set = (values) =>
    keep(values).then(() => JSON.stringify(values).includes(${JSON.stringify(text)}) ? new Promise(() => {}) : undefined)
}`
