import { expect, test } from 'vitest'
import { requestsByDay } from './key-hours.ts'

const daySeconds = 86_400
const dayStart = (seconds: number) => seconds - (seconds % daySeconds)
const nowSeconds = 100 * daySeconds + 5000

test('hours are summed up by day, the oldest first, and days without requests are there', () => {
  const hours = [
    { hourTimestamp: 98 * daySeconds + 3600, requests: 2 },
    { hourTimestamp: 98 * daySeconds + 7200, requests: 3 },
    { hourTimestamp: 100 * daySeconds, requests: 1 },
  ]
  expect(requestsByDay(hours, { days: 4, nowSeconds, dayStart })).toEqual([
    { dayTimestamp: 97 * daySeconds, requests: 0 },
    { dayTimestamp: 98 * daySeconds, requests: 5 },
    { dayTimestamp: 99 * daySeconds, requests: 0 },
    { dayTimestamp: 100 * daySeconds, requests: 1 },
  ])
})

test('hours before the first day are left out', () => {
  const hours = [{ hourTimestamp: 10 * daySeconds, requests: 9 }]
  expect(requestsByDay(hours, { days: 1, nowSeconds, dayStart })).toEqual([
    { dayTimestamp: 100 * daySeconds, requests: 0 },
  ])
})
