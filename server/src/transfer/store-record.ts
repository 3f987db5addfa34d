import type { Account, AccountUser } from '@muster/contract/account'
import { type CollectionName, collections } from '@muster/contract/api'
import type { Collection } from '@muster/contract/collection'
import { systemClock, unixSeconds } from '../lib/clock.ts'
import { areRising } from '../lib/distinct.ts'
import { creationSecondsOf, getRecordsForChange } from '../storage/bulk.ts'
import { bumpPolicyRevision } from '../storage/policy-revision.ts'
import {
  getRecordsByValues,
  insertRecords,
  removeRecord,
  type Stored,
  updateRecord,
} from '../storage/records.ts'
import { secondOfSequence } from '../storage/sequence.ts'
import type { Tx } from '../storage/sql.ts'
import { acceptEmployees, acceptPatterns, type Batch } from './accept-records.ts'
import type { CheckedRecord } from './record-check.ts'
import {
  type ImportedRow,
  importedRow,
  primaryUserRow,
  replacedPrivates,
  usedById,
  usedByRow,
} from './store-record.rules.ts'

/** What became of records that were to be stored. */
export interface StoreOutcome {
  added: number
  replaced: number
  /** They were there already, exactly so. */
  unchanged: number
  /** By their place among the records given; what stands in the way of one may itself be replaced by one that follows. */
  refused: { at: number; reason: string }[]
}

const nothing = (): StoreOutcome => ({ added: 0, replaced: 0, unchanged: 0, refused: [] })

/**
 * Stores checked records of one resource as they came, ids included, with all that the rest of Muster expects beside
 * them (addresses of employees, users of accounts). A record whose id is there is replaced and keeps its place in the
 * order of creation, unless it says that it was created at another time.
 *
 * @param beforeChange called before a record that is there is changed
 */
export async function storeImported(
  tx: Tx,
  org: number,
  name: CollectionName,
  records: readonly CheckedRecord[],
  beforeChange: () => Promise<void> = async () => undefined,
): Promise<StoreOutcome> {
  const outcome = nothing()
  let from = 0
  // A record that comes twice replaces its first form, which has to be there by then.
  for (const end of endsOfDistinct(name, records)) {
    await storeDistinct({ tx, org, beforeChange }, name, records.slice(from, end), from, outcome)
    from = end
  }
  // What browsers are told of; apps only by their banners, but to look for those would cost more than to tell.
  if (isInPolicies(name) && outcome.added + outcome.replaced > 0)
    await bumpPolicyRevision(tx, org, unixSeconds(systemClock))
  return outcome
}

const isInPolicies = (name: CollectionName): boolean => name === 'blockedUrls' || name === 'apps'

const idOf = (name: CollectionName, record: CheckedRecord): string =>
  name === 'usedBy' ? usedById(String(record.accountId), String(record.employeeId)) : String(record.id)

/** Where the runs end in which no id is repeated. */
function endsOfDistinct(name: CollectionName, records: readonly CheckedRecord[]): number[] {
  const ids = records.map((record) => idOf(name, record))
  if (areRising(ids)) return [ids.length]
  const ends: number[] = []
  let seen = new Set<string>()
  ids.forEach((id, at) => {
    if (seen.has(id)) {
      ends.push(at)
      seen = new Set()
    }
    seen.add(id)
  })
  return [...ends, records.length]
}

type Known = Map<string, Stored<CheckedRecord>>

interface StoreContext {
  readonly tx: Tx
  readonly org: number
  readonly beforeChange: () => Promise<void>
}

/** What has to be free before a record is stored. */
const accept: Partial<Record<CollectionName, (batch: Batch) => Promise<readonly CheckedRecord[]>>> = {
  employees: acceptEmployees,
  blockedUrls: acceptPatterns,
}

