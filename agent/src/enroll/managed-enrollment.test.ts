import { expect, test, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { enrollByPolicy } from './managed-enrollment.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))
vi.mock('../facts/browser-facts.ts', () => ({ browserFacts: async () => ({}) }))
vi.mock('../outbox/forget-reports.ts', () => ({ forgetReports: async () => undefined }))

test('concurrent enrollments by policy enroll once', async () => {
  const answer = { browserId: 'b', credential: 'c', policyVersion: '1-a' }
  const fetched = vi.fn(async () => new Response(JSON.stringify(answer)))
  vi.stubGlobal('fetch', fetched)
  await fakeBrowser.storage.managed.set({
    serverUrl: 'https://muster.example.com',
    enrolmentToken: 'met_1',
  })
  const results = await Promise.all([enrollByPolicy(), enrollByPolicy(), enrollByPolicy()])
  expect(results.toSorted()).toEqual(['CONNECTED', null, null])
  expect(fetched).toHaveBeenCalledTimes(1)
})
