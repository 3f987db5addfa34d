import type { StreamKind } from '@muster/contract/events/stream-kinds'
import type { Reader } from '../../kernel/store/sql.ts'
import {
  listPendingIds,
  listPendingOrganizations,
  type PendingOrganization,
} from './stream-deliveries.store.ts'

/** Pending event that was not read yet. */
export interface PendingId {
  readonly org: number
  readonly organizationId: string
  readonly id: string
}

/** Reads the pending events of a stream, except those in flight. */
export interface PendingReader {
  /** Lists the organizations with pending events. @returns false if there are none */
  list(): Promise<boolean>
  /** Returns pending events and takes them in flight. */
  take(limit: number): Promise<PendingId[]>
  /** True if organizations of the last list may have more events. */
  hasMore(): boolean
  /** Ends the flight of events. Those that are still pending are taken again. */
  release(events: readonly PendingId[]): void
  /** Returns the number of events in flight. */
  inFlight(): number
}

/** Number of organizations that are read at once, each by a query. */
const maxOrganizations = 64

/** Creates a reader. Organizations get equal shares, in turn, so that a busy one does not keep back the others. */
export function pendingReader(db: Reader, kind: StreamKind): PendingReader {
  const inFlight = new Map<number, Set<string>>()
  let organizations: readonly PendingOrganization[] = []
  let lastNo = 0

  const takeFrom = async ({ no, id }: PendingOrganization, limit: number): Promise<PendingId[]> => {
    const known = inFlight.get(no) ?? new Set()
    const ids = await listPendingIds(db, no, kind, known.size + limit)
    const taken = ids.filter((pending) => !known.has(pending)).slice(0, limit)
    for (const pending of taken) known.add(pending)
    if (known.size > 0) inFlight.set(no, known)
    if (taken.length < limit) organizations = organizations.filter((organization) => organization.no !== no)
    return taken.map((pending) => ({ org: no, organizationId: id, id: pending }))
  }

  return {
    list: async () => {
      organizations = await listPendingOrganizations(db, kind)
      return organizations.length > 0
    },
    take: async (limit) => {
      const first = organizations.findIndex(({ no }) => no > lastNo)
      const turn =
        first === -1 ? organizations : [...organizations.slice(first), ...organizations.slice(0, first)]
      const now = turn.slice(0, maxOrganizations)
      const share = Math.max(1, Math.floor(limit / Math.max(1, now.length)))
      const taken: PendingId[] = []
      // Each gets its share, then the first ones get what is left.
      for (const round of ['share', 'rest'] as const)
        for (const organization of now) {
          const left = limit - taken.length
          if (left <= 0) return taken
          if (round === 'rest' && !organizations.includes(organization)) continue
          taken.push(...(await takeFrom(organization, round === 'share' ? Math.min(share, left) : left)))
          lastNo = organization.no
        }
      return taken
    },
    hasMore: () => organizations.length > 0,
    release: (events) => {
      for (const { org, id } of events) {
        const known = inFlight.get(org)
        known?.delete(id)
        if (known?.size === 0) inFlight.delete(org)
      }
    },
    inFlight: () => [...inFlight.values()].reduce((sum, { size }) => sum + size, 0),
  }
}
