import type { Banner, Controls } from '@muster/contract/records/controls'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { allText } from '../src/closed-roots.ts'
import { connectedBrowser } from '../src/connect.ts'
import { policyOf, quickHeartbeat, setMode } from '../src/policy-arrives.ts'
import { enterPassword, submit } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

const address = 'ada@acme-works.example'
const banner: Banner = {
  id: 'news',
  appTypes: ['TRELLO'],
  mode: 'INFORM',
  title: 'The policy is here',
  subtext: '',
  buttonText: null,
}

inWorld(
  'a page that was open before the policy changed',
  (world) => {
    let browser: AgentBrowser

    beforeAll(async () => {
      ;({ browser } = await connectedBrowser(world, address))
    })

    const setControls = (controls: Partial<Controls>) =>
      world.muster.command('controls set', world.muster.file('controls.json', JSON.stringify(controls)))

    test('checks its passwords by the new policy', async () => {
      const password = world.secret('Plundered-Anchor-84-Thicket')
      expect((await policyOf(world, browser))?.stolenCredentials).toEqual([])
      const page = await browser.open('https://trello.com/login')
      await page.getByLabel('E-mail').fill(address)
      await world.muster.call('POST', '/v1/controls/stolenCredentials', {
        source: 'test feed',
        credentials: [{ email: address, password }],
      })
      // A banner of the new policy shows that the page has received it.
      await setControls({ banners: [banner] })
      await until('banner', async () => (await allText(page)).includes(banner.title))
      await enterPassword(page, 'Password', password)
      await submit(page, 'Log in')
      const detection = await world.muster.waitFor(
        '/v1/detections?detectionType=STOLEN_CREDENTIALS',
        () => true,
        'detection of the stolen credential',
      )
      expect(detection).toMatchObject({ appType: 'TRELLO' })
      await page.close()
    })

    test('is judged again and blocked', async () => {
      await setMode(world, browser, 'clonedLoginPages', 'OFF')
      const page = await browser.open('https://www.login-m1crosoft.example/microsoft')
      await page.getByPlaceholder('Password').focus()
      await setMode(world, browser, 'clonedLoginPages', 'BLOCK')
      const detection = await world.muster.waitFor(
        '/v1/detections?detectionType=PHISHING',
        () => true,
        'detection of the imitation',
      )
      expect(detection).toMatchObject({ response: 'BLOCKED' })
    })
  },
  quickHeartbeat,
)
