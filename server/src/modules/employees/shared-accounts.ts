import { type AccountUser, accounts, usedBy } from '@muster/contract/account'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { getRecordsByIds, getRecordsByValues, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { openFindingBook } from '../findings/finding-book.ts'
import { type SharedUse, sharedAccount } from '../findings/types/shared-account.ts'

/** A use as it counts for a shared account: by the employee who is shown. */
export const asSharedUse = ({ internal }: Pick<Stored<AccountUser>, 'internal'>): SharedUse => ({
  employeeId: String(internal.employeeId),
  lastUsed:
    internal.observedLastUsed === null || internal.observedLastUsed === undefined
      ? null
      : Number(internal.observedLastUsed),
})

/** Settles whether accounts are shared, after some of their users have become one person, or two again. */
export async function settleSharedAccounts(
  tx: Tx,
  org: number,
  accountIds: ReadonlySet<string>,
  nowSeconds: number,
): Promise<void> {
  if (accountIds.size === 0) return
  const ids = [...accountIds].sort()
  const { sharedAccountDays } = (await readControls(tx, org)).thresholds
  const book = openFindingBook(tx, org, nowSeconds, () => newId(nowSeconds * 1000))
  const found = await getRecordsByIds(tx, accounts, org, ids)
  const uses = Map.groupBy(await getRecordsByValues(tx, usedBy, org, 'accountId', ids), ({ internal }) =>
    String(internal.accountId),
  )
  await book.loadAccounts(ids)
  for (const account of found.toSorted((one, other) => one.seq - other.seq)) {
    const shared = (uses.get(account.id) ?? []).map(asSharedUse)
    book.settleAccount('SHARED_ACCOUNT', account, sharedAccount(shared, nowSeconds, sharedAccountDays))
  }
  await book.write()
}
