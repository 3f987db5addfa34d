import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { watchScripts } from '../src/agent-scripts.ts'
import { connectedBrowser } from '../src/connect.ts'
import { reportedEvents } from '../src/reported-events.ts'
import { wrongPassword } from '../src/sites/site.ts'
import { inWorld } from '../src/world.ts'

/**
 * Number of extra random logins. `MUSTER_LOGIN_MATRIX=<count>` tries this many failed and successful logins with random
 * shapes, timing and processor speed, in addition to the fixed sample.
 */
const matrix = Number(process.env.MUSTER_LOGIN_MATRIX ?? 0)
const host = 'https://desk.tinworks.example'
/** Maximum time until a login is reported, even without a mark on a slow machine. */
const waitMaximumMs = 60_000
/** Time to wait for a failed login: the form returns within 10 s, and a page without a form is a login after 12 s. */
const refusedWaitMs = 27_000
const right = 'Judge&Walrus-48-Tent'

interface Shape {
  readonly path: string
  /** Slowdown factor of the processor. */
  readonly slow?: number
}

inWorld('the judgment of a login attempt', (world) => {
  let browser: AgentBrowser

  beforeAll(async () => {
    ;({ browser } = await connectedBrowser(world, 'ada@acme-works.example'))
  })

  /** Submits the form of a page in a new tab. */
  async function submitForm({ path, slow = 1 }: Shape, email: string, password: string): Promise<Page> {
    const page = await browser.context.newPage()
    const session = await browser.context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slow })
    await page.goto(`${host}${path}`)
    const isPopup = path.includes('/popup')
    const opened = isPopup ? page.waitForEvent('popup') : Promise.resolve(page)
    if (isPopup) await page.getByRole('button', { name: 'Open login' }).click()
    const window = await opened
    const scope = path.includes('/frame') ? window.frameLocator('iframe') : window
    await scope.getByLabel('E-mail').fill(email)
    await scope.getByLabel('Password').fill(world.secret(password))
    await scope.getByRole('button', { name: 'Log in' }).click()
    return page
  }
  const loginsOf = (email: string) => reportedEvents(world, 'LOGIN').filter((login) => login.email === email)
  /** Returns the judgments shown on the agent's debug page. */
  const judgments = async (): Promise<unknown> =>
    (await browser.worker(world.agentId)).evaluate('chrome.storage.session.get("logins.judged")')
  const isReported = async (email: string) => {
    try {
      await until(`login of ${email}`, () => loginsOf(email).length > 0)
    } catch (error) {
      throw new Error(`no login of ${email}: ${JSON.stringify(await judgments())}`, { cause: error })
    }
  }

  const refused: Shape[] = [
    ...[0, 600, 1_200, 2_500, 5_000].map((delay) => ({ path: `/judged/full?delay=${delay}` })),
    { path: '/judged/full?delay=10000&redirect', slow: 6 },
    { path: '/judged/spa?delay=10000' },
    { path: '/judged/spa?delay=1200', slow: 6 },
    { path: '/judged/frame?delay=5000' },
    { path: '/judged/popup?delay=2500' },
  ]
  const good: Shape[] = [
    ...['plain', 'signOut', 'change', 'alert', 'newsletter', 'opacity', 'offScreen', 'trackers'].map(
      (landing) => ({ path: `/judged/full?landing=${landing}` }),
    ),
    { path: '/judged/full?inPlace&landing=change' },
    { path: '/judged/spa?landing=signOut', slow: 6 },
    { path: '/judged/spa?landing=plain' },
    { path: '/judged/frame?landing=signOut' },
    { path: '/judged/popup?landing=signOut' },
  ]

  test('a wrong password whose form returns late is no login, and a correct one is', async () => {
    const tried = await Promise.all([
      ...refused.map(async (shape, index) => ({
        shape,
        email: `refused${index}@acme-works.example`,
        page: await submitForm(shape, `refused${index}@acme-works.example`, wrongPassword),
      })),
      ...good.map(async (shape, index) => ({
        shape,
        email: `good${index}@acme-works.example`,
        page: await submitForm(shape, `good${index}@acme-works.example`, right),
      })),
    ])
    for (const { email } of tried.filter(({ email: name }) => name.startsWith('good')))
      await isReported(email)
    const formOf = (page: Page, path: string) =>
      path.includes('/frame')
        ? page.frameLocator('iframe').getByLabel('Password')
        : page.getByLabel('Password')
    for (const { page, shape } of tried.slice(0, refused.length))
      if (!shape.path.includes('/popup')) await formOf(page, shape.path).waitFor()
    const reported = reportedEvents(world, 'LOGIN').map(({ email }) => email)
    expect(reported.sort()).toEqual(good.map((_, index) => `good${index}@acme-works.example`).sort())
    for (const page of browser.context.pages().slice(1)) await page.close()
  })

  test.each<[string, boolean, (page: Page) => Promise<unknown>]>([
    ['goes back', true, (page) => page.goBack()],
    ['signs out', true, (page) => page.getByText('Sign out').click()],
    ['types another address of the host', false, (page) => page.goto(`${host}/judged/home?landing=signOut`)],
  ])('is detected if the user %s before the next page settles', async (way, isRead, leave) => {
    const email = `${way.replaceAll(' ', '.')}@acme-works.example`
    const page = await submitForm({ path: '/judged/full?landing=restless' }, email, right)
    const scripts = await watchScripts(page, world.agentId)
    await page.getByText('Sign out').waitFor()
    const hasReader = () => scripts().some(({ files }) => files.includes('login.js'))
    if (isRead) await until('reader of the page', hasReader)
    await leave(page)
    await isReported(email)
    expect(loginsOf(email)).toHaveLength(1)
    await page.close()
  })

  test('is explained on the debug page without an identity', async () => {
    const page = await browser.open(`chrome-extension://${world.agentId}/debug.html`)
    await page.getByText('SAME_FORM -100').first().waitFor()
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).toContain('tinworks.example · Signed in')
    expect(text).not.toContain('acme-works')
    await page.close()
  })

  const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T
  const ways = ['full?', 'full?redirect&', 'full?shell=Loading&', 'spa?', 'frame?', 'popup?']
  const goodWays = ['full?', 'full?inPlace&', 'spa?', 'frame?', 'popup?']
  const landings = 'plain signOut change unrelated alert newsletter search opacity offScreen inert trackers'
  const randomShape = (isRefused: boolean): Shape => ({
    path: isRefused
      ? `/judged/${pick(ways)}delay=${Math.floor(Math.random() * 10_000)}`
      : `/judged/${pick(goodWays)}landing=${pick(landings.split(' '))}`,
    slow: pick([1, 1, 2, 4, 6]),
  })

  async function tryRandom(
    index: number,
  ): Promise<{ readonly mistake: string | null; readonly afterMs: number }> {
    const isRefused = index % 2 === 0
    const shape = randomShape(isRefused)
    const email = `random${index}@acme-works.example`
    const page = await submitForm(shape, email, isRefused ? wrongPassword : right)
    const startMs = performance.now()
    const seen = await until(
      'login',
      () => loginsOf(email).length > 0,
      isRefused ? refusedWaitMs : waitMaximumMs,
    ).catch(() => false)
    await page.close()
    const isRight = seen !== isRefused && loginsOf(email).length <= 1
    const afterMs = isRefused ? 0 : Math.round(performance.now() - startMs)
    return { mistake: isRight ? null : `${email} ${shape.path} ×${shape.slow}`, afterMs }
  }

  const randomTest = async () => {
    const results: Awaited<ReturnType<typeof tryRandom>>[] = []
    let next = 0
    const work = async () => {
      while (next < matrix * 2) {
        const index = next++
        results.push(await tryRandom(index).catch((error) => ({ mistake: String(error), afterMs: 0 })))
      }
    }
    await Promise.all(Array.from({ length: 10 }, work))
    const times = results.map(({ afterMs }) => afterMs).filter((ms) => ms > 0)
    times.sort((a, b) => a - b)
    const mistakes = results.flatMap(({ mistake }) => mistake ?? [])
    console.log({
      tried: results.length,
      mistakes,
      medianMs: times[times.length >> 1],
      longestMs: times.at(-1),
    })
    console.log(JSON.stringify(await judgments()))
    expect(mistakes).toEqual([])
  }
  if (matrix > 0)
    test('has no false positives and no misses for random logins', { timeout: 3_600_000 }, randomTest)
})
