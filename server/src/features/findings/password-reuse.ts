import { type Account, accounts } from '@muster/contract/account'
import { type AccountOther, accountsOther } from '@muster/contract/account-other'
import { reusedPassword } from '../../findings/reused-password.ts'
import { together } from '../../lib/together.ts'
import { type Draft, draftOf } from '../../storage/drafts.ts'
import { getRecordsByValues } from '../../storage/records.ts'
import type { Tx } from '../../storage/sql.ts'
import type { FindingBook } from './finding-book.ts'

/** Accounts that the transaction has changed but not written yet. */
export interface ChangedAccounts {
  readonly accounts: readonly Draft<Account>[]
  readonly others: readonly Draft<AccountOther>[]
}

/**
 * Settles on which accounts passwords are reused: those of apps outside the catalogue count, findings are about those of
 * the catalogue.
 */
export async function settleReuse(
  tx: Tx,
  org: number,
  book: FindingBook,
  passwordIds: readonly string[],
  changed: ChangedAccounts = { accounts: [], others: [] },
): Promise<void> {
  const ids = [...new Set(passwordIds)].sort()
  if (ids.length === 0) return
  const [stored, storedOthers] = await together([
    getRecordsByValues(tx, accounts, org, 'passwordId', ids),
    getRecordsByValues(tx, accountsOther, org, 'passwordId', ids),
  ])
  const all = overlaid(stored.map(draftOf), changed.accounts)
  const others = overlaid(storedOthers.map(draftOf), changed.others)
  const about = all.filter(({ record }) => ids.includes(record.passwordId ?? ''))
  await book.loadAccounts(about.map(({ id }) => id))
  for (const passwordId of ids) {
    const holding = about.filter(({ record }) => record.passwordId === passwordId)
    const holders = [
      ...holding.map(({ record }) => record),
      ...others
        .filter(({ privates }) => privates.passwordId === passwordId)
        .map(({ record }) => ({ appId: record.otherAppId })),
    ]
    const wanted = reusedPassword(passwordId, holders)
    for (const account of holding) book.settleAccount('REUSED_PASSWORD', account, wanted)
  }
}

/** What is stored, with what has changed in its place; in the order of creation. */
function overlaid<R>(stored: readonly Draft<R>[], changed: readonly Draft<R>[]): Draft<R>[] {
  const byId = new Map(changed.map((draft) => [draft.id, draft]))
  const there = stored
    .toSorted((one, other) => (one.stored?.seq ?? 0) - (other.stored?.seq ?? 0))
    .map((draft) => byId.get(draft.id) ?? draft)
  return [...new Set([...there, ...changed])]
}
