import { type Account, accounts } from '@muster/contract/account'
import { type AccountOther, accountsOther } from '@muster/contract/account-other'
import type { LoginEvent } from '@muster/contract/agent-event'
import type { Collection, RecordOf } from '@muster/contract/collection'
import { type Draft, draftOf, newDraft } from '../../../kernel/store/record-drafts.ts'
import { getRecordsByValues } from '../../../kernel/store/records.ts'
import { loginKeyOf } from '../../../kernel/store/tables.ts'
import { type BatchContext, eventsOf, idFrom, ownerIn } from '../batch-context.ts'
import type { AppPlaces } from './app-places.ts'
import { noLoginMethods } from './login.rules.ts'

/** A login and the account that it was to. */
export type AccountLogin =
  | { readonly login: LoginEvent; readonly account: Draft<Account> }
  | { readonly login: LoginEvent; readonly other: Draft<AccountOther> }

/** The accounts that a batch signs in to, those seen for the first time among them, and the logins in order. */
export interface LoginAccounts {
  readonly logins: readonly AccountLogin[]
  readonly accounts: readonly Draft<Account>[]
  readonly others: readonly Draft<AccountOther>[]
}

/** Finds the accounts of the logins, or makes them (domain contract, section 4). */
export async function findLoginAccounts(context: BatchContext, places: AppPlaces): Promise<LoginAccounts> {
  const { shown, nowSeconds } = context
  const internal = { owner: ownerIn(context) }
  const seen = eventsOf(context, 'LOGIN').flatMap((login) => {
    const place = places.of(login)
    if (place === undefined) return []
    const appId = 'app' in place ? place.app.id : place.other.id
    return [{ login, place, key: loginKeyOf(appId, login.email) }]
  })
  const keysOf = (kind: 'app' | 'other') => seen.filter(({ place }) => kind in place).map(({ key }) => key)
  // One after the other, so that transactions that need the same locks take them in the same order.
  const known = await getOrLock(context, accounts, keysOf('app'))
  const knownOthers = await getOrLock(context, accountsOther, keysOf('other'))

  const logins = seen.map(({ login, place, key }): AccountLogin => {
    if ('app' in place) {
      const { id: appId, type: appType } = place.app
      const id = idFrom(context, login, 'account', key)
      const account =
        known.get(key) ??
        newDraft<Account>(
          id,
          {
            id,
            employeeId: shown.id,
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
    const id = idFrom(context, login, 'accountOther', key)
    const other =
      knownOthers.get(key) ??
      newDraft<AccountOther>(
        id,
        {
          id,
          employeeId: shown.id,
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
  // In the order in which they were seen, which is the order of creation of the new ones.
  return {
    logins,
    accounts: [...new Set(logins.flatMap((item) => ('account' in item ? [item.account] : [])))],
    others: [...new Set(logins.flatMap((item) => ('other' in item ? [item.other] : [])))],
  }
}

/**
 * The accounts of these keys. Where there is none, nobody else can be adding it any more: others that want to wait here
 * until this transaction ends.
 */
async function getOrLock<C extends Collection>(
  { tx, batch }: BatchContext,
  collection: C,
  keys: readonly string[],
): Promise<Map<string, Draft<RecordOf<C>>>> {
  const found = new Map<string, Draft<RecordOf<C>>>()
  const look = async (wanted: readonly string[]) => {
    if (wanted.length === 0) return
    const stored = await getRecordsByValues(tx, collection, batch.org, 'loginKey', wanted)
    // Of several with the same key the oldest.
    for (const one of stored.toSorted((a, b) => a.seq - b.seq)) {
      const key = String(one.internal.loginKey)
      if (!found.has(key)) found.set(key, draftOf(one))
    }
  }
  const missing = (wanted: readonly string[]) => wanted.filter((key) => !found.has(key))
  const wanted = [...new Set(keys)].sort()
  await look(wanted)
  for (const key of missing(wanted)) await tx.lock(`${collection.name} ${batch.org} ${key}`)
  await look(missing(wanted))
  return found
}
