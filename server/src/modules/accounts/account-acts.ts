import { type Account, accounts, type removableLoginMethods, usedBy } from '@muster/contract/account'
import { type Finding, findings } from '@muster/contract/finding'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { recordsWhere, removeRecord, type Stored, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { openFindingBook } from '../findings/finding-book.ts'
import { settleReuse } from '../findings/password-reuse.ts'
import { resolved } from '../findings/types/wanted.ts'
import { withoutLoginMethod, withRemoval } from './accounts.rules.ts'

/** What administrators do to an account, as it is kept among the raw events, so that a replay does it again. */
export type AccountAct =
  | { readonly kind: 'ACCOUNT_FORGOTTEN'; readonly accountId: string }
  | { readonly kind: 'LOGIN_METHOD_REMOVED'; readonly accountId: string; readonly loginMethod: LoginMethod }

type LoginMethod = (typeof removableLoginMethods)[number]

/** The findings of an account that need a login by the method. */
const findingsBy: Readonly<Partial<Record<LoginMethod, readonly Finding['type'][]>>> = {
  USERNAME_PASSWORD: [
    'WEAK_PASSWORD',
    'LEAKED_PASSWORD',
    'REUSED_PASSWORD',
    'STOLEN_CREDENTIALS',
    'MFA_NOT_REGISTERED',
  ],
  OIDC: ['UNUSED_THIRD_PARTY_APP'],
}

const bookOf = (tx: Tx, org: number, nowSeconds: number) =>
  openFindingBook(tx, org, nowSeconds, () => newId(nowSeconds * 1000))

/** Forgets an account: its record, its use by employees and its findings go. */
export async function forgetAccount(
  tx: Tx,
  org: number,
  stored: Stored<Account>,
  nowSeconds: number,
): Promise<void> {
  const { id, record } = stored
  for (const use of await recordsWhere(tx, usedBy, org, 'accountId', id))
    await removeRecord(tx, usedBy, org, use)
  for (const finding of await recordsWhere(tx, findings, org, 'accountId', id))
    await removeRecord(tx, findings, org, finding)
  await removeRecord(tx, accounts, org, stored)
  if (record.passwordId === null) return
  const book = bookOf(tx, org, nowSeconds)
  await settleReuse(tx, org, book, [record.passwordId])
  await book.write()
}

/**
 * Clears a login method of an account, and resolves the findings that needed it. Accounts that shared a password with
 * one that has none now may be the last of their app to have it.
 *
 * @returns undefined when the account does not have the method
 */
export async function removeLoginMethod(
  tx: Tx,
  org: number,
  stored: Stored<Account>,
  method: LoginMethod,
  nowSeconds: number,
): Promise<Account | undefined> {
  const record = withoutLoginMethod(stored.record, method)
  if (record === undefined) return undefined
  const methodsRemoved = withRemoval(stored.internal.methodsRemoved, method, nowSeconds)
  await updateRecord(tx, accounts, org, stored, { record, internal: { methodsRemoved } })
  const book = bookOf(tx, org, nowSeconds)
  await book.loadAccounts([record.id])
  for (const type of findingsBy[method] ?? [])
    book.settleAccount(type, { record, internal: stored.internal }, resolved)
  if (record.passwordId === null && stored.record.passwordId !== null)
    await settleReuse(tx, org, book, [stored.record.passwordId])
  await book.write()
  return record
}
