import type { ApiVersion } from '@muster/contract/records/notice'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import { type AuditFacts, recordAudit } from '../../kernel/events/audit-trail.ts'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { type DeprecationChange, deprecateVersion, withdrawDeprecation } from './deprecate-version.ts'
import type { DeprecationDates } from './deprecation.rules.ts'

type ChangedBy = Pick<AuditFacts<'SETTING_UPDATED'>, 'actor' | 'timestamp'>

const noDates = { deprecationTimestamp: null, sunsetTimestamp: null }

const datesOf = (dates: DeprecationDates | undefined) =>
  dates
    ? { deprecationTimestamp: dates.deprecationTimestamp, sunsetTimestamp: dates.sunsetTimestamp }
    : noDates

/** Audits a change in the first organization, whose owners may change the dates of the server. */
const recordChange = (
  tx: Tx,
  version: ApiVersion,
  before: DeprecationDates | undefined,
  after: DeprecationDates | undefined,
  by: ChangedBy,
): Promise<void> =>
  recordAudit(tx, firstOrganization, 'SETTING_UPDATED', {
    ...by,
    new: { setting: `api ${version}`, changes: auditedChanges(datesOf(before), datesOf(after)) },
  })

/** Sets the dates of a version (see {@link deprecateVersion}) and audits the change. */
export async function setDatesBy(
  tx: Tx,
  announcement: Parameters<typeof deprecateVersion>[1],
  nowMs: number,
  by: ChangedBy,
): Promise<DeprecationChange> {
  const change = await deprecateVersion(tx, announcement, nowMs)
  if (change.changed) await recordChange(tx, announcement.version, change.before, announcement, by)
  return change
}

/** Withdraws the dates of a version (see {@link withdrawDeprecation}) and audits the change. */
export async function withdrawDatesBy(
  tx: Tx,
  version: ApiVersion,
  nowMs: number,
  by: ChangedBy,
): Promise<Pick<DeprecationChange, 'before' | 'notified'>> {
  const change = await withdrawDeprecation(tx, version, nowMs)
  if (change.before) await recordChange(tx, version, change.before, undefined, by)
  return change
}
