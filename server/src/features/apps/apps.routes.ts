import { type App, apps } from '@muster/contract/app'
import { employees } from '@muster/contract/employee'
import { invalidRequest } from '@muster/contract/errors'
import { recordExists, updateRecord } from '../../storage/records.ts'
import type { Tx } from '../../storage/sql.ts'
import { type Actions, action } from '../action.ts'
import { requireRecord } from '../stored-record.ts'
import { changedApp, withLabel, withoutLabel } from './apps.rules.ts'

async function change(tx: Tx, org: number, id: string, decide: (app: App) => App): Promise<App> {
  const stored = await requireRecord(tx, apps, org, id)
  const record = decide(stored.record)
  if (record !== stored.record) await updateRecord(tx, apps, org, stored, { record })
  return record
}

export const appActions: Pick<Actions, 'updateApp' | 'addAppLabel' | 'deleteAppLabel'> = {
  updateApp: action(async (tx, { org, id, body }) => {
    const stored = await requireRecord(tx, apps, org, id)
    const { ownerId } = body
    if (typeof ownerId === 'string' && !(await recordExists(tx, employees, org, ownerId))) {
      throw invalidRequest([
        {
          in: 'body',
          name: 'ownerId',
          message: 'must be the id of an employee of the organisation, or null',
        },
      ])
    }
    const record = changedApp(stored.record, body)
    await updateRecord(tx, apps, org, stored, { record })
    return record
  }),
  addAppLabel: action((tx, { org, id, body }) => change(tx, org, id, (app) => withLabel(app, body.label))),
  deleteAppLabel: action((tx, { org, id, body }) =>
    change(tx, org, id, (app) => withoutLabel(app, body.label)),
  ),
}
