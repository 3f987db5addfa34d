import { stored } from '../state/stored.ts'
import type { LoginDeps } from './login-deps.ts'

/** Hosts reported on one day. */
export interface VisitsOfDay {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly hosts: readonly string[]
}

/** Maximum number of hosts reported per day. */
const hostsMaximum = 2_000
const dayMs = 86_400_000

/** Adds a host. Returns the same object if the host was already reported that day. */
export function withVisit(visits: VisitsOfDay, host: string, timeMs: number): VisitsOfDay {
  const day = Math.floor(timeMs / dayMs)
  const hosts = day === visits.day ? visits.hosts : []
  if (hosts.includes(host) || hosts.length >= hostsMaximum) return visits
  return { day, hosts: [...hosts, host] }
}

const noVisits: VisitsOfDay = { day: 0, hosts: [] }
const visitsToday = stored<VisitsOfDay>('logins.visits', noVisits)

/** Reports a visit of a work host, once a day. Calls must be serialized. */
export async function reportVisit(deps: Pick<LoginDeps, 'report'>, host: string): Promise<void> {
  const visits = await visitsToday.read()
  const timeMs = Date.now()
  if (withVisit(visits, host, timeMs) === visits) return
  if (await deps.report({ kind: 'VISIT', host }))
    await visitsToday.change((now) => withVisit(now, host, timeMs))
}

/** Clears today's reported hosts, so the next visits are reported again. */
export async function forgetReportedVisits(): Promise<void> {
  await visitsToday.change(() => noVisits)
}

/**
 * Returns true if an identity belongs to the organization.
 *
 * @param workIdentities addresses, and domains prefixed with `@`, from the policy
 */
export function isWorkIdentity(workIdentities: readonly string[], identity: string): boolean {
  const name = identity.toLowerCase()
  const at = name.lastIndexOf('@')
  return at > 0 && (workIdentities.includes(name) || workIdentities.includes(name.slice(at)))
}
