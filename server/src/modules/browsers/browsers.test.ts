import { browsers } from '@muster/contract/records/browser'
import { describe } from 'vitest'
import { aBrowser, unknownId } from '../../../../test/support/fixtures.ts'
import { describeGet } from '../../../../test/support/get-tests.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    describe('GET /v1/browsers', () => {
      describeList(h, {
        path: '/v1/browsers',
        collection: browsers,
        make: aBrowser,
        members:
          'id employeeId email version tokenType isActive browser os extensionVersion language profileEmail profileSyncEnabled creationTimestamp lastOnlineTimestamp',
        contains: ['email'],
        exact: { employeeId: [unknownId(), unknownId()] },
        choices: {
          browser: ['CHROME', 'EDGE', 'FIREFOX', 'SAFARI', 'OPERA', 'BRAVE', 'ARC', 'OTHER'],
          os: ['WINDOWS', 'MACOS', 'LINUX', 'CHROMEOS', 'OTHER'],
          tokenType: ['INDIVIDUAL', 'MANAGED'],
        },
        flags: ['isActive'],
        windows: ['lastOnlineTimestamp', 'creationTimestamp'],
      })
    })

    describe('GET /v1/browsers/{id}', () => {
      describeGet(h, { path: '/v1/browsers', collection: browsers, make: aBrowser })
    })
  })
}
