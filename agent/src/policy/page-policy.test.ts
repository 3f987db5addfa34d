import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { frameWords } from '../observe/words/frame-words.ts'
import { connection } from '../state/connection.ts'
import { framePolicy } from './page-policy.ts'
import { storePolicy } from './policy-store.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

afterEach(() => fakeBrowser.reset())

const enroll = async () => {
  await storePolicy({ organizationName: 'Acme Works', contact: null } as AgentPolicy)
  await connection.change(() => ({
    serverUrl: 'https://muster.example.com',
    browserId: 'b',
    credential: 'c',
    source: 'MANAGED',
    state: 'ENROLLED',
  }))
}

test('a frame gets its words once, with the first policy that turns observation on', async () => {
  expect(await framePolicy('app.example.com', false)).toMatchObject({ active: false, words: null })
  await enroll()
  expect(await framePolicy('app.example.com', false)).toMatchObject({ active: true, words: frameWords })
  expect(await framePolicy('app.example.com', true)).toMatchObject({ active: true, words: null })
})
