import { type Account, accounts, type removableLoginMethods, usedBy } from '@muster/contract/records/account'
import { findings } from '@muster/contract/records/finding'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { recordsWhere, removeRecord, type Stored, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { openFindingWriter } from '../findings/finding-writer.ts'
import { evaluateReusedPasswords } from '../findings/reused-passwords.ts'
import { findingTypes } from '../findings/types/finding-types.ts'
import { resolved } from '../findings/types/finding-verdict.ts'
import { withoutLoginMethod, withRemoval } from './accounts.rules.ts'

/** Operation of an administrator on an account. Stored with the raw events, for replays to repeat it. */
export type AccountOperation =
  | { readonly kind: 'ACCOUNT_FORGOTTEN'; readonly accountId: string }
  | { readonly kind: 'LOGIN_METHOD_REMOVED'; readonly accountId: string; readonly loginMethod: LoginMethod }

type LoginMethod = (typeof removableLoginMethods)[number]

const findingWriter = (tx: Tx, org: number, nowSeconds: number) =>
  openFindingWriter(tx, org, nowSeconds, () => newId(nowSeconds * 1000))

/** Deletes an account with its uses and findings. */
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
  const writer = findingWriter(tx, org, nowSeconds)
  await evaluateReusedPasswords(tx, org, writer, [record.passwordId])
  await writer.write()
}

/**
 * Removes a login method from an account and resolves the findings that depend on it. If the account loses
 * its password, the other accounts with the password may no longer reuse it.
 *
 * @returns undefined if the account does not have the method
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
  const writer = findingWriter(tx, org, nowSeconds)
  await writer.loadAccounts([record.id])
  for (const { type, resolvesWithout } of findingTypes)
    if (resolvesWithout === method)
      writer.applyToAccount(type, { record, internal: stored.internal }, resolved)
  if (record.passwordId === null && stored.record.passwordId !== null)
    await evaluateReusedPasswords(tx, org, writer, [stored.record.passwordId])
  await writer.write()
  return record
}
