import type { AgentEvent, HeartbeatEvent, VisitEvent } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
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

/** Level of detail of the simulated days. */
export interface DayOptions extends WorkingOptions {
  /** Minutes between heartbeats on a working day; null for one at the start of the browser. */
  readonly heartbeatMinutes: number | null
  /** Maximum number of visited hosts per day. */
  readonly visitsPerDay: number
  /** True to skip days without a login, an attack or a change. The last two days are always reported. */
  readonly onlyEventful: boolean
  /** True if browsers enroll gradually and some fall silent; otherwise all are active from the first day. */
  readonly rollout: boolean
}

/** Input for the days of a browser. */
export interface DaySetting {
  readonly browser: SimulatedBrowser
  /** Accounts of the person. */
  readonly uses: readonly AppUse[]
  readonly habits: PasswordHabits
  readonly campaigns: readonly Campaign[]
  readonly options: DayOptions
}

/** Simulated days of one browser. */
export interface BrowserDays {
  /**
   * Returns the events of a day, sorted by time. Days must be requested in order, because each depends on the
   * one before.
   *
   * @param policy policy that the server sent to this browser; simulated agents follow it like real ones
   */
  eventsOn(day: number, policy: AgentPolicy): AgentEvent[]
}

/** Event of any kind without an ID. */
type Draft = { [K in AgentEvent['kind']]: Unnamed<Extract<AgentEvent, { kind: K }>> }[AgentEvent['kind']]

const alwaysReportedDays = 2

/** Simulates one browser, day by day. */
export function browserDays({ browser, uses, habits, campaigns, options }: DaySetting): BrowserDays {
  const random = seededRandom(browser.seed)
  const idAt = eventIds(random)
  const working = workingDays(random, browser, options)
  const extensions = extensionReports(random, options.days)
  const banners = bannerReports()
  // SAML logins happen in every browser; other accounts are used in one.
  const here = uses.filter((use) => use.browser === browser.number || use.signIn.loginType === 'SAML_LOGIN')
  const logins = loginReports(random, habits)
  const { activity = 1 } = options
  const sessions = sessionsOf(random, here, browser.fromDay, activity)

  const eventful = (day: number, from: number, restarted: boolean, policy: AgentPolicy): Draft[] => {
    const signedIn = sessions.takeDue(day, restarted).flatMap((use, at): Draft[] => {
      const timestamp = from + 40 + at * 70 + random.below(50)
      const login = logins.take(use, day, timestamp, policy)
      return [login, ...banners.take(use, timestamp + 2, policy)]
    })
    return [
      ...(restarted ? extensions.take(day, from + 5, policy) : []),
      ...signedIn,
      ...(random.chance(activity)
        ? [
            ...pageAttack(random, policy, campaigns, day, someTime(random, from)),
            ...blockedVisits(random, policy, someTime(random, from)),
          ]
        : []),
    ]
  }

  return {
    eventsOn(day, policy) {
      if (day < browser.fromDay || day > browser.untilDay || !working.isWorking(day)) return []
      const restarted = working.takeRestart(day)
      const from = working.start(day)
      const events = eventful(day, from, restarted, policy)
      const isLast = day >= options.days - alwaysReportedDays
      if (events.length === 0 && options.onlyEventful && !isLast) return []
      const used = here.filter((use) => use.fromDay <= day && day <= use.untilDay)
      const all: Draft[] = [
        ...heartbeats(browser, options.heartbeatMinutes, day, from, restarted || isLast),
        ...events,
        ...visits(random, used, from, options.visitsPerDay),
      ]
      return all
        .toSorted((one, other) => one.timestamp - other.timestamp)
        .map((event) => ({ id: idAt(event.timestamp), ...event }))
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
  isReported: boolean,
): Unnamed<HeartbeatEvent>[] {
  const count = minutes === null ? Number(isReported) : Math.floor(workSeconds / 60 / minutes)
  const facts = browser.factsOn(day)
  return Array.from({ length: count }, (_, at) => ({
    kind: 'HEARTBEAT',
    timestamp: from + at * (minutes ?? 0) * 60,
    ...facts,
  }))
}

/** Returns the visits of a morning, one per host. */
function visits(
  random: SeededRandom,
  used: readonly AppUse[],
  from: number,
  maximum: number,
): Unnamed<VisitEvent>[] {
  const hosts = new Set(random.sample(used, maximum).map(({ host }) => host))
  return [...hosts].map((host) => ({ kind: 'VISIT', timestamp: from + 20 + random.below(2400), host }))
}
