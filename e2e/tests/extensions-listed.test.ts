import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { connectedBrowser } from '../src/connect.ts'
import { extensionIdOf } from '../src/extension-id.ts'
import { fixtureManifests, writeFixtureExtension } from '../src/fixture-extensions.ts'
import { inWorld } from '../src/world.ts'

inWorld('the extensions of a browser', (world) => {
  test('are listed with their permissions, and removed ones disappear, whenever they are removed', async () => {
    const folder = join(world.folder, 'extensions')
    const notes = writeFixtureExtension(folder, 'notes')
    const colors = writeFixtureExtension(folder, 'colors')
    const { browser, employee, record } = await connectedBrowser(world, 'linus@acme-works.example', {
      extensions: [notes, colors],
    })
    const listed = await until('both extensions', async () => {
      const all = await world.muster.list(`/v1/browserExtensions?browserId=${record.id}`)
      return all.length >= 2 ? all : undefined
    })
    const times = { creationTimestamp: expect.any(Number), lastUpdatedTimestamp: expect.any(Number) }
    const of = { employeeId: employee.id, browserId: record.id, id: expect.any(String), ...times }
    const found = { deploymentMode: 'DEVELOPMENT', enabled: true, disabledReason: null, updateUrl: null }
    const { notes: notesManifest, colors: colorsManifest } = fixtureManifests
    expect(listed.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1))).toEqual([
      {
        ...of,
        ...found,
        extensionId: extensionIdOf(colors),
        name: colorsManifest.name,
        description: colorsManifest.description,
        permissions: expect.toSatisfy(sameMembers(colorsManifest.permissions)),
        hostPermissions: [],
        version: '0.9',
        versionName: '0.9 beta',
        homePageUrl: null,
      },
      {
        ...of,
        ...found,
        extensionId: extensionIdOf(notes),
        name: notesManifest.name,
        description: notesManifest.description,
        permissions: expect.toSatisfy(sameMembers(notesManifest.permissions)),
        hostPermissions: expect.toSatisfy(sameMembers(notesManifest.host_permissions)),
        version: '2.4.1',
        versionName: null,
        homePageUrl: notesManifest.homepage_url,
      },
    ])

    // A change at the moment when the license is removed is not reported, and must be reported with the next license.
    const license = (licensed: boolean) =>
      world.muster.call('PATCH', `/v1/employees/${employee.id}`, { licensed })
    await license(false)
    const worker = await browser.worker(extensionIdOf(notes))
    // The worker may be gone before it answers.
    await worker.evaluate('void chrome.management.uninstallSelf()').catch(() => undefined)
    await until('agent that is dormant', async () =>
      JSON.stringify(await world.stored(browser)).includes('"state":"DORMANT"'),
    )
    await license(true)
    await browser.close()
    const awake = await world.launch({ extensions: [colors] })
    await until('removal of the extension', async () => {
      const all = await world.muster.list(`/v1/browserExtensions?browserId=${record.id}`)
      return all.length === 1 && all[0]?.name === colorsManifest.name
    })

    // Extensions removed while the browser is closed are removed as well.
    await awake.close()
    await world.launch()
    await until('removal of the other extension', async () => {
      const all = await world.muster.list(`/v1/browserExtensions?browserId=${record.id}`)
      return all.length === 0
    })
  })
})

const sameMembers =
  (wanted: readonly string[]) =>
  (found: unknown): boolean =>
    Array.isArray(found) && JSON.stringify(found.toSorted()) === JSON.stringify(wanted.toSorted())
