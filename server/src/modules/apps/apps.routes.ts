import { invalidRequest } from '@muster/contract/api/errors'
import type { Actor } from '@muster/contract/events/event-actor'
import { type App, apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { type Actions, action, requireRecord } from '../../kernel/actions/action.ts'
import { recordAuditEvents } from '../../kernel/actions/audit-record-changes.ts'
import { appAuditEvents } from '../../kernel/actions/record-audit-events.rules.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import { recordExists, type Stored, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { changedApp, mayChangeBanner, withLabel, withoutLabel } from './apps.rules.ts'

type Input = { org: number; id: string; actor: Actor; nowSeconds: number }

/** Saves an app and records the audit events of the change. */
async function save(tx: Tx, input: Input, stored: Stored<App>, record: App): Promise<App> {
  const { org, actor, nowSeconds } = input
  if (record === stored.record) return record
  await updateRecord(tx, apps, org, stored, { record })
  // Banners are the only part of the policy that depends on apps.
  if (mayChangeBanner(stored.record, record) && (await readControls(tx, org)).banners.length > 0)
    await bumpPolicyRevision(tx, org, nowSeconds)
  const acts = appAuditEvents([{ before: stored.record, after: record }])
  await recordAuditEvents(tx, org, { actor, timestamp: nowSeconds }, acts)
  return record
}

export const appActions: Pick<Actions, 'updateApp' | 'addAppLabel' | 'deleteAppLabel'> = {
  updateApp: action(async (tx, input) => {
    const { org, body } = input
    const { ownerId } = body
    const stored = await requireRecord(tx, apps, org, input.id)
    if (typeof ownerId === 'string' && !(await recordExists(tx, employees, org, ownerId))) {
      throw invalidRequest([
        {
          in: 'body',
          name: 'ownerId',
          message: 'must be the ID of an employee of the organization, or null',
        },
      ])
    }
    return save(tx, input, stored, changedApp(stored.record, body))
  }),
  addAppLabel: action(async (tx, input) => {
    const stored = await requireRecord(tx, apps, input.org, input.id)
    return save(tx, input, stored, withLabel(stored.record, input.body.label))
  }),
  deleteAppLabel: action(async (tx, input) => {
    const stored = await requireRecord(tx, apps, input.org, input.id)
    return save(tx, input, stored, withoutLabel(stored.record, input.body.label))
  }),
}
