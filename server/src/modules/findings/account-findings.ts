import { type AccountUser, accounts, usedBy } from '@muster/contract/records/account'
import { getRecordsByIds, getRecordsByValues, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { FindingAccount, FindingWriter } from './finding-writer.ts'
import type { AccountInput, SharedUse, Thresholds } from './types/finding-type.ts'
import { findingTypesFor } from './types/finding-types.ts'

type AccountTrigger = 'ACCOUNT_USED' | 'ACCOUNT_USERS_CHANGED' | 'TIME_PASSED'

/** Converts a stored use of an account; merged employees count as their primary. */
export const toSharedUse = ({ internal }: Pick<Stored<AccountUser>, 'internal'>): SharedUse => ({
  employeeId: String(internal.employeeId),
  lastUsed:
    internal.observedLastUsed === null || internal.observedLastUsed === undefined
      ? null
      : Number(internal.observedLastUsed),
})

/** Evaluates the findings of one account that a trigger concerns. */
export function evaluateAccount(
  writer: FindingWriter,
  trigger: AccountTrigger,
  account: FindingAccount & { readonly record: AccountInput['account'] },
  input: Omit<AccountInput, 'account'>,
): void {
  for (const { type, decide } of findingTypesFor(trigger))
    writer.applyToAccount(type, account, decide({ ...input, account: account.record }))
}

/**
 * Evaluates the findings of stored accounts that a trigger concerns.
 *
 * @returns the accounts of which a finding changed
 */
export async function evaluateStoredAccounts(
  tx: Tx,
  org: number,
  writer: FindingWriter,
  trigger: AccountTrigger,
  accountIds: readonly string[],
  context: { readonly nowSeconds: number; readonly thresholds: Thresholds },
): Promise<string[]> {
  const stored = await getRecordsByIds(tx, accounts, org, accountIds)
  const uses = Map.groupBy(
    await getRecordsByValues(tx, usedBy, org, 'accountId', accountIds),
    ({ internal }) => String(internal.accountId),
  )
  await writer.loadAccounts(accountIds)
  const changed: string[] = []
  for (const account of stored.toSorted((one, other) => one.seq - other.seq)) {
    const current = () => findingTypesFor(trigger).map(({ type }) => writer.findingOf(type, account.id))
    const before = current()
    evaluateAccount(writer, trigger, account, {
      ...context,
      uses: (uses.get(account.id) ?? []).map(toSharedUse),
    })
    if (current().some((finding, index) => finding !== before[index])) changed.push(account.id)
  }
  return changed
}
