/** Source of the time. Code that needs the time takes a clock, so tests can control it. */
export interface Clock {
  /** Milliseconds since the UNIX epoch, UTC; an integer. May step back when the system clock is corrected. */
  nowMs(): number
  /** Milliseconds since an arbitrary moment; an integer that never decreases. Measures durations within this process. */
  monotonicMs(): number
}

/** Clock that only moves when it is advanced. */
export interface FakeClock extends Clock {
  /** Advances the clock. A negative number steps the time of day back, like a corrected system clock. */
  advanceMs(ms: number): void
}

/** Maximum clock difference between processes that share a store. A timestamp further ahead comes from a wrong clock. */
export const maximumClockSkewMs = 300_000

/** Clock of the operating system. */
export const systemClock: Clock = { nowMs: Date.now, monotonicMs: () => Math.floor(performance.now()) }

/** Default start of fake clocks: 2026-01-01T00:00:00Z. */
export const fakeClockStartMs = 1_767_225_600_000

/** Creates a clock for tests that starts at `startMs` and stands still until it is advanced. */
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

/** Returns the time as in the API: UNIX seconds, an integer (REST contract, rule 5). */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000)
}
