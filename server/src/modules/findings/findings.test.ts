import { findings } from '@muster/contract/records/finding'
import { describe } from 'vitest'
import { aFinding, unknownId } from '../../../../test/support/fixtures.ts'
import { describeGet } from '../../../../test/support/get-tests.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    describe('GET /v1/findings', () => {
      describeList(h, {
        path: '/v1/findings',
        collection: findings,
        make: aFinding,
        members:
          'id type state employeeId passwordId accountId appType appId weakPasswordReasons creationTimestamp lastUpdatedTimestamp',
        exact: {
          employeeId: [unknownId(), unknownId()],
          accountId: [unknownId(), unknownId()],
          appType: ['ZAPIER', 'SLACK'],
          appId: [unknownId(), unknownId()],
          passwordId: [unknownId(), unknownId()],
        },
        choices: {
          type: [
            'MFA_NOT_REGISTERED',
            'REUSED_PASSWORD',
            'SHARED_ACCOUNT',
            'UNUSED_THIRD_PARTY_APP',
            'WEAK_PASSWORD',
            'LEAKED_PASSWORD',
            'PASSWORD_MANAGER_NOT_USED',
            'STOLEN_CREDENTIALS',
          ],
          state: ['OPEN', 'RESOLVED'],
        },
        windows: ['creationTimestamp', 'lastUpdatedTimestamp'],
      })
    })

    describe('GET /v1/findings/{id}', () => {
      describeGet(h, { path: '/v1/findings', collection: findings, make: aFinding })
    })
  })
}
