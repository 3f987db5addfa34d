import { matches } from '@muster/contract/api/matches'
import { browser } from 'wxt/browser'
import type { Reply } from '../lib/send-with-retry.ts'
import type { AnswerOf, Envelope, MessageKind, MessageOf } from '../messages.ts'
import { messageRate } from './message-rate.ts'
import { type MessageSender, readSender } from './message-sender.ts'
import { messageRules } from './message-shapes.ts'

/** Handler of each message kind. */
export type MessageHandlers = {
  readonly [K in MessageKind]: (body: MessageOf<K>, from: MessageSender) => Promise<AnswerOf<K>>
}

/**
 * Answers messages from the extension's own contexts. The rule of each kind (`message-shapes.ts`) may refuse or delay a
 * message; anything else gets no answer. Call while the background starts, or browsers do not wake it for messages.
 */
export function serveMessages(handlers: MessageHandlers): void {
  const heard = messageRate()
  const ownOrigin = browser.runtime.getURL('')
  browser.runtime.onMessage.addListener((message: unknown, sender, reply: (value: Reply) => void) => {
    const envelope = readEnvelope(message)
    const from = readSender(sender, browser.runtime.id, ownOrigin)
    if (!envelope || !from) return false
    const { muster: kind, body } = envelope
    const { from: allowed, rate, shape } = messageRules[kind]
    const isAllowed =
      allowed === 'PAGE' ? from.ownPage === null : from.ownPage !== null && allowed.includes(from.ownPage)
    // Counted separately: messages of many frames must not crowd out those of the main frame.
    const frameGroup = from.frameId === 0 ? 'page' : 'frames'
    if (isAllowed && !heard(`${from.tabId} ${frameGroup} ${kind}`, rate, Date.now())) {
      reply({ busy: true })
      return false
    }
    if (!isAllowed || !matches(shape, body)) {
      reply({ refused: true })
      return false
    }
    const handle = handlers[kind] as (body: unknown, from: MessageSender) => Promise<unknown>
    handle(body, from).then(
      (answer) => reply({ answer }),
      () => reply({ refused: true }),
    )
    return true
  })
}

function readEnvelope(message: unknown): Envelope | null {
  if (typeof message !== 'object' || message === null || !('muster' in message)) return null
  const { muster } = message
  if (typeof muster !== 'string' || !Object.hasOwn(messageRules, muster)) return null
  return message as Envelope
}
