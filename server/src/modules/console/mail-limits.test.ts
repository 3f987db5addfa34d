import { expect, test } from 'vitest'
import { fakeClock } from '../../kernel/lib/clock.ts'
import { mailLimits } from './mail-limits.ts'

test('an employee gets at most three mails in ten minutes, also if the clock is set back', () => {
  const clock = fakeClock()
  const limits = mailLimits(clock)
  const take = () => limits.take(1, 'ada')
  for (let sent = 0; sent < 3; sent += 1) take()
  clock.advanceMs(-3_600_000)
  expect(take).toThrow('Try again in 600 s.')
  clock.advanceMs(600_000)
  expect(take).not.toThrow()
})
