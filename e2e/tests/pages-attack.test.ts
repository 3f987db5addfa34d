import { beforeAll, expect, test } from 'vitest'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { connectedBrowser } from '../src/connect.ts'
import { signIn } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

inWorld('a page that attacks', (world) => {
  let browser: AgentBrowser

  beforeAll(async () => {
    ;({ browser } = await connectedBrowser(world, 'ada@acme-works.example'))
  }, 60_000)

  test('by imitating the sign-in of an identity provider is phishing', async () => {
    const page = await browser.open('https://www.login-m1crosoft.example/microsoft?id=7')
    const detection = await world.muster.waitFor(
      '/v1/detections?detectionType=PHISHING',
      ({ url }) => url === 'https://www.login-m1crosoft.example/microsoft',
      'detection of the imitation',
    )
    expect(detection).toMatchObject({ severity: 'HIGH', response: 'MONITORED' })
    await page.close()
  })

  test('by a shell command on the clipboard is delivery of malware', async () => {
    const page = await browser.open('https://brass-verify.example/verify')
    await page.getByRole('button', { name: 'I am not a robot' }).click()
    const detection = await world.muster.waitFor(
      '/v1/detections?detectionType=MALWARE_DELIVERY',
      ({ url }) => url === 'https://brass-verify.example/verify',
      'detection of the copied command',
    )
    expect(detection).toMatchObject({ severity: 'HIGH', response: 'MONITORED' })
    await page.close()
  })

  test('is not what the sign-ins of honest sites are taken for', async () => {
    const before = await world.muster.list('/v1/detections')
    const page = await browser.open('https://accounts.google.com/signin')
    await page.goto('https://login.microsoftonline.com/signin')
    const email = 'honest@acme-works.example'
    await signIn(page, {
      host: 'portal.brassworks.example',
      email,
      password: world.secret('Honest-Copper-29-Lake'),
    })
    await world.muster.waitFor(`/v1/accountsOther?email=${email}`, () => true, 'account')
    expect(await world.muster.list('/v1/detections')).toEqual(before)
    await page.close()
  })
})
