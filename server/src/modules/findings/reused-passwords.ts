import type { Catalog } from '@muster/contract/catalog/catalog'
import { accountSystemOf } from '@muster/contract/password-facts/account-systems'
import { type Account, accounts } from '@muster/contract/records/account'
import { type AccountOther, accountsOther } from '@muster/contract/records/account-other'
import { type AppOther, appsOther } from '@muster/contract/records/app-other'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import { type Draft, draftOf } from '../../kernel/store/record-drafts.ts'
import { getRecordsByValues } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { orgCatalog } from '../catalog/org-catalog.ts'
import type { FindingWriter } from './finding-writer.ts'
import { findingTypesFor } from './types/finding-types.ts'

/** Changes of the transaction that are not written yet, and data it has already loaded. */
export interface PendingAccounts {
  readonly accounts: readonly Draft<Account>[]
  readonly others: readonly Draft<AccountOther>[]
  /** Catalog of the organization; read on demand if not given. */
  readonly catalog?: Catalog
  /** Domain of an app (other) that may not be stored yet. */
  domainOf?(otherAppId: string): string | undefined
}

/**
 * Evaluates which accounts reuse a password. Accounts outside the catalog count as holders, but only accounts of
 * catalog apps have findings. Apps that share their accounts count as one place.
 */
export async function evaluateReusedPasswords(
  tx: Tx,
  org: number,
  writer: FindingWriter,
  passwordIds: readonly string[],
  pending: PendingAccounts = { accounts: [], others: [] },
): Promise<void> {
  const ids = [...new Set(passwordIds)].sort()
  if (ids.length === 0) return
  const [stored, storedOthers] = await allSettledOrThrow([
    getRecordsByValues(tx, accounts, org, 'passwordId', ids),
    getRecordsByValues(tx, accountsOther, org, 'passwordId', ids),
  ])
  const all = withPending(stored.map(draftOf), pending.accounts)
  const others = withPending(storedOthers.map(draftOf), pending.others)
  const affected = all.filter(({ record }) => ids.includes(record.passwordId ?? ''))
  await writer.loadAccounts(affected.map(({ id }) => id))
  const groups = ids.map((passwordId) => ({
    passwordId,
    accounts: affected.filter(({ record }) => record.passwordId === passwordId),
    others: others.filter(({ internal }) => internal.passwordId === passwordId),
  }))
  const placeOf = await placeLookup(tx, org, groups, pending)
  for (const group of groups) {
    const places = [
      ...group.accounts.map(({ record }) => placeOf(record.appId, record.appType)),
      ...group.others.map(({ record }) => placeOf(record.otherAppId)),
    ]
    const input = { passwordId: group.passwordId, holders: places.map((place) => ({ place })) }
    for (const { type, decide } of findingTypesFor('PASSWORD_HOLDERS_CHANGED')) {
      const verdict = decide(input)
      for (const account of group.accounts) writer.applyToAccount(type, account, verdict)
    }
  }
}

/** Accounts with the same password. */
interface PasswordGroup {
  readonly accounts: readonly Draft<Account>[]
  readonly others: readonly Draft<AccountOther>[]
}

/**
 * Returns a function that names the place of an app. Reads the catalog and the domains of apps (other) only if a
 * password is used on several apps, at least one of them in the catalog.
 */
async function placeLookup(
  tx: Tx,
  org: number,
  groups: readonly PasswordGroup[],
  pending: PendingAccounts,
): Promise<(appId: string, appType?: string) => string> {
  const onSeveralApps = groups.filter(
    (group) => group.accounts.length > 0 && new Set([...appIdsOf(group), ...otherAppIdsOf(group)]).size > 1,
  )
  if (onSeveralApps.length === 0) return (appId) => appId
  const catalog = pending.catalog ?? (await orgCatalog(tx, org))
  const ids = onSeveralApps.flatMap(otherAppIdsOf).filter((id) => pending.domainOf?.(id) === undefined)
  const stored = await findRecords(tx, appsOther, org, 'id', ids)
  const domains = new Map(stored.map(({ id, domain }: AppOther) => [id, domain]))
  return (appId, appType) => {
    const app = appType ?? pending.domainOf?.(appId) ?? domains.get(appId)
    return (app && accountSystemOf(catalog, app)) ?? appId
  }
}

const appIdsOf = ({ accounts: list }: PasswordGroup) => list.map(({ record }) => record.appId)
const otherAppIdsOf = ({ others }: PasswordGroup) => others.map(({ record }) => record.otherAppId)

/** Replaces stored records by their pending versions and adds new ones; in order of creation. */
function withPending<R>(stored: readonly Draft<R>[], pending: readonly Draft<R>[]): Draft<R>[] {
  const byId = new Map(pending.map((draft) => [draft.id, draft]))
  const current = stored
    .toSorted((one, other) => (one.stored?.seq ?? 0) - (other.stored?.seq ?? 0))
    .map((draft) => byId.get(draft.id) ?? draft)
  return [...new Set([...current, ...pending])]
}
