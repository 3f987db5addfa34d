import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { connectedBrowser } from '../src/connect.ts'
import { type ApiRecord, musterHost } from '../src/muster-service.ts'
import { reportedEvents } from '../src/reported-events.ts'
import { signIn } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

inWorld('a hostile page', (world) => {
  let browser: AgentBrowser
  let record: ApiRecord

  beforeAll(async () => {
    ;({ browser, record } = await connectedBrowser(world, 'ada@acme-works.example'))
  })

  test('cannot read the agent’s data, forge events or suppress real ones', async () => {
    const page = await browser.open(`https://brass-verify.example/hostile?agent=${world.agentId}`)
    const result = page.locator('#result')
    await result.filter({ hasText: '{' }).waitFor({ state: 'attached' })
    const found = JSON.parse((await result.textContent()) ?? '')
    expect(found).toMatchObject({ heard: [], replies: [], files: [], globals: [] })
    expect(found.sent).toBeGreaterThan(3000)

    const email = 'real@acme-works.example'
    await signIn(page, { host: 'zapier.com', email, password: world.secret('Genuine-Badger-51-Tulip') })
    await world.muster.waitFor('/v1/accounts', (account) => account.email === email, 'account that is real')
    expect(await world.muster.list('/v1/accounts')).toHaveLength(1)
    expect(await world.muster.list('/v1/accountsOther')).toEqual([])
    expect(await world.muster.list('/v1/detections')).toEqual([])
    expect(await world.muster.list('/v1/browsers')).toMatchObject([{ id: record.id }])
    const reports = world.line.requests.filter(({ target }) => target === '/agent/v1/events')
    expect(reports.length).toBeLessThan(50)
    for (const { body } of [...world.line.requests, ...reports]) expect(body).not.toContain('forged')
  })

  test('that imitates an identity provider’s sign-in is reported as phishing', async () => {
    const page = await browser.open('https://www.login-m1crosoft.example/microsoft?id=7')
    const detection = await world.muster.waitFor(
      '/v1/detections?detectionType=PHISHING',
      ({ url }) => url === 'https://www.login-m1crosoft.example/microsoft',
      'detection of the imitation',
    )
    expect(detection).toMatchObject({ severity: 'HIGH', response: 'MONITORED' })
    await page.close()
  })

  test('that puts a shell command on the clipboard is reported as malware delivery', async () => {
    const page = await browser.open('https://brass-verify.example/verify')
    await page.getByRole('button', { name: 'I am not a robot' }).click()
    const detection = await world.muster.waitFor(
      '/v1/detections?detectionType=MALWARE_DELIVERY',
      ({ url }) => url === 'https://brass-verify.example/verify',
      'detection of the copied command',
    )
    expect(detection).toMatchObject({ severity: 'HIGH', response: 'MONITORED' })
    for (const way of ['unheard', 'swapped', 'forged', 'left']) {
      const address = `https://brass-verify.example/verify/${way}`
      await page.goto(address)
      await page.getByRole('button', { name: 'I am not a robot' }).click()
      await until(`report of the command that is copied ${way}`, () =>
        reportedEvents(world, 'PAGE_THREAT').some(({ url }) => url === address),
      )
    }
    await page.close()
  })

  test('that draws its form late and stops all events is observed from the first key', async () => {
    const page = await browser.open('https://brass-verify.example/late')
    await page.getByRole('button', { name: 'Begin' }).click()
    await until('form', async () => (await page.title()) === 'Drawn')
    const email = 'early@acme-works.example'
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(world.secret('Early-Lantern-62-Harbor'))
    await page.keyboard.press('Enter')
    const login = await until('report of the login', () =>
      reportedEvents(world, 'LOGIN').find((event) => event.email === email),
    )
    expect(login.password).toMatchObject({ manuallyTyped: true })
    await page.close()
  })

  test('is not confused with sign-ins of legitimate sites', async () => {
    // Reports about the earlier pages may still arrive.
    const ids = async () => (await world.muster.list('/v1/detections')).map(({ id }) => id)
    const before = await ids()
    const page = await browser.open('https://accounts.google.com/signin')
    await page.goto('https://login.microsoftonline.com/signin')
    const email = 'honest@acme-works.example'
    await signIn(page, {
      host: 'portal.brassworks.example',
      email,
      password: world.secret('Honest-Copper-29-Lake'),
    })
    await world.muster.waitFor(`/v1/accountsOther?email=${email}`, () => true, 'account')
    expect(await ids()).toEqual(before)
    await page.close()
  })

  test('cannot connect a managed browser to another server, even with a link', async () => {
    const identity = 'alan@acme-works.example'
    const { token } = await world.muster.command('enrollment-tokens create', '--name', 'fleet')
    const managed = { serverUrl: `https://${musterHost}`, enrolmentToken: token, identity }
    const managedBrowser = await world.launch({ profile: 'managed', managed })
    const managedRecord = await world.muster.waitFor(
      '/v1/browsers',
      ({ email }) => email === identity,
      'browser',
    )
    const page = await managedBrowser.open('https://brass-verify.example/enroll/mel_5vJ3xk0Yq2rT8nBwLhZc4d')
    await page.getByRole('heading', { name: 'Connect this browser' }).waitFor()

    const email = 'loyal@acme-works.example'
    await signIn(page, { host: 'zapier.com', email, password: world.secret('Loyal-Compass-37-Onion') })
    expect(
      await world.muster.waitFor('/v1/accounts', (account) => account.email === email, 'account'),
    ).toMatchObject({ employeeId: managedRecord.employeeId })
    const asked = managedBrowser.context.pages().filter((one) => one.url().startsWith('chrome-extension://'))
    expect(asked.map((one) => one.url())).toEqual([])
    expect(
      world.web.requests.filter(({ target }) => target.startsWith('/agent/')).map(({ host }) => host),
    ).toEqual([])
    await managedBrowser.close()
  })
})
