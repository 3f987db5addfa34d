import { defaultControls } from '@muster/contract/records/controls'
import { expect, test } from 'vitest'
import { noLoginMethods } from '../../ingest/projection/login.rules.ts'
import { sharedAccount } from './shared-account.ts'

const day = 24 * 60 * 60
const now = 200 * day
const use = (employeeId: string, daysAgo: number | null) => ({
  employeeId,
  lastUsed: daysAgo === null ? null : now - daysAgo * day,
})

test.each([
  { uses: [], open: false },
  { uses: [use('ada', 0)], open: false },
  { uses: [use('ada', 0), use('bob', 0)], open: true },
  { uses: [use('ada', 0), use('bob', 90)], open: true },
  { uses: [use('ada', 0), use('bob', 91)], open: false },
  { uses: [use('ada', 91), use('bob', 91)], open: false },
  { uses: [use('ada', 0), use('bob', null)], open: false },
  // Merged employees count as one.
  { uses: [use('ada', 0), use('ada', 1)], open: false },
])('uses $uses: open $open', ({ uses, open }) => {
  const account = {
    loginMethods: noLoginMethods,
    mfaRegistered: null,
    lastUsedTimestamp: null,
    creationTimestamp: 0,
  }
  const thresholds = { ...defaultControls.thresholds, sharedAccountDays: 90 }
  expect(sharedAccount.decide({ account, uses, nowSeconds: now, thresholds })).toEqual({ open })
})
