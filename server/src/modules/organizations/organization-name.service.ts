import { ApiError } from '@muster/contract/api/errors'
import type { Actor } from '@muster/contract/events/event-actor'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { organizationName, renameOrganization } from '../../kernel/organizations/organizations.ts'
import { type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'

/**
 * Renames an organization and records the change; nothing happens if it already has the name.
 *
 * @throws ApiError conflict for the name of another organization
 */
export async function changeOrganizationName(
  tx: Tx,
  org: number,
  name: string,
  by: { readonly actor: Actor; readonly timestamp: number },
): Promise<void> {
  // Serialize renames, so each audit event has the right previous name.
  await tx.lock(`settings ${org}`)
  const changes = auditedChanges({ name: await organizationName(tx, org) }, { name })
  if (changes.length === 0) return
  await renameOrganization(tx, org, name, by.timestamp).catch((error: unknown) => {
    if (!(error instanceof UniqueViolationError)) throw error
    throw new ApiError('conflict', 'Another organization of this server already has this name.')
  })
  await recordAudit(tx, org, 'SETTING_UPDATED', { ...by, new: { setting: 'organization', changes } })
}
