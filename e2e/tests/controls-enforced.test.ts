import { join } from 'node:path'
import type { Banner } from '@muster/contract/records/controls'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { allText, pressInClosedRoot } from '../src/closed-roots.ts'
import { connectedBrowser } from '../src/connect.ts'
import { extensionIdOf } from '../src/extension-id.ts'
import { fixtureManifests, writeFixtureExtension } from '../src/fixture-extensions.ts'
import type { ApiRecord } from '../src/muster-service.ts'
import { policyOf, quickHeartbeat, setMode } from '../src/policy-arrives.ts'
import { reportedEvents } from '../src/reported-events.ts'
import { signIn } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

const banner = (appType: string, mode: Banner['mode']): Banner => ({
  id: mode,
  appTypes: [appType],
  mode,
  title: `About ${appType}`,
  subtext: 'Ask before you put anything of a customer there.',
  buttonText: null,
})

inWorld(
  'a policy',
  (world) => {
    let browser: AgentBrowser
    let employee: ApiRecord
    let record: ApiRecord
    let page: Page

    beforeAll(async () => {
      const folder = join(world.folder, 'extensions')
      const notes = writeFixtureExtension(folder, 'notes')
      const colors = writeFixtureExtension(folder, 'colors')
      const controls = {
        banners: [
          banner('ZAPIER', 'INFORM'),
          banner('DROPBOX', 'ACKNOWLEDGE'),
          banner('TRELLO', 'REASON'),
          banner('NOTION', 'BLOCK'),
        ],
        blockedExtensionIds: [extensionIdOf(notes)],
        badExtensions: [{ extensionId: extensionIdOf(colors), risk: 'HIGH' }],
      }
      await world.muster.command('controls set', world.muster.file('controls.json', JSON.stringify(controls)))
      const plan = { extensions: [notes, colors] }
      ;({ browser, employee, record } = await connectedBrowser(world, 'ada@acme-works.example', plan))
      page = await browser.context.newPage()
    })

    const answersTo = (mode: Banner['mode'], count: number) =>
      until(`${count} reports of the banner ${mode}`, () => {
        const reports = reportedEvents(world, 'APP_BANNER').filter(({ bannerId }) => bannerId === mode)
        return reports.length >= count && reports.map(({ host, action, reason }) => [host, action, reason])
      })
    const visit = async (host: string, title: string) => {
      await page.goto(`https://${host}/home`)
      await until(`banner on ${host}`, async () => (await allText(page)).includes(title))
    }

    test('disables a blocked extension, and reports a bad extension as a detection', async () => {
      const { name } = fixtureManifests.notes
      await world.muster.waitFor(
        `/v1/browserExtensions?browserId=${record.id}`,
        (extension) => extension.name === name && extension.enabled === false,
        'extension that is disabled',
      )
      const detection = await world.muster.waitFor(
        '/v1/detections?detectionType=MALICIOUS_BROWSER_EXTENSION',
        () => true,
        'detection of the bad extension',
      )
      expect(detection).toMatchObject({
        severity: 'HIGH',
        browserId: record.id,
        employee: { email: 'ada@acme-works.example' },
      })
      expect(await world.muster.list('/v1/detections')).toHaveLength(1)
    })

    test('shows banners: one to close, one to acknowledge, one that asks for a reason', async () => {
      await visit('zapier.com', 'About ZAPIER')
      // The banner is not modal, so the page can be used.
      await page.getByRole('link', { name: 'Home' }).click()
      await pressInClosedRoot(page, /^close$/i)
      expect(await answersTo('INFORM', 3)).toEqual([
        ['zapier.com', 'DISPLAYED', null],
        ['zapier.com', 'DISPLAYED', null],
        ['zapier.com', 'ACKNOWLEDGED', null],
      ])

      await visit('www.dropbox.com', 'About DROPBOX')
      await pressInClosedRoot(page, /^i understand$/i)
      expect(await answersTo('ACKNOWLEDGE', 2)).toEqual([
        ['www.dropbox.com', 'DISPLAYED', null],
        ['www.dropbox.com', 'ACKNOWLEDGED', null],
      ])

      await visit('trello.com', 'About TRELLO')
      await page.keyboard.type('The board of the supplier')
      await pressInClosedRoot(page, /^continue$/i)
      expect(await answersTo('REASON', 2)).toEqual([
        ['trello.com', 'DISPLAYED', null],
        ['trello.com', 'ACKNOWLEDGED', 'The board of the supplier'],
      ])
    })

    test('blocks an app with a banner that only leads back', async () => {
      await visit('www.notion.so', 'About NOTION')
      await page.keyboard.press('Escape')
      expect(await allText(page)).toContain('About NOTION')
      await pressInClosedRoot(page, /^go back$/i)
      await page.waitForURL('https://trello.com/home')
      expect(await answersTo('BLOCK', 1)).toEqual([['www.notion.so', 'DISPLAYED', null]])

      const opened = browser.context.waitForEvent('page')
      await page.evaluate("void open('https://www.notion.so/home')")
      const withoutHistory = await opened
      await pressInClosedRoot(withoutHistory, /^go back$/i)
      await withoutHistory.waitForURL('about:blank')
      await withoutHistory.close()
    })

    test('blocks a page that imitates a provider, even if it fights the warning', async () => {
      await setMode(world, browser, 'clonedLoginPages', 'BLOCK')
      const fight = (way: string) => page.goto(`https://www.login-m1crosoft.example/microsoft?fight=${way}`)
      const inFront = () =>
        page.evaluate(
          'document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.parentElement === document.documentElement',
        )
      await fight('hide')
      await until('warning in front of the page', inFront)
      for (const way of ['remove', 'navigate', 'cover', 'popover']) {
        await fight(way)
        await page.waitForURL((url) => !url.search.includes(way))
      }
      const found = await world.muster.waitFor(
        '/v1/detections?detectionType=PHISHING',
        () => true,
        'detection',
      )
      expect(found).toMatchObject({ severity: 'LOW', response: 'BLOCKED' })
    })

    const reportsSent = () => world.line.requests.filter(({ target }) => target === '/agent/v1/events').length

    test('ends without a license: nothing is observed until there is one again', async () => {
      const license = (licensed: boolean) =>
        world.muster.call('PATCH', `/v1/employees/${employee.id}`, { licensed })
      await license(false)
      await until('agent that is dormant', async () =>
        JSON.stringify(await world.stored(browser)).includes('"state":"DORMANT"'),
      )
      await until('end of the policy', async () => (await policyOf(world, browser)) === undefined)
      const sent = reportsSent()
      const password = world.secret('Slumber-Cobalt-39-Ferry')
      await signIn(page, { host: 'zapier.com', email: 'asleep@acme-works.example', password })
      expect(await allText(page)).not.toContain('About ZAPIER')
      expect(JSON.stringify(await world.stored(browser))).not.toContain('asleep@')
      expect(reportsSent()).toBe(sent)

      await license(true)
      await browser.close()
      browser = await world.launch()
      await until('policy in the browser', () => policyOf(world, browser))
      page = await browser.context.newPage()
      await signIn(page, { host: 'zapier.com', email: 'awake@acme-works.example', password })
      await world.muster.waitFor('/v1/accounts', ({ email }) => email === 'awake@acme-works.example', 'login')
      expect(await world.muster.list('/v1/accounts')).toHaveLength(1)
    })
  },
  quickHeartbeat,
)
