import { expect, test, vi } from 'vitest'
import { forgetReports } from '../outbox/forget-reports.ts'
import { isWorkIdentity, reportVisit, withVisit } from './visits.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

const work = ['@example.com', 'ada@gmail.com']

test.each([
  ['Grace@Example.COM', true],
  ['Ada@gmail.com', true],
  ['eve@gmail.com', false],
  ['ada@sub.example.com', false],
  ['ada@notexample.com', false],
  ['ada', false],
  ['@example.com', false],
])('%s is a work identity: %s', (identity, isWork) => {
  expect(isWorkIdentity(work, identity)).toBe(isWork)
})

test('a host is added once a day', () => {
  const dayMs = 86_400_000
  const first = withVisit({ day: 0, hosts: [] }, 'app.example.com', 5 * dayMs)
  expect(first).toEqual({ day: 5, hosts: ['app.example.com'] })
  expect(withVisit(first, 'app.example.com', 5 * dayMs + 1)).toBe(first)
  expect(withVisit(first, 'app.example.com', 6 * dayMs)).toEqual({ day: 6, hosts: ['app.example.com'] })
})

test('a host that could not be reported is reported at the next visit, and again after the reports were cleared', async () => {
  const reported: unknown[] = []
  let isConnected = false
  const deps = { report: async (event: unknown) => isConnected && reported.push(event) > 0 }
  await reportVisit(deps, 'app.example.com')
  isConnected = true
  await reportVisit(deps, 'app.example.com')
  await reportVisit(deps, 'app.example.com')
  expect(reported).toEqual([{ kind: 'VISIT', host: 'app.example.com' }])
  await forgetReports()
  await reportVisit(deps, 'app.example.com')
  expect(reported).toHaveLength(2)
})
