import { accounts, usedBy } from '@muster/contract/account'
import { type Finding, findings } from '@muster/contract/finding'
import { recordsWhere, removeRecord, updateRecord } from '../../storage/records.ts'
import type { Tx } from '../../storage/sql.ts'
import { type Actions, action } from '../action.ts'
import { requireRecord } from '../stored-record.ts'
import { isReused, resolved, resolvesWithoutPassword, withoutLoginMethod } from './accounts.rules.ts'

async function resolveFindings(
  tx: Tx,
  org: number,
  accountId: string,
  nowSeconds: number,
  which: (finding: Finding) => boolean,
): Promise<void> {
  for (const stored of await recordsWhere(tx, findings, org, 'accountId', accountId)) {
    if (which(stored.record))
      await updateRecord(tx, findings, org, stored, { record: resolved(stored.record, nowSeconds) })
  }
}

/** Accounts that shared a password with one that has none now may be the last of their app to have it. */
async function resolveReuse(tx: Tx, org: number, passwordId: string, nowSeconds: number): Promise<void> {
  const sharing = (await recordsWhere(tx, accounts, org, 'passwordId', passwordId)).map(
    ({ record }) => record,
  )
  if (isReused(sharing)) return
  for (const { id } of sharing) {
    await resolveFindings(
      tx,
      org,
      id,
      nowSeconds,
      (finding) => finding.state === 'OPEN' && finding.type === 'REUSED_PASSWORD',
    )
  }
}

export const accountActions: Pick<Actions, 'forgetAccount' | 'deleteLoginMethod'> = {
  forgetAccount: action(async (tx, { org, id, nowSeconds }) => {
    const stored = await requireRecord(tx, accounts, org, id)
    for (const use of await recordsWhere(tx, usedBy, org, 'accountId', id))
      await removeRecord(tx, usedBy, org, use)
    for (const finding of await recordsWhere(tx, findings, org, 'accountId', id))
      await removeRecord(tx, findings, org, finding)
    await removeRecord(tx, accounts, org, stored)
    if (stored.record.passwordId !== null) await resolveReuse(tx, org, stored.record.passwordId, nowSeconds)
    return stored.record
  }),
  deleteLoginMethod: action(async (tx, { org, id, body, nowSeconds }) => {
    const stored = await requireRecord(tx, accounts, org, id)
    const record = withoutLoginMethod(stored.record, body.loginMethod)
    await updateRecord(tx, accounts, org, stored, { record })
    if (body.loginMethod === 'USERNAME_PASSWORD') {
      await resolveFindings(tx, org, id, nowSeconds, resolvesWithoutPassword)
      if (stored.record.passwordId !== null) await resolveReuse(tx, org, stored.record.passwordId, nowSeconds)
    }
    return record
  }),
}
