import { expect, test } from 'vitest'
import { heartbeatWaitMs } from './heartbeat-pace.ts'

const minuteMs = 60_000

test.each([
  ['is due after the interval', 0, 300, 5 * minuteMs, 0],
  ['is due when it was missed', 0, 300, 99 * minuteMs, 0],
  ['waits for the rest of the interval', 0, 300, 4 * minuteMs, minuteMs],
  ['waits for an interval of hours', 0, 12 * 3600, 60 * minuteMs, 660 * minuteMs],
  ['is due when the clock was set back', 90 * minuteMs, 300, 0, 0],
])('a heartbeat %s', (_, lastMs, heartbeatSeconds, nowMs, waitMs) => {
  expect(heartbeatWaitMs(lastMs, heartbeatSeconds, nowMs)).toBe(waitMs)
})
