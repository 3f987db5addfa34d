import { accounts, usedBy } from '@muster/contract/account'
import type { Finding } from '@muster/contract/finding'
import { derivedId } from '../../kernel/lib/secrets/derived-id.ts'
import { getRecordsByIds, getRecordsByValues } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { OrgTerms } from '../agents/org-terms.ts'
import { asSharedUse } from '../employees/shared-accounts.ts'
import { openFindingBook } from './finding-book.ts'
import { sharedAccount } from './types/shared-account.ts'
import { unusedThirdPartyApp } from './types/unused-third-party-app.ts'

/** That time has passed for accounts: kept among the raw events, so that a replay settles them again at that moment. */
export interface TimeAct {
  readonly kind: 'TIME_PASSED'
  readonly accountIds: readonly string[]
}

/** What the id of a finding is made of that the passing of time has brought. */
export const timeFindingParts = (org: number, type: Finding['type'], accountId: string) =>
  [org, 'time', 'finding', type, accountId] as const

const typesByTime = ['SHARED_ACCOUNT', 'UNUSED_THIRD_PARTY_APP'] as const satisfies Finding['type'][]

/**
 * Settles the findings of accounts that change by the passing of time (domain contract, section 5).
 *
 * @returns the accounts for which something has changed
 */
export async function settleByTime(
  tx: Tx,
  org: number,
  accountIds: readonly string[],
  { controls }: OrgTerms,
  nowMs: number,
): Promise<string[]> {
  const ids = accountIds.toSorted()
  const nowSeconds = Math.floor(nowMs / 1000)
  const { sharedAccountDays, unusedAppDays } = controls.thresholds
  const book = openFindingBook(tx, org, nowSeconds, (type, accountId) =>
    derivedId(nowMs, timeFindingParts(org, type, accountId)),
  )
  const found = await getRecordsByIds(tx, accounts, org, ids)
  const uses = Map.groupBy(await getRecordsByValues(tx, usedBy, org, 'accountId', ids), ({ internal }) =>
    String(internal.accountId),
  )
  await book.loadAccounts(ids)
  const changed: string[] = []
  for (const account of found.toSorted((one, other) => one.seq - other.seq)) {
    const stateOf = () => typesByTime.map((type) => book.ofAccount(type, account.id))
    const before = stateOf()
    const shared = (uses.get(account.id) ?? []).map(asSharedUse)
    book.settleAccount('SHARED_ACCOUNT', account, sharedAccount(shared, nowSeconds, sharedAccountDays))
    book.settleAccount(
      'UNUSED_THIRD_PARTY_APP',
      account,
      unusedThirdPartyApp(account.record, nowSeconds, unusedAppDays),
    )
    if (stateOf().some((finding, at) => finding !== before[at])) changed.push(account.id)
  }
  await book.write()
  return changed
}
