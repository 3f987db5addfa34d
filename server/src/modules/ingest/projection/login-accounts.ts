import type { LoginEvent } from '@muster/contract/agent/agent-event'
import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { type Account, accounts } from '@muster/contract/records/account'
import { type AccountOther, accountsOther } from '@muster/contract/records/account-other'
import { type Draft, draftOf, newDraft } from '../../../kernel/store/record-drafts.ts'
import { getRecordsByValues } from '../../../kernel/store/records.ts'
import { loginKeyOf } from '../../../kernel/store/tables.ts'
import { type BatchContext, derivedIdFor, eventsOf, ownerIn } from '../batch-context.ts'
import type { AppPlaces } from './app-places.ts'
import { noLoginMethods } from './login.rules.ts'

/** Login with its account. */
export type AccountLogin =
  | { readonly login: LoginEvent; readonly account: Draft<Account> }
  | { readonly login: LoginEvent; readonly other: Draft<AccountOther> }

/** Accounts that a batch signs in to, including new ones, and the logins sorted by time. */
export interface LoginAccounts {
  readonly logins: readonly AccountLogin[]
  readonly accounts: readonly Draft<Account>[]
  readonly others: readonly Draft<AccountOther>[]
}

/** Finds or creates the accounts of the logins (domain contract, section 4). */
export async function findLoginAccounts(context: BatchContext, places: AppPlaces): Promise<LoginAccounts> {
  const { primary, nowSeconds } = context
  const internal = { owner: ownerIn(context) }
  const seen = eventsOf(context, 'LOGIN').flatMap((login) => {
    const place = places.of(login)
    if (place === undefined) return []
    const appId = 'app' in place ? place.app.id : place.other.id
    return [{ login, place, key: loginKeyOf(appId, login.email) }]
  })
  const keysOf = (kind: 'app' | 'other') => seen.filter(({ place }) => kind in place).map(({ key }) => key)
  // Not in parallel: all transactions must take these locks in the same order.
  const known = await getOrLock(context, accounts, keysOf('app'))
  const knownOthers = await getOrLock(context, accountsOther, keysOf('other'))

  const logins = seen.map(({ login, place, key }): AccountLogin => {
    if ('app' in place) {
      const { id: appId, type: appType } = place.app
      const id = derivedIdFor(context, login, 'account', key)
      const account =
        known.get(key) ??
        newDraft<Account>(
          id,
          {
            id,
            employeeId: primary.id,
            appType,
            appId,
            email: login.email,
            mfaRegistered: null,
            mfaMethods: null,
            passwordId: null,
            loginMethods: noLoginMethods,
            creationTimestamp: nowSeconds,
            lastUsedTimestamp: null,
          },
          internal,
        )
      known.set(key, account)
      return { login, account }
    }
    const id = derivedIdFor(context, login, 'accountOther', key)
    const other =
      knownOthers.get(key) ??
      newDraft<AccountOther>(
        id,
        {
          id,
          employeeId: primary.id,
          otherAppId: place.other.id,
          email: login.email,
          loginMethods: noLoginMethods,
          creationTimestamp: nowSeconds,
          lastUsedTimestamp: null,
        },
        internal,
      )
    knownOthers.set(key, other)
    return { login, other }
  })
  // Sorted by first login, which is the order in which new accounts are created.
  return {
    logins,
    accounts: [...new Set(logins.flatMap((item) => ('account' in item ? [item.account] : [])))],
    others: [...new Set(logins.flatMap((item) => ('other' in item ? [item.other] : [])))],
  }
}

/**
 * Returns the accounts of keys, and locks the keys without an account: other transactions that would add one
 * wait until this one ends.
 */
async function getOrLock<C extends Collection>(
  { tx, batch }: BatchContext,
  collection: C,
  keys: readonly string[],
): Promise<Map<string, Draft<RecordOf<C>>>> {
  const found = new Map<string, Draft<RecordOf<C>>>()
  const load = async (someKeys: readonly string[]) => {
    if (someKeys.length === 0) return
    const stored = await getRecordsByValues(tx, collection, batch.org, 'loginKey', someKeys)
    // The oldest wins if several have the same key.
    for (const one of stored.toSorted((a, b) => a.seq - b.seq)) {
      const key = String(one.internal.loginKey)
      if (!found.has(key)) found.set(key, draftOf(one))
    }
  }
  const uniqueKeys = [...new Set(keys)].sort()
  const missing = () => uniqueKeys.filter((key) => !found.has(key))
  await load(uniqueKeys)
  for (const key of missing()) await tx.lock(`${collection.name} ${batch.org} ${key}`)
  await load(missing())
  return found
}
