import { beforeEach, expect, test, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { report } from '../outbox/report-event.ts'
import { connection } from '../state/connection.ts'
import { deliverNow, heartbeat } from './agent-cycle.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))
vi.mock('../block/apply-blocking.ts', () => ({ applyStoredBlocking: async () => undefined }))
vi.mock('../block/block-watch.ts', () => ({ stopOpenTabs: async () => undefined }))
vi.mock('../facts/browser-facts.ts', () => ({ browserFacts: async () => ({}) }))
vi.mock('../extensions/inventory.ts', () => ({
  checkExtensions: async () => undefined,
  forgetReportedExtensions: async () => undefined,
}))

const serverUrl = 'https://muster.example.com'
const unauthenticated = { code: 'unauthenticated' }
const taken = { accepted: 1, duplicates: 0, rejected: [], policyVersion: '1-a' }

type Answer = readonly [status: number, body?: unknown]
/** Requests that the fake server received. It accepts only credentials that it issued itself. */
let asked: string[]
let refusal: () => Promise<Answer>

async function answerTo(path: string, credential: string | null): Promise<Answer> {
  asked.push(path)
  const count = asked.filter((other) => other === path).length
  if (path.endsWith('/enrol'))
    return [200, { browserId: `new${count}`, credential: `new${count}`, policyVersion: '1-a' }]
  if (credential === 'Bearer old') return refusal()
  return path.endsWith('/events') ? [200, taken] : [503]
}

beforeEach(async () => {
  asked = []
  refusal = async () => [401, unauthenticated]
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const credential = new Headers(init.headers).get('authorization')
    const [status, body] = await answerTo(new URL(address).pathname, credential)
    return new Response(body === undefined ? '<h1>Who are you?</h1>' : JSON.stringify(body), { status })
  })
  fakeBrowser.reset()
  await fakeBrowser.storage.managed.set({ serverUrl, enrolmentToken: 'met_1' })
  await connection.change(() => ({
    serverUrl,
    browserId: 'old',
    credential: 'old',
    source: 'MANAGED',
    state: 'ENROLLED',
  }))
  await report({ kind: 'VISIT', host: 'app.example.com' })
})

const enrollments = () => asked.filter((path) => path.endsWith('/enrol')).length

test.each([
  ['two deliveries', () => [deliverNow(), deliverNow()]],
  ['a delivery and a heartbeat', () => [deliverNow(), heartbeat()]],
])('a rejected credential is replaced once if %s get the rejection', async (_, begin) => {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  refusal = () => promise
  const running = begin()
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), { timeout: 20_000 })
  resolve([401, unauthenticated])
  await Promise.all(running)
  expect(enrollments()).toBe(1)
  expect(await connection.read()).toMatchObject({ browserId: 'new1', state: 'ENROLLED' })
})

test('a 401 from a captive portal does not end the connection', async () => {
  refusal = async () => [401]
  await deliverNow()
  await heartbeat()
  expect(asked).toContain('/agent/v1/policy')
  expect(await connection.read()).toMatchObject({ browserId: 'old', state: 'ENROLLED' })
})
