import { type AccountUser, accounts, usedBy } from '@muster/contract/records/account'
import { creationSecondsOf } from '../../kernel/store/batch-lookups.ts'
import {
  getRecordsByValues,
  insertRecords,
  type NewRecord,
  type Stored,
  updateRecord,
} from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { updateAccountUses } from '../employees/reassign-records.ts'
import { reassignToPrimaries } from './merged-employees.ts'
import type { CheckedRecord } from './record-check.ts'
import { type ImportedRow, primaryUserRow, usedById, usedByRow } from './store-record.rules.ts'
import type { StoreOutcome } from './store-record.ts'

type Use = Stored<AccountUser>

/**
 * Users of accounts, by account and employee. Employees merged into one person have a row each; only one is
 * shown.
 */
interface KnownUses {
  readonly observed: ReadonlyMap<string, Use>
  readonly shown: ReadonlyMap<string, Use>
}

async function knownUses(tx: Tx, org: number, accountIds: readonly string[]): Promise<KnownUses> {
  const uses = await getRecordsByValues(tx, usedBy, org, 'accountId', accountIds)
  return {
    observed: new Map(uses.map((use) => [observedKey(use), use])),
    shown: new Map(uses.filter(({ hidden }) => !hidden).map((use) => [shownKey(use), use])),
  }
}

type UseRow = Pick<ImportedRow, 'record' | 'internal'>

const observedKey = ({ internal }: UseRow): string =>
  usedById(String(internal.accountId), String(internal.owner ?? internal.employeeId))

const shownKey = ({ record, internal }: UseRow): string =>
  usedById(String(internal.accountId), String(record.employeeId))

/**
 * Stores users of accounts, from lines with distinct accounts or employees. The use by a merged employee is stored as
 * observed with them, and shown combined with that of the primary.
 *
 * @param beforeChange called before an existing use is changed
 */
export async function storeUses(
  tx: Tx,
  org: number,
  lines: readonly CheckedRecord[],
  outcome: StoreOutcome,
  beforeChange: () => Promise<void>,
): Promise<void> {
  const rows = await reassignToPrimaries(tx, org, usedBy, await usedByRows(tx, org, lines))
  const { observed, shown } = await knownUses(
    tx,
    org,
    lines.map(({ accountId }) => String(accountId)),
  )
  if (observed.size > 0) await beforeChange()
  const ofMerged = [...observed.values(), ...rows].filter((use) => observedKey(use) !== shownKey(use))
  const withMerged = new Set(ofMerged.map(({ internal }) => internal.accountId))
  const rendered = new Set<string>()
  const added: ImportedRow[] = []
  for (const row of rows) {
    const before = observed.get(row.id)
    if (isShownAs(shown.get(shownKey(row)), row) || isObservedAs(before, row)) {
      outcome.unchanged += 1
      continue
    }
    if (before === undefined) added.push(row)
    else {
      outcome.replaced += 1
      await updateRecord(tx, usedBy, org, before, {
        record: row.record as AccountUser,
        internal: row.internal,
      })
    }
    const { accountId = null } = row.internal
    if (withMerged.has(accountId)) rendered.add(String(accountId))
  }
  outcome.added += added.length
  await insertRecords(tx, usedBy, org, added as unknown as NewRecord<AccountUser>[])
  for (const accountId of rendered) await updateAccountUses(tx, org, accountId)
}

const isShownAs = (use: Use | undefined, row: ImportedRow): boolean =>
  use !== undefined && JSON.stringify(use.record) === JSON.stringify(row.record)

const isObservedAs = (use: Use | undefined, row: ImportedRow): boolean =>
  use !== undefined && Object.entries(row.internal).every(([name, value]) => use.internal[name] === value)

async function usedByRows(tx: Tx, org: number, lines: readonly CheckedRecord[]): Promise<ImportedRow[]> {
  const accountIds = [...new Set(lines.map(({ accountId }) => String(accountId)))]
  const created = await creationSecondsOf(tx, accounts, org, accountIds)
  return lines.map((line) => {
    const accountId = String(line.accountId)
    const user = line as CheckedRecord & AccountUser
    return usedByRow(accountId, user, created.get(accountId) ?? user.lastUsedTimestamp ?? 0)
  })
}

/** Stores the implied use of accounts by their own employees, unless it is known. */
export async function storePrimaryUsers(
  tx: Tx,
  org: number,
  ofAccounts: readonly ImportedRow[],
): Promise<void> {
  const { observed, shown } = await knownUses(
    tx,
    org,
    ofAccounts.map(({ id }) => id),
  )
  const rows = ofAccounts.map(primaryUserRow)
  const added =
    observed.size === 0 ? rows : rows.filter((row) => !observed.has(row.id) && !shown.has(shownKey(row)))
  await insertRecords(tx, usedBy, org, added as unknown as NewRecord<AccountUser>[])
}
