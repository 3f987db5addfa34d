import { expect, test } from 'vitest'
import { answerTo } from './answered.ts'

/** Sends to a background that replies in this order; an error is what a browser throws. */
async function sending(replies: readonly unknown[], mayRepeat = true) {
  const left = [...replies]
  const waits: number[] = []
  const send = async () => {
    const reply = left.shift()
    if (reply instanceof Error) throw reply
    return reply
  }
  const wait = async (ms: number) => waits.push(ms)
  const answer = await answerTo(send, () => mayRepeat, wait)
  return { answer, sent: replies.length - left.length, waits }
}

const ended = new Error('the message channel closed before a response was received')

test.each([false, null, { mode: 'WARN' }])('the answer %j is taken at once', async (answer) => {
  expect(await sending([{ answer }, { answer: 'another' }])).toEqual({ answer, sent: 1, waits: [] })
})

test('what a background that was ended did not answer is asked again, a little later each time', async () => {
  expect(await sending([ended, undefined, { answer: null }])).toEqual({
    answer: null,
    sent: 3,
    waits: [250, 500],
  })
})

test('nobody is asked for ever', async () => {
  expect(await sending([ended, ended, ended, { answer: true }])).toMatchObject({ answer: undefined, sent: 3 })
})

test('what may do harm if it is heard twice is said once', async () => {
  expect(await sending([ended, { answer: true }], false)).toEqual({ answer: undefined, sent: 1, waits: [] })
})

test('what is refused is not said again', async () => {
  expect(await sending([{ refused: true }, { answer: true }])).toMatchObject({ answer: undefined, sent: 1 })
})

test('what came too often is said again when there may be room for it', async () => {
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
