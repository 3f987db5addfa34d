import { describe, expect, test } from 'vitest'
import { consequenceOf, type Outcome, outcomeOf, untroubled } from './delivery.ts'

const answer = (status: number, body: unknown = {}, retryAfterSeconds: number | null = null) =>
  outcomeOf({ status, body, retryAfterSeconds })
const now = { browserMs: 1_000_000, serverSeconds: 1000 }
const after = (outcome: Outcome, sent = 10, delivery = untroubled) =>
  consequenceOf(delivery, outcome, sent, now, 0)

describe('the answer to a batch is read as', () => {
  const taken = { accepted: 2, duplicates: 0, rejected: [{ index: 0 }], policyVersion: '3-a' }
  test.each([
    ['answered', answer(200, taken), { kind: 'ANSWERED', refused: 1, policyVersion: '3-a' }],
    ['dormant', answer(200, { dormant: true }), { kind: 'DORMANT' }],
    ['a credential that is not taken', answer(401), { kind: 'UNAUTHENTICATED' }],
    ['refused as a whole: malformed', answer(400), { kind: 'BATCH_REFUSED' }],
    ['refused as a whole: too large', answer(413), { kind: 'BATCH_REFUSED' }],
    ['too many', answer(429, {}, 7), { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: 7 }],
    ['broken', answer(503), { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: null }],
    [
      'no server of ours',
      answer(200, undefined),
      { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: null },
    ],
    [
      'a sign-in page of a network',
      answer(404),
      { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: null },
    ],
    ['none', outcomeOf(null), { kind: 'LATER', trouble: 'UNREACHABLE', retryAfterSeconds: null }],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })
})

describe('events leave the outbox', () => {
  test('when the batch was answered, and what was refused is counted', () => {
    const { settles, delivery } = after({ kind: 'ANSWERED', refused: 3, policyVersion: 'x' })
    expect(settles).toBe(true)
    expect(delivery).toMatchObject({ refused: 3, lastReportSeconds: 1000, failures: 0, trouble: null })
  })

  test('when one alone is what the server refuses, so that it holds nothing up', () => {
    const { settles, delivery } = after({ kind: 'BATCH_REFUSED' }, 1)
    expect(settles).toBe(true)
    expect(delivery.refused).toBe(1)
  })

  test.each([
    ['nobody answered', { kind: 'LATER', trouble: 'UNREACHABLE', retryAfterSeconds: null }],
    ['the batch as a whole was refused', { kind: 'BATCH_REFUSED' }],
    ['the credential was not taken', { kind: 'UNAUTHENTICATED' }],
  ] as const)('not when %s', (_, outcome) => {
    expect(after(outcome).settles).toBe(false)
  })
})

test('a batch that is refused as a whole is halved until one event is left, and grows again afterwards', () => {
  let delivery = untroubled
  const sizes = [500]
  for (let sent = 500; sent > 1; sent = delivery.eventsPerBatch) {
    delivery = after({ kind: 'BATCH_REFUSED' }, sent, delivery).delivery
    sizes.push(delivery.eventsPerBatch)
  }
  expect(sizes).toEqual([500, 250, 125, 63, 32, 16, 8, 4, 2, 1])
  const answered: Outcome = { kind: 'ANSWERED', refused: 0, policyVersion: 'x' }
  for (let count = 0; count < 9; count += 1) delivery = after(answered, 1, delivery).delivery
  expect(delivery.eventsPerBatch).toBe(500)
})

test('each failure in a row waits longer, and an answer ends the waiting', () => {
  const unreachable = outcomeOf(null)
  const first = after(unreachable).delivery
  const second = after(unreachable, 10, first).delivery
  expect([first.notBeforeMs, second.notBeforeMs]).toEqual([1_001_000, 1_002_000])
  expect(second).toMatchObject({ failures: 2, trouble: 'UNREACHABLE' })
  const calm = after({ kind: 'ANSWERED', refused: 0, policyVersion: 'x' }, 1, second).delivery
  expect(calm).toMatchObject({ failures: 0, notBeforeMs: 0, trouble: null })
})

test('the server may ask for a longer wait', () => {
  expect(after(answer(429, {}, 60)).delivery.notBeforeMs).toBe(1_060_000)
})
