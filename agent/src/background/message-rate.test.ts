import { expect, test } from 'vitest'
import { messageRate } from './message-rate.ts'

const bound = { burst: 3, perSecond: 1 }

test('a sender may send its burst, then messages at its rate', () => {
  const heard = messageRate()
  expect([0, 0, 0, 0, 0].map((ms) => heard('tab 1', bound, ms))).toEqual([true, true, true, false, false])
  expect(heard('tab 1', bound, 999)).toBe(false)
  expect(heard('tab 1', bound, 1000)).toBe(true)
  expect(heard('tab 1', bound, 1500)).toBe(false)
})

test('an idle sender accumulates at most its burst', () => {
  const heard = messageRate()
  heard('tab 1', bound, 0)
  expect([1, 2, 3, 4].map((ms) => heard('tab 1', bound, 1e9 + ms / 1000))).toEqual([true, true, true, false])
})

test('senders have separate limits', () => {
  const heard = messageRate()
  for (let count = 0; count < 10; count += 1) heard('tab 1', bound, 0)
  expect(heard('tab 2', bound, 0)).toBe(true)
})

test('a clock that is set back does not block a sender', () => {
  const heard = messageRate()
  heard('tab 1', bound, 1e9)
  expect(heard('tab 1', bound, 0)).toBe(true)
})
