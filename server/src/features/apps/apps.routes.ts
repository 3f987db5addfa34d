import { type App, apps } from '@muster/contract/app'
import { employees } from '@muster/contract/employee'
import { invalidRequest } from '@muster/contract/errors'
import { readControls } from '../../storage/organisation-controls.ts'
import { bumpPolicyRevision } from '../../storage/policy-revision.ts'
import { recordExists, type Stored, updateRecord } from '../../storage/records.ts'
import type { Tx } from '../../storage/sql.ts'
import { type Actions, action } from '../action.ts'
import { requireRecord } from '../stored-record.ts'
import { banneredAnew, changedApp, withLabel, withoutLabel } from './apps.rules.ts'

type Input = { org: number; id: string; nowSeconds: number }

async function save(tx: Tx, { org, nowSeconds }: Input, stored: Stored<App>, record: App): Promise<App> {
  if (record === stored.record) return record
  await updateRecord(tx, apps, org, stored, { record })
  // Browsers are told of an app by the banners on it, and by nothing else.
  if (banneredAnew(stored.record, record) && (await readControls(tx, org)).banners.length > 0)
    await bumpPolicyRevision(tx, org, nowSeconds)
  return record
}

async function change(tx: Tx, input: Input, decide: (app: App) => App): Promise<App> {
  const stored = await requireRecord(tx, apps, input.org, input.id)
  return save(tx, input, stored, decide(stored.record))
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
          message: 'must be the id of an employee of the organisation, or null',
        },
      ])
    }
    return save(tx, input, stored, changedApp(stored.record, body))
  }),
  addAppLabel: action((tx, input) => change(tx, input, (app) => withLabel(app, input.body.label))),
  deleteAppLabel: action((tx, input) => change(tx, input, (app) => withoutLabel(app, input.body.label))),
}
