import type { AgentEvent } from '@muster/contract/agent-event'
import type { Catalog } from '@muster/contract/catalog/catalog'
import { seededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { appUses } from './app-uses.ts'
import { campaigns } from './attacks.ts'
import { type BrowserDays, browserDays, type DayOptions } from './browser-days.ts'
import { passwordHabits } from './password-habits.ts'
import { type SimulatedBrowser, simulatedBrowsers } from './simulated-browsers.ts'
import { type SimulatedPerson, simulatedPeople } from './simulated-people.ts'

/** What a workforce is simulated from: the same gives the same, event by event. */
export interface WorkforceOptions extends DayOptions {
  readonly seed: number
  readonly people: number
  readonly catalog: Catalog
}

/** A simulated workforce. */
export interface Workforce {
  readonly people: readonly SimulatedPerson[]
  /** The browsers of those who are licensed, with the days of each. */
  readonly browsers: readonly (SimulatedBrowser & BrowserDays)[]
}

/** Simulates a workforce: its people, their browsers, and what happens in them day by day. Nothing is sent anywhere. */
export function simulatedWorkforce(options: WorkforceOptions): Workforce {
  const people = simulatedPeople(options.seed, options.people)
  const waves = campaigns(seededRandom(options.seed + 1), options.days)
  return {
    people,
    browsers: people
      .filter(({ licensed }) => licensed)
      .flatMap((person) => browsersOf(person, waves, options)),
  }
}

function browsersOf(
  person: SimulatedPerson,
  waves: ReturnType<typeof campaigns>,
  options: WorkforceOptions,
): (SimulatedBrowser & BrowserDays)[] {
  const random = seededRandom(person.seed)
  const browsers = simulatedBrowsers(random, person, options.days, options.rollout)
  const habits = passwordHabits(random)
  const uses = appUses(
    { random, habits, catalog: options.catalog, browsers: browsers.length, days: options.days },
    person,
  )
  return browsers.map((browser) => ({
    ...browser,
    ...browserDays({ browser, uses, habits, waves, options }),
  }))
}

/**
 * The events as batches, as an agent sends them: what happens within so many seconds of each other is sent together.
 *
 * @param quietSeconds after so long without an event the agent sends what it has
 * @param most how many events one batch may have
 */
export function inBatches(events: readonly AgentEvent[], quietSeconds: number, most: number): AgentEvent[][] {
  const batches: AgentEvent[][] = []
  for (const event of events) {
    const last = batches.at(-1)
    const before = last?.at(-1)
    if (last && before && last.length < most && event.timestamp - before.timestamp <= quietSeconds)
      last.push(event)
    else batches.push([event])
  }
  return batches
}
