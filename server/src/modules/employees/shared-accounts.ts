import { newId } from '../../kernel/lib/secrets/id.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { evaluateStoredAccounts } from '../findings/account-findings.ts'
import { openFindingWriter } from '../findings/finding-writer.ts'

/** Evaluates the findings of accounts whose users were merged, unmerged or erased. */
export async function evaluateSharedAccounts(
  tx: Tx,
  org: number,
  accountIds: ReadonlySet<string>,
  nowSeconds: number,
): Promise<void> {
  if (accountIds.size === 0) return
  const ids = [...accountIds].sort()
  const { thresholds } = await readControls(tx, org)
  const writer = openFindingWriter(tx, org, nowSeconds, () => newId(nowSeconds * 1000))
  await evaluateStoredAccounts(tx, org, writer, 'ACCOUNT_USERS_CHANGED', ids, { nowSeconds, thresholds })
  await writer.write()
}
