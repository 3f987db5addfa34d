import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { daySeconds } from './company.ts'
import type { SimulatedBrowser } from './simulated-browsers.ts'

/** Length of a working day, from the start of the browser. */
export const workSeconds = 8 * 3600

/** Days and times at which a browser is used. */
export interface WorkingDays {
  isWorking(day: number): boolean
  /** Returns the start time of the browser on a day; UNIX seconds. */
  start(day: number): number
  /** Returns true if the browser restarts on a day, about once a week. Days must be requested in order. */
  takeRestart(day: number): boolean
}

const restartDays = { minimum: 6, spread: 4 }
/** Probabilities of working on a day off, and of using the second browser. */
const chances = { dayOff: 0.03, secondBrowser: 0.35 }

/** Period of the simulation. */
export interface WorkingOptions {
  /** UTC midnight at the start of the first day; UNIX seconds. */
  readonly startSeconds: number
  readonly days: number
  /** True if browsers restart every day, which ends password sessions. */
  readonly restartsDaily?: boolean
  /** Share of the usual restarts, logins and attacks, from 0 to 1. Default: 1. */
  readonly activity?: number
}

/**
 * Returns the working days of a browser: Monday to Friday in local time, with one vacation. The day of
 * enrollment always counts.
 */
export function workingDays(
  random: SeededRandom,
  browser: SimulatedBrowser,
  { startSeconds, days, restartsDaily = false, activity = 1 }: WorkingOptions,
): WorkingDays {
  const awayFrom = random.below(days)
  const awayUntil = awayFrom + 4 + random.below(8)
  let nextRestart = browser.fromDay
  return {
    isWorking(day) {
      if (day === browser.fromDay) return true
      const weekday = new Date((startSeconds + day * daySeconds) * 1000).getUTCDay()
      const off = weekday === 0 || weekday === 6 || (awayFrom <= day && day < awayUntil)
      if (off) return random.chance(chances.dayOff)
      return browser.number === 0 || random.chance(chances.secondBrowser)
    },
    start: (day) => opensAt(browser, startSeconds, day) + random.below(5400),
    takeRestart(day) {
      const restarted = day >= nextRestart
      const { minimum, spread } = restartsDaily ? { minimum: 1, spread: 1 } : restartDays
      if (restarted) nextRestart = day + Math.round((minimum + random.below(spread)) / activity)
      return restarted
    },
  }
}

/** Returns the start of office hours on a day; UNIX seconds. */
export const opensAt = ({ utcOffset }: SimulatedBrowser, startSeconds: number, day: number): number =>
  startSeconds + day * daySeconds + (8 - utcOffset) * 3600
