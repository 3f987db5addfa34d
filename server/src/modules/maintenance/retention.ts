import { type Account, accounts } from '@muster/contract/records/account'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { firstIdOf, newId } from '../../kernel/lib/secrets/id.ts'
import { accountsNeverUsed, accountsUsedBefore } from '../../kernel/store/maintenance-queries.ts'
import { rawEventTable, weekAt } from '../../kernel/store/raw-event-tables.ts'
import { getRecord } from '../../kernel/store/records.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import { forgetAccount } from '../accounts/account-operations.ts'
import { removedAfterDays } from '../browsers/browser-retention.ts'
import { insertRawOperation, rawEventWeeks } from '../ingest/raw-events.service.ts'
import { countSilentBrowsers } from './silent-browsers.store.ts'

/** Retention of the inventory, in days. */
export interface InventoryRetention {
  /** Days without use after which an account is deleted; 0 keeps accounts. */
  readonly unusedAccountDays: number
  /** Days without contact after which a browser is removed. */
  readonly silentBrowserDays: number
}

export const defaultRetention: InventoryRetention = {
  unusedAccountDays: 0,
  silentBrowserDays: removedAfterDays,
}

/** Retention of events, like that of the delivery log (events contract, section 1). */
export const eventDays = 30

export const daySeconds = 24 * 60 * 60

/** Accounts deleted per transaction. */
const accountsPerTransaction = 20

/** Yields the accounts that were last used before a time, or never used and created before it, in parts. */
async function* unusedAccounts(db: Reader, org: number, before: number): AsyncGenerator<readonly Account[]> {
  for (const list of [accountsUsedBefore, accountsNeverUsed])
    for await (const texts of list(db, org, before))
      if (texts.length > 0) yield texts.map((text) => JSON.parse(text) as Account)
}

/**
 * Deletes accounts that were not used for a number of days, as an administrator would, with an audit event for each.
 *
 * @returns the number of deleted accounts
 */
export async function deleteUnusedAccounts(
  db: Db,
  org: number,
  { days, nowMs, signal }: { days: number; nowMs: number; signal?: AbortSignal | undefined },
): Promise<number> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const before = nowSeconds - days * daySeconds
  let deleted = 0
  for await (const part of unusedAccounts(db, org, before)) {
    for (let from = 0; from < part.length; from += accountsPerTransaction) {
      signal?.throwIfAborted()
      const chunk = part.slice(from, from + accountsPerTransaction)
      deleted += await db.inTransaction(async (tx) => {
        let count = 0
        for (const { id } of chunk) if (await deleteIfUnused(tx, org, id, before, nowMs)) count += 1
        return count
      })
      await yieldToEventLoop()
    }
  }
  return deleted
}

async function deleteIfUnused(
  tx: Tx,
  org: number,
  id: string,
  before: number,
  nowMs: number,
): Promise<boolean> {
  const stored = await getRecord(tx, accounts, org, id)
  // It may have been used since it was listed.
  if (!stored || (stored.record.lastUsedTimestamp ?? stored.record.creationTimestamp) >= before) return false
  const timestamp = Math.floor(nowMs / 1000)
  const { email, appType } = stored.record
  await forgetAccount(tx, org, stored, timestamp)
  // Without it, a replay would create the account again.
  const operation = { kind: 'ACCOUNT_FORGOTTEN', accountId: id }
  await insertRawOperation(tx, org, { id: newId(nowMs), operation, nowMs })
  const facts = { accountId: id, accountEmail: email, appType }
  await recordAudit(tx, org, 'ACCOUNT_FORGOTTEN', { actor: null, timestamp, new: facts })
  return true
}

/** Rows that the daily jobs would delete now. */
export interface RetentionPreview {
  readonly accounts: number
  readonly browsers: number
  readonly events: number
  readonly rawEvents: number
}

/** Counts what the daily jobs would delete now. */
export async function previewRetention(
  db: Reader,
  org: number,
  { unusedAccountDays, silentBrowserDays, rawEventDays }: InventoryRetention & { rawEventDays: number },
  nowMs: number,
): Promise<RetentionPreview> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const msBefore = (days: number) => nowMs - days * daySeconds * 1000
  let unused = 0
  if (unusedAccountDays > 0) {
    const before = nowSeconds - unusedAccountDays * daySeconds
    for await (const part of unusedAccounts(db, org, before)) unused += part.length
  }
  const count = async (table: string, condition: string, params: readonly (string | number)[]) => {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE org = ?${condition}`
    return Number((await db.get<{ count: number }>(sql, [org, ...params]))?.count ?? 0)
  }
  let rawEvents = 0
  for (const week of await rawEventWeeks(db))
    if (week < weekAt(msBefore(rawEventDays))) rawEvents += await count(rawEventTable(week), '', [])
  return {
    accounts: unused,
    browsers: await countSilentBrowsers(db, org, nowSeconds - silentBrowserDays * daySeconds),
    events: await count('events', ' AND id < ?', [firstIdOf(msBefore(eventDays))]),
    rawEvents,
  }
}
