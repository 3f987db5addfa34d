import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { connectedBrowser } from '../src/connect.ts'
import type { ApiRecord } from '../src/muster-service.ts'
import { enterPassword, signIn, submit } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

const address = 'grace@acme-works.example'
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase()

inWorld('a password in the browser', (world) => {
  let page: Page
  const leaked = 'Leaked-Lantern-77-Umbrella'
  const stolen = 'Stolen-Sundial-23-Harbour'
  const weak = 'P@ssw0rd1'

  beforeAll(async () => {
    for (const password of [leaked, stolen, weak]) world.secret(password)
    const others = Array.from({ length: 200 }, (_, index) => `${sha1(`other ${index}`)}:${index + 1}`)
    await world.muster.command(
      'range load',
      world.muster.file('range.txt', `${[...others, `${sha1(leaked)}:4711`].join('\n')}\n`),
    )
    await world.muster.call('POST', '/v1/controls/stolenCredentials', {
      source: 'test feed',
      credentials: [{ email: address, password: stolen }],
    })
    const { browser } = await connectedBrowser(world, address)
    page = await browser.context.newPage()
  })

  const accountAt = (appType: string, email = address) =>
    world.muster.waitFor(
      `/v1/accounts?appType=${appType}&email=${email}`,
      () => true,
      `account at ${appType}`,
    )
  const finding = (type: string, accountId: unknown, state: string): Promise<ApiRecord> =>
    world.muster.waitFor(
      `/v1/findings?type=${type}&accountId=${String(accountId)}`,
      (record) => record.state === state,
      `${state} finding ${type}`,
    )
  const change = async (host: string, current: string, next: string): Promise<void> => {
    await page.goto(`https://${host}/settings/password`)
    await enterPassword(page, 'Current password', current)
    await enterPassword(page, 'New password', next)
    await enterPassword(page, 'Repeat it', next)
    await submit(page, 'Save')
  }

  test('that is weak opens a finding; a new one resolves it; the old one reopens it', async () => {
    const host = 'zapier.com'
    await signIn(page, { host, email: address, password: weak })
    const account = await accountAt('ZAPIER')
    const opened = await finding('WEAK_PASSWORD', account.id, 'OPEN')
    expect(opened).toMatchObject({
      appType: 'ZAPIER',
      appId: account.appId,
      employeeId: account.employeeId,
      passwordId: account.passwordId,
      weakPasswordReasons: ['COMMON_BASE_WORD'],
    })
    const strong = world.secret('Granite-Teapot-Orbit-902')
    await change(host, weak, strong)
    await signIn(page, { host, email: address, password: strong })
    const resolved = await finding('WEAK_PASSWORD', account.id, 'RESOLVED')
    expect(resolved.id).toBe(opened.id)
    await signIn(page, { host, email: address, password: weak })
    expect((await finding('WEAK_PASSWORD', account.id, 'OPEN')).id).toBe(opened.id)
  })

  test('that is too short has that reason', async () => {
    const email = 'short@acme-works.example'
    await signIn(page, { host: 'zapier.com', email, password: world.secret('qZ7#v') })
    const account = await accountAt('ZAPIER', email)
    const opened = await finding('WEAK_PASSWORD', account.id, 'OPEN')
    expect(opened).toMatchObject({ weakPasswordReasons: ['TOO_SHORT'] })
  })

  test('that leaked opens a finding with a lookup of five characters', async () => {
    const host = 'www.notion.so'
    await signIn(page, { host, email: address, password: leaked })
    const account = await accountAt('NOTION')
    const opened = await finding('LEAKED_PASSWORD', account.id, 'OPEN')
    const asked = world.line.requests.filter(({ target }) => target.startsWith('/agent/v1/range/'))
    expect(asked.map(({ target }) => target)).toContain(`/agent/v1/range/${sha1(leaked).slice(0, 5)}`)
    for (const { target } of asked) expect(target).toMatch(/^\/agent\/v1\/range\/[0-9A-F]{5}$/)
    await signIn(page, { host, email: address, password: world.secret('Unleaked-Bicycle-61-Fjord') })
    expect((await finding('LEAKED_PASSWORD', account.id, 'RESOLVED')).id).toBe(opened.id)
  })

  test('used on two apps opens findings on both until one changes', async () => {
    const shared = world.secret('Shared-Walrus-45-Canyon')
    const email = 'twice@acme-works.example'
    const accounts = []
    for (const [host, appType] of [
      ['zapier.com', 'ZAPIER'],
      ['www.dropbox.com', 'DROPBOX'],
    ] as const) {
      await signIn(page, { host, email, password: shared })
      accounts.push(await accountAt(appType, email))
    }
    expect(accounts[0]?.passwordId).toBe(accounts[1]?.passwordId)
    const opened = []
    for (const { id } of accounts) opened.push((await finding('REUSED_PASSWORD', id, 'OPEN')).id)
    const own = world.secret('Solitary-Heron-18-Meadow')
    await signIn(page, { host: 'www.dropbox.com', email, password: own })
    const resolved = []
    for (const { id } of accounts) resolved.push((await finding('REUSED_PASSWORD', id, 'RESOLVED')).id)
    expect(resolved).toEqual(opened)
  })

  test('used on two domains with shared accounts is not reused, and is not judged with an appended code', async () => {
    const email = 'sisters@acme-works.example'
    const password = world.secret('Sister-Domains-64-Glacier')
    await signIn(page, { host: 'account.envato.com', email, password })
    const account = await accountAt('ENVATO', email)
    await signIn(page, { host: 'themeforest.net', email, password })
    await world.muster.waitFor(`/v1/accountsOther?email=${email}`, () => true, 'account at themeforest.net')
    await signIn(page, { host: 'us.etrade.com', email, password: `${password}123456` })
    expect(await accountAt('E_TRADE', email)).toMatchObject({ passwordId: null })
    const found = await world.muster.call('GET', `/v1/findings?accountId=${String(account.id)}`)
    expect(JSON.stringify(found)).not.toContain('REUSED_PASSWORD')
  })

  test('that was stolen opens a finding and a detection, and a new one resolves the finding', async () => {
    const host = 'trello.com'
    await signIn(page, { host, email: address, password: stolen })
    const account = await accountAt('TRELLO')
    const opened = await finding('STOLEN_CREDENTIALS', account.id, 'OPEN')
    const detection = await world.muster.waitFor(
      '/v1/detections?detectionType=STOLEN_CREDENTIALS',
      () => true,
      'detection of the stolen credential',
    )
    expect(detection).toMatchObject({ severity: 'HIGH', response: 'MONITORED', appType: 'TRELLO' })
    await signIn(page, { host, email: address, password: world.secret('Reclaimed-Pebble-73-Aurora') })
    expect((await finding('STOLEN_CREDENTIALS', account.id, 'RESOLVED')).id).toBe(opened.id)
  })
})
