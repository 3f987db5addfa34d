import type { ApiVersion } from '@muster/contract/notice'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import { type AuditFacts, recordAudit } from '../../kernel/events/audit-trail.ts'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { type DeprecationChange, deprecateVersion, withdrawDeprecation } from './deprecate-version.ts'
import type { DeprecationDates } from './deprecation.rules.ts'

type By = Pick<AuditFacts<'SETTING_UPDATED'>, 'actor' | 'timestamp'>

const noDates = { deprecationTimestamp: null, sunsetTimestamp: null }

const datesOf = (dates: DeprecationDates | undefined) =>
  dates
    ? { deprecationTimestamp: dates.deprecationTimestamp, sunsetTimestamp: dates.sunsetTimestamp }
    : noDates

/** The dates are those of the server: its first organization, whose owners may change them, has them in its trail. */
const tell = (
  tx: Tx,
  version: ApiVersion,
  before: DeprecationDates | undefined,
  after: DeprecationDates | undefined,
  by: By,
): Promise<void> =>
  recordAudit(tx, firstOrganization, 'SETTING_UPDATED', {
    ...by,
    new: { setting: `api ${version}`, changes: auditedChanges(datesOf(before), datesOf(after)) },
  })

/** Sets the dates of a version as {@link deprecateVersion} does, and tells who did it. */
export async function setDatesBy(
  tx: Tx,
  plan: Parameters<typeof deprecateVersion>[1],
  nowMs: number,
  by: By,
): Promise<DeprecationChange> {
  const change = await deprecateVersion(tx, plan, nowMs)
  if (change.changed) await tell(tx, plan.version, change.before, plan, by)
  return change
}

/** Takes the dates of a version back as {@link withdrawDeprecation} does, and tells who did it. */
export async function withdrawDatesBy(
  tx: Tx,
  version: ApiVersion,
  nowMs: number,
  by: By,
): Promise<Pick<DeprecationChange, 'before' | 'told'>> {
  const change = await withdrawDeprecation(tx, version, nowMs)
  if (change.before) await tell(tx, version, change.before, undefined, by)
  return change
}
