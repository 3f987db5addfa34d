import type { BrowserFacts } from '@muster/contract/agent/agent-event'
import type { Browser } from '@muster/contract/records/browser'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { type Office, offices } from './company.ts'
import type { SimulatedPerson } from './simulated-people.ts'

/** Browser of a simulated person. Days are counted from the first simulated day. */
export interface SimulatedBrowser {
  readonly person: SimulatedPerson
  /** Index among the browsers of the person. */
  readonly number: number
  readonly tokenType: Browser['tokenType']
  /** Day of the enrollment. */
  readonly fromDay: number
  /** Last day of use; after the simulation if it stays. */
  readonly untilDay: number
  /** IP address of its connection. */
  readonly address: string
  /** Offset of the local time from UTC, in hours. */
  readonly utcOffset: number
  readonly seed: number
  factsOn(day: number): BrowserFacts
  userAgentOn(day: number): string
}

/** Browsers that have an agent; Safari has none. */
const machines = [
  { os: 'MACOS', browsers: ['CHROME', 'CHROME', 'CHROME', 'EDGE', 'ARC', 'FIREFOX'] },
  { os: 'MACOS', browsers: ['CHROME', 'CHROME', 'BRAVE', 'FIREFOX'] },
  { os: 'WINDOWS', browsers: ['CHROME', 'CHROME', 'EDGE', 'EDGE', 'FIREFOX'] },
  { os: 'WINDOWS', browsers: ['EDGE', 'CHROME', 'OPERA'] },
  { os: 'LINUX', browsers: ['CHROME', 'FIREFOX', 'FIREFOX'] },
  { os: 'CHROMEOS', browsers: ['CHROME'] },
] as const

/** Versions released during the simulation, in order. */
const versions: Readonly<Record<string, readonly string[]>> = {
  FIREFOX: ['143.0', '143.0.4', '144.0', '145.0', '145.0.1'],
}
const chromium = ['139.0.7258.154', '140.0.7339.207', '141.0.7390.54', '141.0.7390.123', '142.0.7444.60']
const releaseDays = 22

/**
 * Returns the one or two browsers of a person. In a rollout, a pilot group starts, most others follow, few
 * come later, and some leave.
 */
export function simulatedBrowsers(
  random: SeededRandom,
  person: SimulatedPerson,
  days: number,
  rollout: boolean,
): SimulatedBrowser[] {
  const chance = random.fraction()
  const joinsOn =
    chance < 0.14
      ? random.below(3)
      : chance < 0.93
        ? 4 + random.below(12)
        : random.below(Math.max(1, days - 5))
  const leavesOn = random.chance(0.03) ? joinsOn + random.below(days) : days
  const office = offices.find(({ name }) => name === person.location)
  const address = addressOf(random, office)
  return Array.from({ length: random.chance(0.3) ? 2 : 1 }, (_, number) => {
    const fromDay = Math.min(days - 1, number === 0 ? joinsOn : joinsOn + random.below(30))
    const abandonedOn = number > 0 && random.chance(0.25) ? fromDay + 3 + random.below(days) : days
    return {
      person,
      number,
      tokenType: random.chance(0.75) ? 'MANAGED' : 'INDIVIDUAL',
      fromDay: rollout ? fromDay : 0,
      untilDay: rollout ? Math.max(fromDay, Math.min(leavesOn, abandonedOn)) : days,
      address,
      utcOffset: office?.utcOffset ?? 0,
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
  const constantFacts = {
    browser,
    os: machine.os,
    language: random.pick(['en-GB', 'en-GB', 'en-US', 'de', 'pt-PT', 'fr-CA', null]),
    profileEmail: random.chance(0.8) ? person.email : null,
    profileSyncEnabled: random.pick([true, true, false, null]),
  }
  return {
    factsOn: (day) => ({
      ...constantFacts,
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
