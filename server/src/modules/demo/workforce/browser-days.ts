import type { AgentEvent, HeartbeatEvent, VisitEvent } from '@muster/contract/agent-event'
import type { AgentPolicy } from '@muster/contract/agent-policy'
import { type SeededRandom, seededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import type { AppUse } from './app-uses.ts'
import { blockedVisits, type Campaign, pageAttack, type Unnamed } from './attacks.ts'
import { bannerReports } from './banner-reports.ts'
import { extensionReports } from './extension-reports.ts'
import { loginReports, sessionsOf } from './logins.ts'
import type { PasswordHabits } from './password-habits.ts'
import { eventIds } from './random-uuid.ts'
import type { SimulatedBrowser } from './simulated-browsers.ts'
import { type WorkingOptions, workingDays, workSeconds } from './working-days.ts'

/** How closely the days are told. */
export interface DayOptions extends WorkingOptions {
  /** Minutes between two heartbeats of a working day; null for one when the browser starts. */
  readonly heartbeatMinutes: number | null
  /** The most hosts that are told as visited on one day. */
  readonly visitsPerDay: number
  /** Whether nothing is told of days without a login, an attack or a change; but the last two days always are. */
  readonly onlyEventful: boolean
  /** Whether browsers are enrolled little by little, and some fall silent; else all are there from the first day on. */
  readonly rollout: boolean
}

/** What decides over a browser's days. */
export interface DaySetting {
  readonly browser: SimulatedBrowser
  /** The accounts of the person. */
  readonly uses: readonly AppUse[]
  readonly habits: PasswordHabits
  readonly waves: readonly Campaign[]
  readonly options: DayOptions
}

/** The days of one browser. */
export interface BrowserDays {
  /**
   * The events of a day in the order of their times. Days must be asked for in their order, because one follows from
   * the other.
   *
   * @param policy what the server has told this browser: a simulated agent acts on it as a real one does
   */
  eventsOn(day: number, policy: AgentPolicy): AgentEvent[]
}

/** An event without its id, of whatever kind. */
type Draft = { [K in AgentEvent['kind']]: Unnamed<Extract<AgentEvent, { kind: K }>> }[AgentEvent['kind']]

const lastDaysTold = 2

/** Plays one browser, day by day. */
export function browserDays({ browser, uses, habits, waves, options }: DaySetting): BrowserDays {
  const random = seededRandom(browser.seed)
  const nameAt = eventIds(random)
  const working = workingDays(random, browser, options)
  const extensions = extensionReports(random, options.days)
  const banners = bannerReports()
  // Whoever vouches asks in every browser; other accounts are used in one.
  const here = uses.filter((use) => use.browser === browser.number || use.signIn.loginType === 'SAML_LOGIN')
  const logins = loginReports(random, habits)
  const sessions = sessionsOf(random, here, browser.fromDay)

  const eventful = (day: number, from: number, restarted: boolean, policy: AgentPolicy): Draft[] => {
    const signedIn = sessions.takeDue(day, restarted).flatMap((use, at): Draft[] => {
      const timestamp = from + 40 + at * 70 + random.below(50)
      const login = logins.take(use, day, timestamp, policy)
      return [login, ...banners.take(use, timestamp + 2, policy)]
    })
    return [
      ...(restarted ? extensions.take(day, from + 5, policy) : []),
      ...signedIn,
      ...pageAttack(random, policy, waves, day, someTime(random, from)),
      ...blockedVisits(random, policy, someTime(random, from)),
    ]
  }

  return {
    eventsOn(day, policy) {
      if (day < browser.fromDay || day > browser.untilDay || !working.isWorking(day)) return []
      const restarted = working.takeRestart(day)
      const from = working.start(day)
      const events = eventful(day, from, restarted, policy)
      const isLast = day >= options.days - lastDaysTold
      if (events.length === 0 && options.onlyEventful && !isLast) return []
      const used = here.filter((use) => use.fromDay <= day && day <= use.untilDay)
      const all: Draft[] = [
        ...heartbeats(browser, options.heartbeatMinutes, day, from, restarted || isLast),
        ...events,
        ...visits(random, used, from, options.visitsPerDay),
      ]
      return all
        .toSorted((one, other) => one.timestamp - other.timestamp)
        .map((event) => ({ id: nameAt(event.timestamp), ...event }))
    },
  }
}

const someTime = (random: SeededRandom, from: number): number =>
  from + 1800 + random.below(workSeconds - 3600)

function heartbeats(
  browser: SimulatedBrowser,
  minutes: number | null,
  day: number,
  from: number,
  isTold: boolean,
): Unnamed<HeartbeatEvent>[] {
  const count = minutes === null ? Number(isTold) : Math.floor(workSeconds / 60 / minutes)
  const facts = browser.factsOn(day)
  return Array.from({ length: count }, (_, at) => ({
    kind: 'HEARTBEAT',
    timestamp: from + at * (minutes ?? 0) * 60,
    ...facts,
  }))
}

/** What is opened in the morning: each host once. */
function visits(
  random: SeededRandom,
  used: readonly AppUse[],
  from: number,
  most: number,
): Unnamed<VisitEvent>[] {
  const hosts = new Set(random.sample(used, most).map(({ host }) => host))
  return [...hosts].map((host) => ({ kind: 'VISIT', timestamp: from + 20 + random.below(2400), host }))
}
