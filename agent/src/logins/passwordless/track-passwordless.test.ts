import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { beforeEach, expect, test, vi } from 'vitest'
import { browser } from 'wxt/browser'
import type { LoginDeps } from '../login-deps.ts'
import type { PageState } from '../login-messages.ts'
import { forgetReportedVisits } from '../visits.ts'
import {
  forgetPasswordless,
  isPasswordlessPending,
  onAuthRequired,
  onCodeSubmitted,
  onPasswordlessAnswer,
  onPasswordlessState,
  onSignInStart,
  onStandalonePasskey,
} from './track-passwordless.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

const tabId = 3
const url = 'https://app.example.com/login'
const from = { tabId, frameId: 0, url }
// The fake browser has no frames to notify.
vi.spyOn(browser.tabs, 'sendMessage').mockRejectedValue(new Error('there is no such tab'))
let reported: unknown[]
const deps: LoginDeps = {
  report: async (event) => reported.push(event) > 0,
  policy: async () => null,
  catalog: async () => createCatalog(products),
  range: async () => null,
  profileEmail: async () => null,
}
const visit = { kind: 'VISIT', host: 'app.example.com' }
const landed: PageState = {
  forms: [],
  messages: [],
  code: null,
  secondStep: null,
  confirmsAddress: false,
  asksForPerson: false,
  signOut: null,
  accountMenu: false,
  showsIdentity: null,
  heading: 'h1',
  signInControl: null,
  isReady: true,
  isLeft: false,
  isTouched: false,
  isSameDocument: false,
  documentMs: Number.MAX_SAFE_INTEGER,
  requests: 0,
  requestStatus: 0,
}

beforeEach(async () => {
  reported = []
  await forgetPasswordless(tabId)
  await forgetReportedVisits()
})

test.each([
  ['the requested page', url, 200, [visit]],
  ['a refusal', url, 401, []],
  ['a page of another host', 'https://other.example.net/', 200, []],
])(
  'HTTP authentication followed by %s reports a visit or nothing, and no identity',
  async (_, answered, statusCode, events) => {
    await onAuthRequired(tabId, url)
    await onPasswordlessAnswer(deps, { tabId, url: answered, statusCode })
    await onPasswordlessAnswer(deps, { tabId, url, statusCode: 200 })
    expect(reported).toEqual(events)
  },
)

test('a passkey without a known identity reports a visit and no login', async () => {
  await onStandalonePasskey(deps, { ...from, tabId: 4 })
  expect(reported).toEqual([visit])
  expect(await isPasswordlessPending(4)).toBe(false)
})

test('an entered code is a login if the next page asks for nothing', async () => {
  expect(await onCodeSubmitted({ ...from, tabId: 5 })).toBe(false)
  await onSignInStart(from, 'ada@example.com')
  expect(await onCodeSubmitted(from)).toBe(true)
  expect(await onPasswordlessState(deps, from, { ...landed, code: 'EMPTY', documentMs: 0 })).toBe(true)
  expect(reported).toEqual([])
  expect(await onPasswordlessState(deps, from, landed)).toBe(false)
  expect(reported).toMatchObject([
    visit,
    { kind: 'LOGIN', email: 'ada@example.com', loginType: 'ONE_TIME_LOGIN', mfa: null },
  ])
})

test('a sign-in followed by an error page is no login', async () => {
  await onSignInStart(from, 'ada@example.com')
  await onCodeSubmitted(from)
  await onPasswordlessAnswer(deps, { tabId, url, statusCode: 403 })
  expect(await onPasswordlessState(deps, from, landed)).toBe(false)
  expect(reported).toEqual([])
})