async function storeDistinct(
  { tx, org, beforeChange }: StoreContext,
  name: CollectionName,
  records: readonly CheckedRecord[],
  from: number,
  outcome: StoreOutcome,
): Promise<void> {
  const collection: Collection = collections[name]
  const known =
    name === 'usedBy'
      ? await knownUsers(
          tx,
          org,
          records.map(({ accountId }) => String(accountId)),
        )
      : await getRecordsForChange(
          tx,
          collection,
          org,
          records.map(({ id }) => String(id)),
        )
  if (known.size > 0) await beforeChange()
  const refuse = (at: number, reason: string) => void outcome.refused.push({ at: from + at, reason })
  const same = () => {
    outcome.unchanged += 1
  }
  const accepted = (await accept[name]?.({ tx, org, records, known, refuse, same })) ?? records
  const rows =
    name === 'usedBy'
      ? await usedByRows(tx, org, accepted)
      : accepted.map((record) => importedRow(name, record))
  await putRows(tx, org, collection, rows, known, outcome)
  if (name === 'accounts') await putPrimaryUsers(tx, org, rows)
}

async function putRows(
  tx: Tx,
  org: number,
  collection: Collection,
  rows: readonly ImportedRow[],
  known: Known,
  outcome: StoreOutcome,
): Promise<void> {
  const added: ImportedRow[] = []
  for (const row of rows) {
    const before = known.size === 0 ? undefined : known.get(row.id)
    if (before === undefined) added.push(row)
    else if (isSame(before, row)) outcome.unchanged += 1
    else {
      outcome.replaced += 1
      const privates = replacedPrivates(before.privates, row.privates)
      if (createdWhen(collection, before, row))
        await updateRecord(tx, collection, org, before, { ...row, privates })
      else {
        await removeRecord(tx, collection, org, before)
        await insertRecords(tx, collection, org, [{ ...row, privates }])
      }
    }
  }
  outcome.added += added.length
  await insertRecords(tx, collection, org, added)
}

const isSame = (before: Stored<CheckedRecord>, row: ImportedRow): boolean =>
  before.unlisted === row.unlisted && JSON.stringify(before.record) === JSON.stringify(row.record)

/** Whether the place in the order of creation still fits; users of accounts are not asked, they have no such time. */
const createdWhen = (collection: Collection, before: Stored<CheckedRecord>, row: ImportedRow): boolean =>
  collection.name === 'usedBy' || secondOfSequence(before.seq) === row.createdAtSeconds

/** Who is shown to use accounts, by account and employee; a merged employee is shown as the primary. */
async function knownUsers(tx: Tx, org: number, accountIds: readonly string[]): Promise<Known> {
  const users = await getRecordsByValues(tx, collections.usedBy, org, 'accountId', accountIds)
  const listed = users.filter(({ unlisted }) => !unlisted)
  return new Map(
    listed.map((user) => [usedById(String(user.privates.accountId), user.record.employeeId), user]),
  )
}

async function usedByRows(tx: Tx, org: number, lines: readonly CheckedRecord[]): Promise<ImportedRow[]> {
  const accountIds = [...new Set(lines.map(({ accountId }) => String(accountId)))]
  const created = await creationSecondsOf(tx, collections.accounts, org, accountIds)
  return lines.map((line) => {
    const accountId = String(line.accountId)
    const user = line as CheckedRecord & AccountUser
    return usedByRow(accountId, user, created.get(accountId) ?? user.lastUsedTimestamp ?? 0)
  })
}

async function putPrimaryUsers(tx: Tx, org: number, accounts: readonly ImportedRow[]): Promise<void> {
  const rows = accounts.map(({ record }) => primaryUserRow(record as Account))
  const known = await knownUsers(
    tx,
    org,
    accounts.map(({ id }) => id),
  )
  const added = known.size === 0 ? rows : rows.filter(({ id }) => !known.has(id))
  await insertRecords(
    tx,
    collections.usedBy,
    org,
    added.map((row) => ({ ...row, record: row.record as AccountUser })),
  )
}
