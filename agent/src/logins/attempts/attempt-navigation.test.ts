import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { beforeEach, expect, test, vi } from 'vitest'
import type { LoginDeps } from '../login-deps.ts'
import { changeTab, idleTab, readTab } from '../tab-logins.ts'
import { noAnswers, type PendingAttempt } from './attempt.ts'
import { pendingAttempt } from './attempt-fixture.ts'
import { onAttemptCommitted } from './attempt-navigation.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

const tabId = 7
const app = 'https://app.example.com'
const deps: LoginDeps = {
  report: async () => true,
  policy: async () => null,
  catalog: async () => createCatalog(products),
  range: async () => null,
  profileEmail: async () => null,
}
const attempt = pendingAttempt({ tabId, url: `${app}/login`, documents: 1 })

beforeEach(async () => {
  await changeTab(tabId, () => idleTab)
})

test.each<[string, string, Partial<PendingAttempt>, boolean]>([
  ['another page of the host, before the response settled', `${app}/notes`, {}, true],
  ['another page of the host, before there was a response', `${app}/notes`, { documents: 0 }, false],
  [
    'another page of the host, after a script was answered',
    `${app}/notes`,
    { documents: 0, answers: { ...noAnswers, accepted: 1 } },
    true,
  ],
  [
    'another page of the host, while a second step is requested',
    `${app}/notes`,
    { secondStep: { method: null, needsCode: true, confirmsAddress: false } },
    false,
  ],
  [
    'another page of the host, after a page without a form',
    `${app}/notes`,
    { clear: { sinceMs: 1_000_000, documentMs: 1_000_000, page: '00000003' } },
    false,
  ],
  ['a page of another host', 'https://news.example.com/', {}, false],
])('an attempt left by typing the address of %s is still watched or not', async (...row) => {
  const [, url, before, isWatched] = row
  await changeTab(tabId, (tab) => ({ ...tab, attempt: { ...attempt, ...before } }))
  await onAttemptCommitted(deps, { tabId, frameId: 0, url, transitionType: 'typed' })
  const { attempt: after } = await readTab(tabId)
  expect(after?.isLeftEarly ?? false).toBe(isWatched)
})

test.each<[string, Partial<PendingAttempt>, boolean]>([
  ['before the response settled', {}, true],
  ['before there was a response', { documents: 0 }, false],
  [
    'from a page without a form',
    { clear: { sinceMs: 1_000_000, documentMs: 1_000_000, page: '00000003' } },
    false,
  ],
])('an attempt left by going back %s is still watched or not', async (_, before, isWatched) => {
  await changeTab(tabId, (tab) => ({ ...tab, attempt: { ...attempt, ...before } }))
  const url = `${app}/login`
  const transitionQualifiers = ['forward_back']
  await onAttemptCommitted(deps, { tabId, frameId: 0, url, transitionType: 'link', transitionQualifiers })
  const { attempt: after } = await readTab(tabId)
  expect(after?.isRestored ?? false).toBe(isWatched)
  await onAttemptCommitted(deps, { tabId, frameId: 0, url, transitionType: 'reload' })
  expect((await readTab(tabId)).attempt?.isRestored ?? false).toBe(false)
})

test.each([
  ['the browser began', true, null],
  ['a page began', false, `${app}/login`],
])('a second step is given up by a navigation that %s, and by no other', async (_, isByBrowser, expected) => {
  const secondStep = { method: null, needsCode: false, confirmsAddress: false }
  await changeTab(tabId, (tab) => ({
    ...tab,
    attempt: { ...attempt, secondStep, facts: ['SECOND_STEP_ASKED'] },
  }))
  const url = 'https://news.example.com/'
  await onAttemptCommitted(deps, { tabId, frameId: 0, url, transitionType: 'link', isByBrowser })
  expect((await readTab(tabId)).attempt?.url ?? null).toBe(expected)
})

test.each([
  ['shows an error', ['SECOND_STEP_ASKED', 'NEW_ERROR_AT_FORM'] as const, null],
  ['shows no error', ['SECOND_STEP_ASKED'] as const, `${app}/login`],
])('a link away from a second step that %s gives it up, or answers it', async (_, facts, expected) => {
  const secondStep = { method: null, needsCode: true, confirmsAddress: false }
  await changeTab(tabId, (tab) => ({
    ...tab,
    attempt: { ...attempt, secondStep, codeEntered: true, facts },
  }))
  const url = `${app}/help`
  await onAttemptCommitted(deps, { tabId, frameId: 0, url, transitionType: 'link' })
  expect((await readTab(tabId)).attempt?.url ?? null).toBe(expected)
})
