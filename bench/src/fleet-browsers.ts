import type { AgentEvent } from '@muster/contract/agent-event'
import type { AgentPolicy } from '@muster/contract/agent-policy'
import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { daySeconds } from '../../server/src/modules/demo/workforce/company.ts'
import { simulatedWorkforce, type Workforce } from '../../server/src/modules/demo/workforce/workforce.ts'

/** How full the days of a fleet are. */
export interface FleetDays {
  readonly heartbeatMinutes: number
  readonly visitsPerDay: number
  readonly restartsDaily: boolean
}

/** A usual working day: a heartbeat every five minutes, a dozen hosts, a login now and then. */
export const usualDays: FleetDays = { heartbeatMinutes: 5, visitsPerDay: 12, restartsDaily: false }

/** Days that cost the server most: as many logins as heartbeats and visits. */
export const busyDays: FleetDays = { heartbeatMinutes: 96, visitsPerDay: 5, restartsDaily: true }

/** What a fleet is made from. */
export interface FleetPlan {
  readonly browsers: number
  readonly days: number
  /** UTC midnight behind the last day; UNIX seconds. */
  readonly untilSeconds: number
  readonly seed: number
  readonly kind: FleetDays
}

/** A browser of a fleet. */
export type FleetBrowser = Workforce['browsers'][number]

/** The browsers of a fleet, all of them there from the first day on. */
export function fleetBrowsers({ browsers, days, untilSeconds, seed, kind }: FleetPlan): FleetBrowser[] {
  const { heartbeatMinutes, visitsPerDay, restartsDaily } = kind
  const workforce = simulatedWorkforce({
    seed,
    // Nearly all people have one.
    people: Math.ceil(browsers * 1.15) + 5,
    catalog: createCatalog(products),
    startSeconds: untilSeconds - days * daySeconds,
    days,
    heartbeatMinutes,
    visitsPerDay,
    restartsDaily,
    onlyEventful: false,
    rollout: false,
  })
  return workforce.browsers.slice(0, browsers)
}

/** All that a browser reports in its days, as far as it is from a time on. */
export const fleetEvents = (
  browser: FleetBrowser,
  days: number,
  policy: AgentPolicy,
  fromSeconds = 0,
): AgentEvent[] =>
  Array.from({ length: days }, (_, day) => browser.eventsOn(day, policy))
    .flat()
    .filter(({ timestamp }) => timestamp >= fromSeconds)

/** The midnight behind the last day before a time on which people work. */
export function lastWorkingMidnight(nowSeconds: number): number {
  const midnight = Math.floor(nowSeconds / daySeconds) * daySeconds
  const dayBefore = new Date((midnight - daySeconds) * 1000).getUTCDay()
  const weekendDays = dayBefore === 6 ? 1 : dayBefore === 0 ? 2 : 0
  return midnight - weekendDays * daySeconds
}
