import { type Account, accounts } from '@muster/contract/account'
import { type AccountOther, accountsOther } from '@muster/contract/account-other'
import { type AppOther, appsOther } from '@muster/contract/app-other'
import type { Catalog } from '@muster/contract/catalog/catalog'
import { accountSystemOf } from '@muster/contract/password-facts/account-systems'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { type Draft, draftOf } from '../../kernel/store/drafts.ts'
import { peekRecords } from '../../kernel/store/peek.ts'
import { getRecordsByValues } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { orgCatalog } from '../catalog/org-catalog.ts'
import type { FindingBook } from './finding-book.ts'
import { reusedPassword } from './types/reused-password.ts'

/** What the transaction has changed but not written yet, and knows already. */
export interface KnownToReuse {
  readonly accounts: readonly Draft<Account>[]
  readonly others: readonly Draft<AccountOther>[]
  /** The catalog of the organization; read if it is needed and not given. */
  readonly catalog?: Catalog
  /** The domain of an app (other) that may not be stored yet. */
  domainOf?(otherAppId: string): string | undefined
}

/**
 * Settles on which accounts passwords are reused: those of apps outside the catalog count, findings are about those of
 * the catalog. Apps that share their accounts are one place.
 */
export async function settleReuse(
  tx: Tx,
  org: number,
  book: FindingBook,
  passwordIds: readonly string[],
  known: KnownToReuse = { accounts: [], others: [] },
): Promise<void> {
  const ids = [...new Set(passwordIds)].sort()
  if (ids.length === 0) return
  const [stored, storedOthers] = await allSettledOrThrow([
    getRecordsByValues(tx, accounts, org, 'passwordId', ids),
    getRecordsByValues(tx, accountsOther, org, 'passwordId', ids),
  ])
  const all = overlaid(stored.map(draftOf), known.accounts)
  const others = overlaid(storedOthers.map(draftOf), known.others)
  const about = all.filter(({ record }) => ids.includes(record.passwordId ?? ''))
  await book.loadAccounts(about.map(({ id }) => id))
  const held = ids.map((passwordId) => ({
    passwordId,
    accounts: about.filter(({ record }) => record.passwordId === passwordId),
    others: others.filter(({ privates }) => privates.passwordId === passwordId),
  }))
  const placeName = await placeNames(tx, org, held, known)
  for (const { passwordId, accounts: holding, others: besides } of held) {
    const holders = [
      ...holding.map(({ record }) => placeName(record.appId, record.appType)),
      ...besides.map(({ record }) => placeName(record.otherAppId)),
    ]
    const wanted = reusedPassword(
      passwordId,
      holders.map((place) => ({ place })),
    )
    for (const account of holding) book.settleAccount('REUSED_PASSWORD', account, wanted)
  }
}

/** The accounts that have a password. */
interface Held {
  readonly accounts: readonly Draft<Account>[]
  readonly others: readonly Draft<AccountOther>[]
}

/**
 * Returns what names the place of an app. Reads the domains of apps (other), and the catalog, only where a password is on
 * several apps, one of them of the catalog.
 */
async function placeNames(
  tx: Tx,
  org: number,
  held: readonly Held[],
  known: KnownToReuse,
): Promise<(appId: string, appType?: string) => string> {
  const several = held.filter(
    (one) => one.accounts.length > 0 && new Set([...appIdsOf(one), ...otherAppIdsOf(one)]).size > 1,
  )
  if (several.length === 0) return (appId) => appId
  const catalog = known.catalog ?? (await orgCatalog(tx, org))
  const ids = several.flatMap(otherAppIdsOf).filter((id) => known.domainOf?.(id) === undefined)
  const stored = await peekRecords(tx, appsOther, org, 'id', ids)
  const domains = new Map(stored.map(({ id, domain }: AppOther) => [id, domain]))
  return (appId, appType) => {
    const app = appType ?? known.domainOf?.(appId) ?? domains.get(appId)
    return (app && accountSystemOf(catalog, app)) ?? appId
  }
}

const appIdsOf = ({ accounts: list }: Held) => list.map(({ record }) => record.appId)
const otherAppIdsOf = ({ others }: Held) => others.map(({ record }) => record.otherAppId)

/** What is stored, with what has changed in its place; in the order of creation. */
function overlaid<R>(stored: readonly Draft<R>[], changed: readonly Draft<R>[]): Draft<R>[] {
  const byId = new Map(changed.map((draft) => [draft.id, draft]))
  const there = stored
    .toSorted((one, other) => (one.stored?.seq ?? 0) - (other.stored?.seq ?? 0))
    .map((draft) => byId.get(draft.id) ?? draft)
  return [...new Set([...there, ...changed])]
}
