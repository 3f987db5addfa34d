import { expect, test } from 'vitest'
import { sendWithRetry } from './send-with-retry.ts'

/** Sends a message to a background with these replies; an error is thrown as by a browser. */
async function sending(replies: readonly unknown[], mayRepeat = true) {
  const left = [...replies]
  const waits: number[] = []
  const send = async () => {
    const reply = left.shift()
    if (reply instanceof Error) throw reply
    return reply
  }
  const wait = async (ms: number) => waits.push(ms)
  const answer = await sendWithRetry(send, () => mayRepeat, wait)
  return { answer, sent: replies.length - left.length, waits }
}

const ended = new Error('the message channel closed before a response was received')

test.each([false, null, { mode: 'WARN' }])('the answer %j is returned immediately', async (answer) => {
  expect(await sending([{ answer }, { answer: 'another' }])).toEqual({ answer, sent: 1, waits: [] })
})

test('a message without a reply is retried with increasing delays', async () => {
  expect(await sending([ended, undefined, { answer: null }])).toEqual({
    answer: null,
    sent: 3,
    waits: [250, 500],
  })
})

test('retries are limited', async () => {
  expect(await sending([ended, ended, ended, { answer: true }])).toMatchObject({ answer: undefined, sent: 3 })
})

test('a message that must not be repeated is sent once', async () => {
  expect(await sending([ended, { answer: true }], false)).toEqual({ answer: undefined, sent: 1, waits: [] })
})

test('a refused message is not retried', async () => {
  expect(await sending([{ refused: true }, { answer: true }])).toMatchObject({ answer: undefined, sent: 1 })
})

test('a rate-limited message is retried with longer delays', async () => {
  const busy = { busy: true }
  expect(await sending([busy, busy, { answer: true }])).toEqual({
    answer: true,
    sent: 3,
    waits: [1_000, 4_000],
  })
  expect(await sending([busy, busy, busy, busy, { answer: true }])).toMatchObject({
    answer: undefined,
    sent: 4,
  })
})
