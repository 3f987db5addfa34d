import { defaultControls } from '@muster/contract/records/controls'
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
  // Never used since the account was created a hundred days ago.
  { provider: 'OKTA', usedDaysAgo: null, open: true },
])('login by $provider, used $usedDaysAgo days ago: open $open', ({ provider, usedDaysAgo, open }) => {
  const account = {
    mfaRegistered: null,
    loginMethods: { ...noLoginMethods, oidcLogin: provider },
    lastUsedTimestamp: usedDaysAgo === null ? null : now - usedDaysAgo * day,
    creationTimestamp: now - 100 * day,
  }
  const thresholds = { ...defaultControls.thresholds, unusedAppDays: 90 }
  expect(unusedThirdPartyApp.decide({ account, uses: [], nowSeconds: now, thresholds })).toEqual({ open })
})
