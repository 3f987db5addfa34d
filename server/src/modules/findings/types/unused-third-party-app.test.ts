import { expect, test } from 'vitest'
import { noLoginMethods } from '../../ingest/projection/login.rules.ts'
import { unusedThirdPartyApp } from './unused-third-party-app.ts'

const day = 24 * 60 * 60
const now = 200 * day

test.each([
  { provider: 'OKTA', usedDaysAgo: 91, open: true },
  { provider: 'OKTA', usedDaysAgo: 90, open: false },
  { provider: 'OKTA', usedDaysAgo: 0, open: false },
  { provider: null, usedDaysAgo: 91, open: false },
  // Never used since it is known, which is a hundred days.
  { provider: 'OKTA', usedDaysAgo: null, open: true },
])('by $provider, used $usedDaysAgo days ago: open $open', ({ provider, usedDaysAgo, open }) => {
  const account = {
    loginMethods: { ...noLoginMethods, oidcLogin: provider },
    lastUsedTimestamp: usedDaysAgo === null ? null : now - usedDaysAgo * day,
    creationTimestamp: now - 100 * day,
  }
  expect(unusedThirdPartyApp(account, now, 90)).toEqual({ open })
})
