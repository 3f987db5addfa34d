import type { AgentEvent } from '@muster/contract/agent/agent-event'
import type { Catalog } from '@muster/contract/catalog/catalog'
import { seededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { appUses } from './app-uses.ts'
import { randomCampaigns } from './attacks.ts'
import { type BrowserDays, browserDays, type DayOptions } from './browser-days.ts'
import { passwordHabits } from './password-habits.ts'
import { type SimulatedBrowser, simulatedBrowsers } from './simulated-browsers.ts'
import { type SimulatedPerson, simulatedPeople } from './simulated-people.ts'

/** Input of a simulation: the same options give the same events. */
export interface WorkforceOptions extends DayOptions {
  readonly seed: number
  readonly people: number
  readonly catalog: Catalog
}

/** Simulated workforce. */
export interface Workforce {
  readonly people: readonly SimulatedPerson[]
  /** Browsers of licensed people, with their days. */
  readonly browsers: readonly (SimulatedBrowser & BrowserDays)[]
}

/** Simulates a workforce: people, their browsers, and the events of each day. Sends nothing. */
export function simulatedWorkforce(options: WorkforceOptions): Workforce {
  const people = simulatedPeople(options.seed, options.people)
  const campaigns = randomCampaigns(seededRandom(options.seed + 1), options.days)
  return {
    people,
    browsers: people
      .filter(({ licensed }) => licensed)
      .flatMap((person) => browsersOf(person, campaigns, options)),
  }
}

function browsersOf(
  person: SimulatedPerson,
  campaigns: ReturnType<typeof randomCampaigns>,
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
    ...browserDays({ browser, uses, habits, campaigns, options }),
  }))
}

/**
 * Splits events into batches like an agent: events with short gaps are sent together.
 *
 * @param quietSeconds gap after which the agent sends its events
 * @param maximum maximum number of events per batch
 */
export function inBatches(
  events: readonly AgentEvent[],
  quietSeconds: number,
  maximum: number,
): AgentEvent[][] {
  const batches: AgentEvent[][] = []
  for (const event of events) {
    const last = batches.at(-1)
    const before = last?.at(-1)
    if (last && before && last.length < maximum && event.timestamp - before.timestamp <= quietSeconds)
      last.push(event)
    else batches.push([event])
  }
  return batches
}
