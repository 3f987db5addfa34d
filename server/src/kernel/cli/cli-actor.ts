import { userInfo } from 'node:os'
import type { Actor } from '@muster/contract/events/event-actor'
import type { AuditedChange } from '../actions/audit-changes.rules.ts'
import { recordAudit } from '../events/audit-trail.ts'
import { systemClock, unixSeconds } from '../lib/clock.ts'
import { firstCharacters } from '../lib/text.ts'
import { listOrganizations } from '../organizations/organizations.ts'
import type { Tx } from '../store/sql.ts'

/** Returns the user of the operating system: the name, or the number if there is no name, as in containers. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Records an audit event for a settings change from the command line. */
export const auditCliChange = (
  tx: Tx,
  org: number,
  setting: string,
  changes: AuditedChange[],
  what?: string,
): Promise<void> =>
  recordAudit(tx, org, 'SETTING_UPDATED', {
    ...cliAuditContext(),
    new: { setting, changes },
    ...(what === undefined ? {} : { what }),
  })

/** Calls a function for each organization, to audit a command that affects the whole store. */
export async function forEachOrganization(tx: Tx, callback: (org: number) => Promise<void>): Promise<void> {
  for (const { no } of await listOrganizations(tx)) await callback(no)
}

/** Returns actor and time for audit events of the command line. */
export const cliAuditContext = (): { actor: Actor; timestamp: number } => ({
  actor: { source: 'CLI', user: firstCharacters(userName(), 256) },
  timestamp: unixSeconds(systemClock),
})
