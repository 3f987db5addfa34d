import { type App, apps } from '@muster/contract/app'
import { employees } from '@muster/contract/employee'
import { invalidRequest } from '@muster/contract/errors'
import type { Actor } from '@muster/contract/event-actor'
import { tellAudit } from '../../storage/audit-trail.ts'
import { readControls } from '../../storage/organisation-controls.ts'
import { bumpPolicyRevision } from '../../storage/policy-revision.ts'
import { recordExists, type Stored, updateRecord } from '../../storage/records.ts'
import type { Tx } from '../../storage/sql.ts'
import { type Actions, action } from '../action.ts'
import { auditedChanges } from '../audit-changes.ts'
import { requireRecord } from '../stored-record.ts'
import { banneredAnew, changedApp, withLabel, withoutLabel } from './apps.rules.ts'

type Input = { org: number; id: string; actor: Actor; nowSeconds: number }

async function save(tx: Tx, { org, nowSeconds }: Input, stored: Stored<App>, record: App): Promise<App> {
  if (record === stored.record) return record
  await updateRecord(tx, apps, org, stored, { record })
  // Browsers are told of an app by the banners on it, and by nothing else.
  if (banneredAnew(stored.record, record) && (await readControls(tx, org)).banners.length > 0)
    await bumpPolicyRevision(tx, org, nowSeconds)
  return record
}

async function changeLabels(
  tx: Tx,
  input: Input,
  object: 'APP_LABELS_ADDED' | 'APP_LABELS_REMOVED',
  decide: (app: App) => App,
): Promise<App> {
  const stored = await requireRecord(tx, apps, input.org, input.id)
  const record = await save(tx, input, stored, decide(stored.record))
  const before = new Set(stored.record.labels)
  const after = new Set(record.labels)
  const labels = [...before.symmetricDifference(after)]
  if (labels.length > 0) await tellAudit(tx, input.org, object, facts(input, { ...audited(record), labels }))
  return record
}

const audited = ({ id, type }: App) => ({ appId: id, appType: type })
const facts = <F>({ actor, nowSeconds }: Input, told: F) => ({ actor, timestamp: nowSeconds, new: told })

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
          message: 'must be the id of an employee of the organisation, or null',
        },
      ])
    }
    const record = await save(tx, input, stored, changedApp(stored.record, body))
    const changes = auditedChanges(stored.record, record)
    if (changes.length > 0)
      await tellAudit(tx, org, 'APP_UPDATED', facts(input, { ...audited(record), changes }))
    return record
  }),
  addAppLabel: action((tx, input) =>
    changeLabels(tx, input, 'APP_LABELS_ADDED', (app) => withLabel(app, input.body.label)),
  ),
  deleteAppLabel: action((tx, input) =>
    changeLabels(tx, input, 'APP_LABELS_REMOVED', (app) => withoutLabel(app, input.body.label)),
  ),
}
