import { userInfo } from 'node:os'
import type { Actor } from '@muster/contract/event-actor'
import type { AuditedChange } from '../actions/audit-changes.rules.ts'
import { tellAudit } from '../events/audit-trail.ts'
import { systemClock, unixSeconds } from '../lib/clock.ts'
import { firstCharacters } from '../lib/text.ts'
import { listOrganizations } from '../organizations/organizations.ts'
import type { Tx } from '../store/sql.ts'

/** The user of the operating system, by name; one that has none, as in a container, by number. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Tells the audit trail of an act at the command line that changes how Muster is set. */
export const auditCliChange = (
  tx: Tx,
  org: number,
  setting: string,
  changes: AuditedChange[],
  what?: string,
): Promise<void> =>
  tellAudit(tx, org, 'SETTING_UPDATED', {
    ...{ ...cliAuditContext(), new: { setting, changes } },
    ...(what === undefined ? {} : { what }),
  })

/** Tells the trails of all organizations of an act on the whole store. */
export async function forEachOrganization(tx: Tx, tell: (org: number) => Promise<void>): Promise<void> {
  for (const { no } of await listOrganizations(tx)) await tell(no)
}

/** What the audit trail is told of an act at the command line: who does it, and when. */
export const cliAuditContext = (): { actor: Actor; timestamp: number } => ({
  actor: { source: 'CLI', user: firstCharacters(userName(), 256) },
  timestamp: unixSeconds(systemClock),
})
