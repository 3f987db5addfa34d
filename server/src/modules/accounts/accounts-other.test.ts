import { accountsOther } from '@muster/contract/records/account-other'
import { describe } from 'vitest'
import { anAccountOther, unknownId } from '../../../../test/support/fixtures.ts'
import { describeGet } from '../../../../test/support/get-tests.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    describe('GET /v1/accountsOther', () => {
      describeList(h, {
        path: '/v1/accountsOther',
        collection: accountsOther,
        make: anAccountOther,
        members: 'id employeeId otherAppId email loginMethods creationTimestamp lastUsedTimestamp',
        contains: ['email'],
        exact: { employeeId: [unknownId(), unknownId()], otherAppId: [unknownId(), unknownId()] },
        windows: ['lastUsedTimestamp', 'creationTimestamp'],
      })
    })

    describe('GET /v1/accountsOther/{id}', () => {
      describeGet(h, { path: '/v1/accountsOther', collection: accountsOther, make: anAccountOther })
    })
  })
}
