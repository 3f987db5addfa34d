import { expect, test, vi } from 'vitest'
import { currentAddress } from './current-address.ts'

const getFrame = vi.hoisted(() => vi.fn())
vi.mock('wxt/browser', () => ({ browser: { webNavigation: { getFrame } } }))

const loaded = 'https://app.example.com/'
const now = 'https://app.example.com/login'
const sender = { tabId: 7, frameId: 0, url: loaded, documentId: 'A1' }

test.each<[string, object | null, Partial<typeof sender> | { documentId: undefined }, string]>([
  ['that a script has set since loading', { url: now, documentId: 'A1' }, {}, now],
  ['sent with it, if the frame shows another document by now', { url: now, documentId: 'B2' }, {}, loaded],
  ['sent with it, if the frame is gone', null, {}, loaded],
  ['sent with it, if the frame has none', { url: 'about:blank', documentId: 'A1' }, {}, loaded],
  ['sent with it, if the browser has no document IDs', { url: now }, { documentId: undefined }, loaded],
])('a message has the address %s', async (_, frame, more, expected) => {
  getFrame.mockResolvedValue(frame)
  expect(await currentAddress({ ...sender, ...more })).toBe(expected)
})
