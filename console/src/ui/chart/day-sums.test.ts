import { expect, test } from 'vitest'
import { sumsByDay } from './day-sums.ts'

const daySeconds = 86_400
const dayStart = (seconds: number) => seconds - (seconds % daySeconds)
const nowSeconds = 100 * daySeconds + 5000

test('sums hours per day, oldest first, including empty days', () => {
  const hours = [
    { hourTimestamp: 98 * daySeconds + 3600, delivered: 2, failed: 1 },
    { hourTimestamp: 98 * daySeconds + 7200, delivered: 3, failed: 0 },
    { hourTimestamp: 100 * daySeconds, delivered: 1, failed: 4 },
  ]
  expect(sumsByDay(hours, ['delivered', 'failed'], { days: 4, nowSeconds, dayStart })).toEqual([
    { dayTimestamp: 97 * daySeconds, delivered: 0, failed: 0 },
    { dayTimestamp: 98 * daySeconds, delivered: 5, failed: 1 },
    { dayTimestamp: 99 * daySeconds, delivered: 0, failed: 0 },
    { dayTimestamp: 100 * daySeconds, delivered: 1, failed: 4 },
  ])
})

test('ignores hours before the first day', () => {
  const hours = [{ hourTimestamp: 10 * daySeconds, requests: 9 }]
  expect(sumsByDay(hours, ['requests'], { days: 1, nowSeconds, dayStart })).toEqual([
    { dayTimestamp: 100 * daySeconds, requests: 0 },
  ])
})
