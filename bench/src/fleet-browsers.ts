import type { AgentEvent } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { daySeconds } from '../../server/src/modules/demo/workforce/company.ts'
import { simulatedWorkforce, type Workforce } from '../../server/src/modules/demo/workforce/workforce.ts'

/** Activity of a fleet per day. */
export interface FleetDays {
  readonly heartbeatMinutes: number
  readonly visitsPerDay: number
  readonly restartsDaily: boolean
}

/** Normal working day: a heartbeat every five minutes, a dozen hosts, occasional logins. */
export const usualDays: FleetDays = { heartbeatMinutes: 5, visitsPerDay: 12, restartsDaily: false }

/** The most expensive days for the server: as many logins as heartbeats and visits. */
export const busyDays: FleetDays = { heartbeatMinutes: 96, visitsPerDay: 5, restartsDaily: true }

export interface FleetPlan {
  readonly browsers: number
  readonly days: number
  /** UTC midnight after the last day, in UNIX seconds. */
  readonly untilSeconds: number
  readonly seed: number
  readonly kind: FleetDays
}

export type FleetBrowser = Workforce['browsers'][number]

/** Returns the browsers of a fleet. All of them exist from the first day. */
export function fleetBrowsers({ browsers, days, untilSeconds, seed, kind }: FleetPlan): FleetBrowser[] {
  const { heartbeatMinutes, visitsPerDay, restartsDaily } = kind
  const workforce = simulatedWorkforce({
    seed,
    // Nearly all people have a browser.
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

/** Returns all events of a browser since `fromSeconds`. */
export const fleetEvents = (
  browser: FleetBrowser,
  days: number,
  policy: AgentPolicy,
  fromSeconds = 0,
): AgentEvent[] =>
  Array.from({ length: days }, (_, day) => browser.eventsOn(day, policy))
    .flat()
    .filter(({ timestamp }) => timestamp >= fromSeconds)

/** Returns the midnight after the last working day before a time. */
export function lastWorkingMidnight(nowSeconds: number): number {
  const midnight = Math.floor(nowSeconds / daySeconds) * daySeconds
  const dayBefore = new Date((midnight - daySeconds) * 1000).getUTCDay()
  const weekendDays = dayBefore === 6 ? 1 : dayBefore === 0 ? 2 : 0
  return midnight - weekendDays * daySeconds
}
