import { browserExtensions } from '@muster/contract/records/browser-extension'
import { describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, page } from '../../../../test/support/answers.ts'
import { aBrowserExtension, put, unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    describe('GET /v1/browserExtensions', () => {
      describeList(h, {
        path: '/v1/browserExtensions',
        collection: browserExtensions,
        make: aBrowserExtension,
        members:
          'id extensionId employeeId browserId name description deploymentMode permissions hostPermissions version versionName enabled disabledReason updateUrl homePageUrl creationTimestamp lastUpdatedTimestamp',
        exact: {
          extensionId: ['cjpalhdlnbpafiamejdnhcphjbkeiagm', 'aapbdbdomjkkjkaonfhkkikfgjllcleb'],
          employeeId: [unknownId(), unknownId()],
          browserId: [unknownId(), unknownId()],
        },
        choices: { deploymentMode: ['MANAGED', 'DEVELOPMENT', 'MANUAL', 'SIDELOAD', 'OTHER'] },
        flags: ['enabled'],
        arrays: ['permissions', 'hostPermissions'],
      })

      test('several filters combine with AND', async () => {
        const caller = await h.addCaller()
        const match = aBrowserExtension({ permissions: ['tabs'], enabled: false, deploymentMode: 'SIDELOAD' })
        await put(h, caller.org, browserExtensions, [
          aBrowserExtension({ ...match, id: unknownId(), permissions: ['storage'] }),
          aBrowserExtension({ ...match, id: unknownId(), enabled: true }),
          match,
          aBrowserExtension({ ...match, id: unknownId(), deploymentMode: 'MANUAL' }),
        ])
        const query = 'permissions=tabs&enabled=false&deploymentMode=SIDELOAD'
        expectAnswer(await h.call(caller, 'GET', `/v1/browserExtensions?${query}`), page([match]))
      })

      test('compares host permissions exactly, also long ones', async () => {
        const caller = await h.addCaller()
        const patterns = [
          '<all_urls>',
          'https://*/*',
          `https://${'a'.repeat(3000)}.example/*`,
          'https://ü.example/*',
        ]
        const extensions = patterns.map((pattern) => aBrowserExtension({ hostPermissions: [pattern] }))
        await put(h, caller.org, browserExtensions, extensions)
        for (const [at, pattern] of patterns.entries()) {
          const query = `hostPermissions=${encodeURIComponent(pattern)}`
          expectAnswer(await h.call(caller, 'GET', `/v1/browserExtensions?${query}`), page([extensions[at]]))
        }
      })

      test('has no endpoint for a single record', async () => {
        const caller = await h.addCaller()
        const extension = aBrowserExtension()
        await put(h, caller.org, browserExtensions, [extension])
        expectProblem(await h.call(caller, 'GET', `/v1/browserExtensions/${extension.id}`), 'not_found')
        expect((await h.call(caller, 'GET', '/v1/browserExtensions')).status).toBe(200)
      })
    })
  })
}
