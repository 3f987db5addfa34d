import { stored } from '../state/stored.ts'
import type { LoginDeps } from './login-deps.ts'

/** The hosts that were reported on a day. */
export interface VisitsOfDay {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly hosts: readonly string[]
}

/** More different hosts a day are not reported one by one. */
const hostsMaximum = 2_000
const dayMs = 86_400_000

/** Enters a host; the same value again if it was reported on that day already. */
export function withVisit(visits: VisitsOfDay, host: string, timeMs: number): VisitsOfDay {
  const day = Math.floor(timeMs / dayMs)
  const hosts = day === visits.day ? visits.hosts : []
  if (hosts.includes(host) || hosts.length >= hostsMaximum) return visits
  return { day, hosts: [...hosts, host] }
}

const noVisits: VisitsOfDay = { day: 0, hosts: [] }
const visitsToday = stored<VisitsOfDay>('logins.visits', noVisits)

/** Reports that a host of work was open, once a day; to be called in turn. */
export async function reportVisit(deps: Pick<LoginDeps, 'report'>, host: string): Promise<void> {
  const visits = await visitsToday.read()
  const timeMs = Date.now()
  if (withVisit(visits, host, timeMs) === visits) return
  if (await deps.report({ kind: 'VISIT', host }))
    await visitsToday.change((now) => withVisit(now, host, timeMs))
}

/** Forgets what was reported today: it is again at the next visit. */
export async function forgetReportedVisits(): Promise<void> {
  await visitsToday.change(() => noVisits)
}

/**
 * Whether somebody signs in for work.
 *
 * @param workIdentities of the policy: addresses, and domains with `@` in front
 */
export function isWorkIdentity(workIdentities: readonly string[], identity: string): boolean {
  const name = identity.toLowerCase()
  const at = name.lastIndexOf('@')
  return at > 0 && (workIdentities.includes(name) || workIdentities.includes(name.slice(at)))
}
