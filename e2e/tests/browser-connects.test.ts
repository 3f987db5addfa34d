import { expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { connectedBrowser, consentPage, employeeOf, enrollmentLink } from '../src/connect.ts'
import { manifestOf } from '../src/extension-id.ts'
import { agentFolder } from '../src/make-world.ts'
import { musterHost } from '../src/muster-service.ts'
import { inWorld } from '../src/world.ts'

inWorld('a browser', (world) => {
  test('is connected by a link after the employee consents, and has a complete record', async () => {
    const { browser, employee, record } = await connectedBrowser(world, 'ada@acme-works.example')
    expect(record).toEqual({
      id: expect.any(String),
      employeeId: employee.id,
      email: 'ada@acme-works.example',
      version: browser.context.browser()?.version(),
      tokenType: 'INDIVIDUAL',
      isActive: true,
      browser: expect.stringMatching(/^(?:CHROME|OTHER)$/),
      os: 'LINUX',
      extensionVersion: manifestOf(agentFolder).version,
      language: 'en-US',
      profileEmail: null,
      profileSyncEnabled: expect.toBeOneOf([null, false]),
      creationTimestamp: expect.any(Number),
      lastOnlineTimestamp: expect.any(Number),
    })
    expect(await world.muster.call('GET', `/v1/employees/${employee.id}`)).toMatchObject({ licensed: true })

    // If device management names another server, nothing is reported to this one any more.
    await browser.close()
    const moved = await world.launch({ managed: { serverUrl: 'https://muster.elsewhere.example' } })
    await until('browser without connection', async () =>
      JSON.stringify(await world.stored(moved)).includes('"connection":null'),
    )
    await moved.close()
  })

  test('is not connected without consent, nor twice by the same link', async () => {
    const { id } = await employeeOf(world, 'grace@acme-works.example')
    const link = await enrollmentLink(world, id)
    const first = await world.launch({ profile: 'first' })
    const asked = await first.open(link)
    const question = await consentPage(world, first)
    await question.getByRole('heading', { name: musterHost }).waitFor()
    await question.close()
    expect(await world.muster.list(`/v1/browsers?employeeId=${id}`)).toEqual([])

    await asked.reload()
    await (await consentPage(world, first)).getByRole('button', { name: /^connect/i }).click()
    await world.muster.waitFor(`/v1/browsers?employeeId=${id}`, () => true, 'browser')
    const second = await world.launch({ profile: 'second' })
    const used = await second.open(link)
    await used.getByText(/used/i).first().waitFor()
    expect(await world.muster.list(`/v1/browsers?employeeId=${id}`)).toHaveLength(1)
  })

  test('is connected by device management without consent, for the configured employee', async () => {
    const identity = 'alan@acme-works.example'
    const { token } = await world.muster.command('enrollment-tokens create', '--name', 'fleet')
    await world.launch({
      profile: 'managed',
      managed: { serverUrl: `https://${musterHost}`, enrolmentToken: token, identity },
    })
    const record = await world.muster.waitFor('/v1/browsers', ({ email }) => email === identity, 'browser')
    expect(record).toMatchObject({ tokenType: 'MANAGED', isActive: true, os: 'LINUX' })
    expect(await world.muster.list(`/v1/employees?email=${identity}`)).toMatchObject([{ licensed: true }])
  })
})
