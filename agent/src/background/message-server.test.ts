import { expect, test, vi } from 'vitest'
import type { Browser } from 'wxt/browser'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Reply } from '../lib/send-with-retry.ts'
import type { MessageKind, MessageOf } from '../messages.ts'
import { type MessageHandlers, serveMessages } from './message-server.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

type Listener = (
  message: unknown,
  sender: Browser.runtime.MessageSender,
  reply: (value: Reply) => void,
) => boolean

/** Starts a message server whose handlers answer null, and returns a function that sends messages from a frame. */
function serving(): <K extends MessageKind>(kind: K, body: MessageOf<K>, frameId: number) => Promise<Reply> {
  const listen = vi.spyOn(fakeBrowser.runtime.onMessage, 'addListener')
  serveMessages(new Proxy({}, { get: () => async () => null }) as MessageHandlers)
  const [listener] = listen.mock.calls[0] as unknown as [Listener]
  const sender = { id: fakeBrowser.runtime.id, url: 'https://app.example.com/', tab: { id: 1 } }
  return (muster, body, frameId) =>
    new Promise((resolve) => {
      listener({ muster, body }, { ...sender, frameId } as Browser.runtime.MessageSender, resolve)
    })
}

test('messages from subframes do not use up the rate limit of the main frame', async () => {
  const send = serving()
  const frames = Array.from({ length: 100 }, (_, index) => send('typingKit', {}, index + 1))
  expect((await Promise.all(frames)).at(-1)).toEqual({ busy: true })
  expect(await send('typingKit', {}, 0)).toEqual({ answer: null })
})
