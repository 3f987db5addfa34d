import { accounts } from '@muster/contract/account'
import { newId } from '../../lib/id.ts'
import { insertRawAct } from '../../storage/raw-events.ts'
import type { Tx } from '../../storage/sql.ts'
import { type Actions, action } from '../action.ts'
import { requireRecord } from '../stored-record.ts'
import { type AccountAct, forgetAccount, removeLoginMethod } from './account-acts.ts'

async function remember(tx: Tx, org: number, act: AccountAct, nowSeconds: number): Promise<void> {
  const nowMs = nowSeconds * 1000
  await insertRawAct(tx, org, { id: newId(nowMs), act, nowMs })
}

export const accountActions: Pick<Actions, 'forgetAccount' | 'deleteLoginMethod'> = {
  forgetAccount: action(async (tx, { org, id, nowSeconds }) => {
    const stored = await requireRecord(tx, accounts, org, id)
    await forgetAccount(tx, org, stored, nowSeconds)
    await remember(tx, org, { kind: 'ACCOUNT_FORGOTTEN', accountId: id }, nowSeconds)
    return stored.record
  }),
  deleteLoginMethod: action(async (tx, { org, id, body, nowSeconds }) => {
    const stored = await requireRecord(tx, accounts, org, id)
    const { loginMethod } = body
    const record = await removeLoginMethod(tx, org, stored, loginMethod, nowSeconds)
    await remember(tx, org, { kind: 'LOGIN_METHOD_REMOVED', accountId: id, loginMethod }, nowSeconds)
    return record
  }),
}
