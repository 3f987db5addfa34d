import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { employeeOf, enrollmentLink } from '../src/connect.ts'
import { manifestOf } from '../src/extension-id.ts'
import { type FirefoxBrowser, firefoxAgent, launchFirefox } from '../src/firefox-browser.ts'
import { fixtureManifests, writeFixtureExtension } from '../src/fixture-extensions.ts'
import type { ApiRecord } from '../src/muster-service.ts'
import { quickHeartbeat } from '../src/policy-arrives.ts'
import { reportedEvents } from '../src/reported-events.ts'
import { inWorld } from '../src/world.ts'

inWorld(
  'Firefox with the agent',
  (world) => {
    let firefox: FirefoxBrowser
    let employee: ApiRecord
    let record: ApiRecord

    beforeAll(async () => {
      firefox = await launchFirefox(world)
      employee = await employeeOf(world, 'ada@acme-works.example')
    })
    afterAll(() => firefox?.close())

    test('is connected by a link after consent', async () => {
      await firefox.install(firefoxAgent)
      await firefox.open(await enrollmentLink(world, employee.id))
      await firefox.goToTab(/^moz-extension:.*enroll\.html/)
      await firefox.click('#connect')
      record = await world.muster.waitFor('/v1/browsers', () => true, 'browser')
      expect(record).toMatchObject({
        employeeId: employee.id,
        browser: 'FIREFOX',
        os: 'LINUX',
        tokenType: 'INDIVIDUAL',
        isActive: true,
        extensionVersion: manifestOf(firefoxAgent).version,
        profileEmail: null,
      })
      // The extensions are listed once the policy is known.
      await until('list of extensions', () => reportedEvents(world, 'EXTENSIONS').length > 0)
    })

    test('reports a login, and the security key after the password', async () => {
      await firefox.goToTab(/^https:/)
      await firefox.plugInSecurityKey('zapier.com')
      await firefox.open('https://zapier.com/key-login')
      await firefox.type('[type=email]', 'fox@acme-works.example')
      await firefox.type('[type=password]', world.secret('Vixen-Pasture-58-Marble'))
      await firefox.click('[type=submit]')
      await firefox.click('#go')
      await until('page after the login', async () => new URL(await firefox.address()).pathname === '/home')
      const account = await world.muster.waitFor('/v1/accounts?appType=ZAPIER', () => true, 'account')
      expect(account).toMatchObject({
        email: 'fox@acme-works.example',
        loginMethods: { passwordLogin: true },
        mfaMethods: ['WEBAUTHN'],
      })
      expect(await world.muster.list(`/v1/accounts/${account.id}/usedBy`)).toMatchObject([
        { employeeId: employee.id, passwordManuallyTyped: true },
      ])
    })

    test('lists its extensions', async () => {
      await firefox.install(writeFixtureExtension(join(world.folder, 'extensions'), 'fox'))
      const { name, version, permissions } = fixtureManifests.fox
      const listed = await world.muster.waitFor(
        `/v1/browserExtensions?browserId=${record.id}`,
        (extension) => extension.name === name,
        'extension',
      )
      expect(listed).toMatchObject({
        extensionId: fixtureManifests.fox.browser_specific_settings.gecko.id,
        version,
        permissions: expect.arrayContaining([...permissions]),
        deploymentMode: 'DEVELOPMENT',
        enabled: true,
      })
    })

    test('covers a page that imitates a provider with a warning', async () => {
      const controls = JSON.stringify({ clonedLoginPages: { mode: 'WARN', rules: [] } })
      await world.muster.command('controls set', world.muster.file('controls.json', controls))
      const asked = () => world.line.requests.filter(({ target }) => target === '/agent/v1/policy').length
      // A policy is active when the next one is requested.
      const before = asked()
      await until('browser that has the policy', () => asked() > before + 1)
      await firefox.open('https://www.login-m1crosoft.example/microsoft')
      await until('report of the warning', () =>
        reportedEvents(world, 'PAGE_THREAT').some(({ response }) => response === 'EMPLOYEE_WARNED'),
      )
      await until('warning in front of the page', () =>
        firefox.evaluate(
          'document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.parentElement === document.documentElement',
        ),
      )
      expect(
        await world.muster.waitFor('/v1/detections?detectionType=PHISHING', () => true, 'detection'),
      ).toMatchObject({ severity: 'MEDIUM', response: 'EMPLOYEE_WARNED', appType: 'MICROSOFT_365' })
    })

    test('blocks a blocked URL', async () => {
      await world.muster.call('POST', '/v1/controls/blockedUrls', { url: 'wiki.acme-works.example' })
      await until('block page', async () => {
        await firefox.open('https://wiki.acme-works.example/handbook')
        return /^moz-extension:.*block\.html/.test(await firefox.address())
      })
      const detection = await world.muster.waitFor(
        '/v1/detections?detectionType=BLOCKED_URL',
        () => true,
        'detection',
      )
      expect(detection).toMatchObject({
        detectionType: 'BLOCKED_URL',
        browserId: record.id,
        url: 'https://wiki.acme-works.example/handbook',
      })
    })
  },
  quickHeartbeat,
)
