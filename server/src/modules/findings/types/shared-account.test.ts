import { expect, test } from 'vitest'
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
  // Those who are merged are shown as one.
  { uses: [use('ada', 0), use('ada', 1)], open: false },
])('uses $uses: open $open', ({ uses, open }) => {
  expect(sharedAccount(uses, now, 90)).toEqual({ open })
})
