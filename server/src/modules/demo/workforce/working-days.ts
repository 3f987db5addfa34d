import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { daySeconds } from './company.ts'
import type { SimulatedBrowser } from './simulated-browsers.ts'

/** How long people work, from the start of the browser. */
export const workSeconds = 8 * 3600

/** When one browser is used. */
export interface WorkingDays {
  isWorking(day: number): boolean
  /** When the browser is opened on a day; UNIX seconds. */
  start(day: number): number
  /** Whether the browser starts anew on this day, about once a week. Days must be asked for in their order. */
  takeRestart(day: number): boolean
}

const restartDays = { least: 6, spread: 4 }
/** From 0 to 1: how likely somebody works on a day off, and uses the second of two browsers. */
const chances = { dayOff: 0.03, secondBrowser: 0.35 }

/** The time in which browsers are used. */
export interface WorkingOptions {
  /** UTC midnight before the first day; UNIX seconds. */
  readonly startSeconds: number
  readonly days: number
  /** Whether browsers start anew every day, and with them the sessions by password. */
  readonly restartsDaily?: boolean
}

/** Monday to Friday by the clocks of the office, with one holiday. A browser is always used on the day of its enrollment. */
export function workingDays(
  random: SeededRandom,
  browser: SimulatedBrowser,
  { startSeconds, days, restartsDaily = false }: WorkingOptions,
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
      const { least, spread } = restartsDaily ? { least: 1, spread: 1 } : restartDays
      if (restarted) nextRestart = day + least + random.below(spread)
      return restarted
    },
  }
}

/** When the office of a browser opens on a day; UNIX seconds. */
export const opensAt = ({ ahead }: SimulatedBrowser, startSeconds: number, day: number): number =>
  startSeconds + day * daySeconds + (8 - ahead) * 3600
