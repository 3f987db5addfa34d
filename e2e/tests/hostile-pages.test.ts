import { expect, test } from 'vitest'
import { connectedBrowser } from '../src/connect.ts'
import { musterHost } from '../src/muster-service.ts'
import { signIn } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

inWorld('a hostile page', (world) => {
  test('reads nothing of the agent, forges nothing, and does not drown what is real', async () => {
    const { browser, record } = await connectedBrowser(world, 'ada@acme-works.example')
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

  test('cannot take a managed browser to another server, not even with a link', async () => {
    const identity = 'alan@acme-works.example'
    const { token } = await world.muster.command('enrolment-tokens create', '--name', 'fleet')
    const managed = { serverUrl: `https://${musterHost}`, enrolmentToken: token, identity }
    const browser = await world.launch({ profile: 'managed', managed })
    const record = await world.muster.waitFor('/v1/browsers', ({ email }) => email === identity, 'browser')
    const page = await browser.open('https://brass-verify.example/enroll/mel_5vJ3xk0Yq2rT8nBwLhZc4d')
    await page.getByRole('heading', { name: 'Connect this browser' }).waitFor()

    const email = 'loyal@acme-works.example'
    await signIn(page, { host: 'zapier.com', email, password: world.secret('Loyal-Compass-37-Onion') })
    expect(
      await world.muster.waitFor('/v1/accounts', (account) => account.email === email, 'account'),
    ).toMatchObject({ employeeId: record.employeeId })
    const asked = browser.context.pages().filter((one) => one.url().startsWith('chrome-extension://'))
    expect(asked.map((one) => one.url())).toEqual([])
    expect(
      world.web.requests.filter(({ target }) => target.startsWith('/agent/')).map(({ host }) => host),
    ).toEqual([])
    await browser.close()
  })
})
