import { describe, expect, test } from 'vitest'
import { consequenceOf, initialDelivery, type Outcome, outcomeOf } from './delivery.ts'

const answer = (status: number, body: unknown = {}, retryAfterSeconds: number | null = null) =>
  outcomeOf({ status, body, retryAfterSeconds })
const now = { browserMs: 1_000_000, serverSeconds: 1000 }
const after = (outcome: Outcome, sent = 10, delivery = initialDelivery) =>
  consequenceOf(delivery, outcome, sent, now, 0)

describe('the response to a batch is interpreted as', () => {
  const taken = { accepted: 2, duplicates: 0, rejected: [{ index: 0 }], policyVersion: '3-a' }
  test.each([
    ['answered', answer(200, taken), { kind: 'ANSWERED', refused: 1, policyVersion: '3-a' }],
    ['dormant', answer(200, { dormant: true }), { kind: 'DORMANT' }],
    ['a rejected credential', answer(401, { code: 'unauthenticated' }), { kind: 'UNAUTHENTICATED' }],
    [
      'rejected as a whole: malformed',
      answer(400, { code: 'invalid_request' }),
      { kind: 'BATCH_REFUSED', isByServer: true },
    ],
    [
      'rejected as a whole: too large',
      answer(413, { code: 'payload_too_large' }),
      { kind: 'BATCH_REFUSED', isByServer: true },
    ],
    ['too large for a proxy', answer(413, undefined), { kind: 'BATCH_REFUSED', isByServer: false }],
    ['too many', answer(429, {}, 7), { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: 7 }],
    ['broken', answer(503), { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: null }],
    [
      'not a Muster server',
      answer(200, undefined),
      { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: null },
    ],
    ['a captive portal', answer(404), { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: null }],
    ['none', outcomeOf(null), { kind: 'LATER', trouble: 'UNREACHABLE', retryAfterSeconds: null }],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })

  test.each([
    ['a proxy that the server does not trust', 400, { code: 'https_required' }],
    ['a proxy that did not understand', 400, undefined],
    ['a proxy that asks for a password', 401, undefined],
    ['a captive portal with a sign-in', 401, { code: 'login_required' }],
    ['a gateway with errors of its own', 400, { code: 400, message: 'Bad Request' }],
    ['a gateway whose body is one word', 401, 'unauthenticated'],
    ['a gateway with the wrong code', 400, { code: 'unauthenticated' }],
    ['a gateway without a body', 401, null],
  ])('a failure on the way, which loses no events: %s', (_, status, body) => {
    const outcome = answer(status, body)
    expect(outcome).toEqual({ kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: null })
    expect(after(outcome, 1)).toMatchObject({ settles: false, delivery: { notBeforeMs: 1_001_000 } })
  })
})

describe('events leave the outbox', () => {
  test('after the batch was answered, counting refused ones', () => {
    const { settles, delivery } = after({ kind: 'ANSWERED', refused: 3, policyVersion: 'x' })
    expect(settles).toBe(true)
    expect(delivery).toMatchObject({ refused: 3, lastReportSeconds: 1000, failures: 0, trouble: null })
  })

  test('if the server rejects one alone, so it blocks nothing', () => {
    const { settles, delivery } = after({ kind: 'BATCH_REFUSED', isByServer: true }, 1)
    expect(settles).toBe(true)
    expect(delivery.refused).toBe(1)
  })

  test('not if a proxy rejects one alone: it waits until the proxy accepts it', () => {
    const { settles, delivery } = after({ kind: 'BATCH_REFUSED', isByServer: false }, 1)
    expect(settles).toBe(false)
    expect(delivery).toMatchObject({
      refused: 0,
      failures: 1,
      notBeforeMs: 1_001_000,
      trouble: 'SERVER_ERROR',
    })
  })

  test.each([
    ['nobody answered', { kind: 'LATER', trouble: 'UNREACHABLE', retryAfterSeconds: null }],
    ['the whole batch was rejected', { kind: 'BATCH_REFUSED', isByServer: true }],
    ['the credential was rejected', { kind: 'UNAUTHENTICATED' }],
  ] as const)('not when %s', (_, outcome) => {
    expect(after(outcome).settles).toBe(false)
  })
})

test.each([
  ['the server', true],
  ['a proxy', false],
])('a batch that %s rejects as a whole is halved down to one event, and grows again', (_, isByServer) => {
  let delivery = initialDelivery
  const sizes = [500]
  for (let sent = 500; sent > 1; sent = delivery.eventsPerBatch) {
    delivery = after({ kind: 'BATCH_REFUSED', isByServer }, sent, delivery).delivery
    sizes.push(delivery.eventsPerBatch)
  }
  expect(sizes).toEqual([500, 250, 125, 63, 32, 16, 8, 4, 2, 1])
  const answered: Outcome = { kind: 'ANSWERED', refused: 0, policyVersion: 'x' }
  for (let count = 0; count < 9; count += 1) delivery = after(answered, 1, delivery).delivery
  expect(delivery.eventsPerBatch).toBe(500)
})

test('consecutive failures wait longer, and a response resets the wait', () => {
  const unreachable = outcomeOf(null)
  const first = after(unreachable).delivery
  const second = after(unreachable, 10, first).delivery
  expect([first.notBeforeMs, second.notBeforeMs]).toEqual([1_001_000, 1_002_000])
  expect(second).toMatchObject({ failures: 2, trouble: 'UNREACHABLE' })
  const calm = after({ kind: 'ANSWERED', refused: 0, policyVersion: 'x' }, 1, second).delivery
  expect(calm).toMatchObject({ failures: 0, notBeforeMs: 0, trouble: null })
})

test('the server may request a longer wait', () => {
  expect(after(answer(429, {}, 60)).delivery.notBeforeMs).toBe(1_060_000)
})
