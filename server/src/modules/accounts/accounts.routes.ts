import { notFound } from '@muster/contract/api/errors'
import { type Account, accounts } from '@muster/contract/records/account'
import { type Actions, action, requireRecord } from '../../kernel/actions/action.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { insertRawOperation } from '../ingest/raw-events.service.ts'
import { type AccountOperation, forgetAccount, removeLoginMethod } from './account-operations.ts'

async function storeOperation(
  tx: Tx,
  org: number,
  operation: AccountOperation,
  nowSeconds: number,
): Promise<void> {
  const nowMs = nowSeconds * 1000
  await insertRawOperation(tx, org, { id: newId(nowMs), operation, nowMs })
}

const auditedAccount = ({ id, email, appType }: Account) => ({ accountId: id, accountEmail: email, appType })

export const accountActions: Pick<Actions, 'forgetAccount' | 'deleteLoginMethod'> = {
  forgetAccount: action(async (tx, { org, id, actor, nowSeconds }) => {
    const stored = await requireRecord(tx, accounts, org, id)
    await forgetAccount(tx, org, stored, nowSeconds)
    await storeOperation(tx, org, { kind: 'ACCOUNT_FORGOTTEN', accountId: id }, nowSeconds)
    const facts = auditedAccount(stored.record)
    await recordAudit(tx, org, 'ACCOUNT_FORGOTTEN', { actor, timestamp: nowSeconds, new: facts })
    return stored.record
  }),
  deleteLoginMethod: action(async (tx, { org, id, body, actor, nowSeconds }) => {
    const stored = await requireRecord(tx, accounts, org, id)
    const { loginMethod } = body
    const record = await removeLoginMethod(tx, org, stored, loginMethod, nowSeconds)
    if (record === undefined) throw notFound(`The account has no login method ${loginMethod}`)
    await storeOperation(tx, org, { kind: 'LOGIN_METHOD_REMOVED', accountId: id, loginMethod }, nowSeconds)
    const facts = { ...auditedAccount(record), loginMethod }
    await recordAudit(tx, org, 'ACCOUNT_LOGIN_METHOD_REMOVED', { actor, timestamp: nowSeconds, new: facts })
    return record
  }),
}
