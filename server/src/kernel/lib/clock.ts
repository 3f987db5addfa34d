/** Where the time comes from. Every part that needs the time takes a clock, so that tests can turn it by hand. */
export interface Clock {
  /** Milliseconds since the UNIX epoch, UTC; a whole number. Steps back when the system clock is corrected. */
  nowMs(): number
  /** Milliseconds since any moment, a whole number that never decreases. Measures durations within this process. */
  monotonicMs(): number
}

/** A clock that only moves when told to. */
export interface FakeClock extends Clock {
  /** Lets `ms` milliseconds pass. A negative number steps the time of day back, as a corrected system clock would. */
  advanceMs(ms: number): void
}

/** The clocks of processes that share a store may differ by so much; what is further off was set by one that was wrong. */
export const maximumClockSkewMs = 300_000

/** The machine's clock. */
export const systemClock: Clock = { nowMs: Date.now, monotonicMs: () => Math.floor(performance.now()) }

/** 2026-01-01T00:00:00Z, where fake clocks start when nothing else is asked for. */
export const fakeClockStartMs = 1_767_225_600_000

/** A clock for tests that starts at `startMs` and stands still until it is advanced. */
export function fakeClock(startMs: number = fakeClockStartMs): FakeClock {
  let nowMs = startMs
  let passedMs = 0
  return {
    nowMs: () => nowMs,
    monotonicMs: () => passedMs,
    advanceMs(ms) {
      nowMs += ms
      passedMs += Math.max(0, ms)
    },
  }
}

/** The time as the API shows it: whole UNIX seconds, UTC (REST contract, rule 5). */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000)
}
