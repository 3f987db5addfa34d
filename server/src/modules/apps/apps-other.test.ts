import { appsOther } from '@muster/contract/records/app-other'
import { describe } from 'vitest'
import { anAppOther } from '../../../../test/support/fixtures.ts'
import { describeGet } from '../../../../test/support/get-tests.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    describe('GET /v1/appsOther', () => {
      describeList(h, {
        path: '/v1/appsOther',
        collection: appsOther,
        make: anAppOther,
        members: 'id domain requestSupportStatus hidden creationTimestamp',
        contains: ['domain'],
        choices: { requestSupportStatus: ['DISCOVERED', 'REQUESTED'] },
        flags: ['hidden'],
        windows: ['creationTimestamp'],
      })
    })

    describe('GET /v1/appsOther/{id}', () => {
      describeGet(h, { path: '/v1/appsOther', collection: appsOther, make: anAppOther })
    })
  })
}
