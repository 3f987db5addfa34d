import type { BrowserFacts } from '@muster/contract/agent-event'
import type { Browser } from '@muster/contract/browser'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { type Office, offices } from './company.ts'
import type { SimulatedPerson } from './simulated-people.ts'

/** A browser of a simulated person. Days are counted from the first of the simulation. */
export interface SimulatedBrowser {
  readonly person: SimulatedPerson
  /** Its place among the browsers of the person, from 0. */
  readonly number: number
  readonly tokenType: Browser['tokenType']
  /** The day on which it is enrolled. */
  readonly fromDay: number
  /** The last day on which it is used; none of those simulated if it stays. */
  readonly untilDay: number
  /** The address of its connection. */
  readonly address: string
  /** Hours that the clocks where it is used are ahead of UTC. */
  readonly ahead: number
  readonly seed: number
  factsOn(day: number): BrowserFacts
  userAgentOn(day: number): string
}

/** Browsers that the agent is built for: there is none for Safari. */
const machines = [
  { os: 'MACOS', browsers: ['CHROME', 'CHROME', 'CHROME', 'EDGE', 'ARC', 'FIREFOX'] },
  { os: 'MACOS', browsers: ['CHROME', 'CHROME', 'BRAVE', 'FIREFOX'] },
  { os: 'WINDOWS', browsers: ['CHROME', 'CHROME', 'EDGE', 'EDGE', 'FIREFOX'] },
  { os: 'WINDOWS', browsers: ['EDGE', 'CHROME', 'OPERA'] },
  { os: 'LINUX', browsers: ['CHROME', 'FIREFOX', 'FIREFOX'] },
  { os: 'CHROMEOS', browsers: ['CHROME'] },
] as const

/** The versions that came out while the simulation runs, one after the other. */
const versions: Readonly<Record<string, readonly string[]>> = {
  FIREFOX: ['143.0', '143.0.4', '144.0', '145.0', '145.0.1'],
}
const chromium = ['139.0.7258.154', '140.0.7339.207', '141.0.7390.54', '141.0.7390.123', '142.0.7444.60']
const releaseDays = 22

/**
 * The browsers of a person: one or two. In a rollout those of a pilot group come first, then all others, few of them
 * later, and some are left.
 */
export function simulatedBrowsers(
  random: SeededRandom,
  person: SimulatedPerson,
  days: number,
  rollout: boolean,
): SimulatedBrowser[] {
  const chance = random.fraction()
  const joins =
    chance < 0.14
      ? random.below(3)
      : chance < 0.93
        ? 4 + random.below(12)
        : random.below(Math.max(1, days - 5))
  const leaves = random.chance(0.03) ? joins + random.below(days) : days
  const office = offices.find(({ name }) => name === person.location)
  const address = addressOf(random, office)
  return Array.from({ length: random.chance(0.3) ? 2 : 1 }, (_, number) => {
    const fromDay = Math.min(days - 1, number === 0 ? joins : joins + random.below(30))
    const forgotten = number > 0 && random.chance(0.25) ? fromDay + 3 + random.below(days) : days
    return {
      person,
      number,
      tokenType: random.chance(0.75) ? 'MANAGED' : 'INDIVIDUAL',
      fromDay: rollout ? fromDay : 0,
      untilDay: rollout ? Math.max(fromDay, Math.min(leaves, forgotten)) : days,
      address,
      ahead: office?.ahead ?? 0,
      seed: random.below(2 ** 32),
      ...machineOf(random, person),
    }
  })
}

const addressOf = (random: SeededRandom, office: Office | undefined): string =>
  office && office.address !== '' ? office.address : `192.0.2.${1 + random.below(254)}`

function machineOf(
  random: SeededRandom,
  person: SimulatedPerson,
): Pick<SimulatedBrowser, 'factsOn' | 'userAgentOn'> {
  const machine = random.pick(machines)
  const browser = random.pick<(typeof machines)[number]['browsers'][number]>(machine.browsers)
  const line = versions[browser] ?? chromium
  const lag = random.below(18)
  const versionOn = (day: number): string =>
    line[Math.max(0, Math.min(line.length - 1, Math.floor((day - lag) / releaseDays)))] ?? ''
  const fixed = {
    browser,
    os: machine.os,
    language: random.pick(['en-GB', 'en-GB', 'en-US', 'de', 'pt-PT', 'fr-CA', null]),
    profileEmail: random.chance(0.8) ? person.email : null,
    profileSyncEnabled: random.pick([true, true, false, null]),
  }
  return {
    factsOn: (day) => ({
      ...fixed,
      version: versionOn(day),
      extensionVersion: day - lag < 40 ? '0.1.0' : '0.2.0',
    }),
    userAgentOn: (day) => userAgent(machine.os, browser, versionOn(day)),
  }
}

const platforms: Readonly<Record<string, string>> = {
  MACOS: 'Macintosh; Intel Mac OS X 10_15_7',
  WINDOWS: 'Windows NT 10.0; Win64; x64',
  LINUX: 'X11; Linux x86_64',
  CHROMEOS: 'X11; CrOS x86_64 14541.0.0',
}

function userAgent(os: string, browser: string, version: string): string {
  const platform = platforms[os] ?? 'X11; Linux x86_64'
  const major = version.split('.')[0]
  if (browser === 'FIREFOX')
    return `Mozilla/5.0 (${platform}; rv:${major}.0) Gecko/20100101 Firefox/${major}.0`
  const edge = browser === 'EDGE' ? ` Edg/${major}.0.0.0` : ''
  return `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36${edge}`
}
