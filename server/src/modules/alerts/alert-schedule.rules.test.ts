import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { localTime, nextMessageMs } from './alert-schedule.rules.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'America/St_Johns',
]
const hourMs = 3_600_000
const ms = (text: string): number => Date.parse(text)
const isoOf = (value: number): string => new Date(value).toISOString().slice(0, 16)

describe('the next digest', () => {
  const time = fc.integer({ min: ms('2025-01-01T00:00:00Z'), max: ms('2027-12-31T00:00:00Z') })
  const schedules = fc.record({
    zone: fc.constantFrom(...zones),
    hour: fc.integer({ min: 0, max: 23 }),
    weekday: fc.integer({ min: 1, max: 7 }),
    nowMs: time,
  })

  test('is later, at a full hour, and within the hour, day or week', () => {
    fc.assert(
      fc.property(schedules, ({ zone, hour, weekday, nowMs }) => {
        const limits = { HOURLY: 1, DAILY: 26, WEEKLY: 24 * 7 + 2 } as const
        for (const [schedule, hours] of Object.entries(limits)) {
          const next = nextMessageMs({ schedule: schedule as 'HOURLY', hour, weekday }, zone, nowMs)
          expect(next).toBeGreaterThan(nowMs)
          expect(next - nowMs).toBeLessThanOrEqual(hours * hourMs)
          expect(localTime(zone, next).minute).toBe(0)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('is once a day, and once a week on its day, in local time', () => {
    fc.assert(
      fc.property(schedules, ({ zone, hour, weekday, nowMs }) => {
        const daily = { schedule: 'DAILY', hour, weekday } as const
        const first = nextMessageMs(daily, zone, nowMs)
        const second = nextMessageMs(daily, zone, first)
        expect(localTime(zone, second).day > localTime(zone, first).day).toBe(true)
        const weekly = nextMessageMs({ ...daily, schedule: 'WEEKLY' }, zone, nowMs)
        expect(localTime(zone, weekly).weekday).toBe(weekday)
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    ['2026-03-28T12:00Z', 2, '2026-03-29T01:00', 'the hour does not exist: the next one'],
    ['2026-10-24T12:00Z', 2, '2026-10-25T00:00', 'the hour exists twice: the first'],
    ['2026-10-25T00:00Z', 2, '2026-10-26T01:00', 'not again when the clock is put back'],
    ['2026-07-01T06:59Z', 9, '2026-07-01T07:00', 'summer time'],
    ['2026-07-01T07:00Z', 9, '2026-07-02T07:00', 'never at the same time again'],
  ])('in Berlin after %s at %i:00 is %s: %s', (now, hour, next) => {
    expect(isoOf(nextMessageMs({ schedule: 'DAILY', hour, weekday: 1 }, 'Europe/Berlin', ms(now)))).toBe(next)
  })

  test.each([
    ['DAILY', '2027-03-27T12:00Z', '2027-03-28T01:00'],
    ['WEEKLY', '2027-03-21T12:00Z', '2027-03-28T01:00'],
  ] as const)('follows if the clock is put forward over it into the next day: %s', (schedule, now, next) => {
    const at = { schedule, hour: 23, weekday: 6 }
    expect(isoOf(nextMessageMs(at, 'America/Nuuk', ms(now)))).toBe(next)
  })

  test('is now without a digest', () => {
    expect(nextMessageMs({ schedule: 'IMMEDIATE', hour: 9, weekday: 1 }, 'UTC', 123)).toBe(123)
  })
})
