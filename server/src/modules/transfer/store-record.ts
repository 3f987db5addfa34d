import { type CollectionName, collections } from '@muster/contract/api'
import type { App } from '@muster/contract/app'
import type { BlockedUrl } from '@muster/contract/blocked-url'
import type { Collection } from '@muster/contract/collection'
import type { Detection } from '@muster/contract/detection'
import type { Employee } from '@muster/contract/employee'
import {
  auditEmployeeChanges,
  type By,
  recordAuditEvents,
} from '../../kernel/actions/audit-record-changes.ts'
import {
  appAuditEvents,
  blockedUrlAuditEvents,
  type Change,
  detectionAuditEvents,
} from '../../kernel/actions/record-audit-events.rules.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { isAscending } from '../../kernel/lib/distinct.ts'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import { getRecordsForChange } from '../../kernel/store/batch-lookups.ts'
import { insertRecords, removeRecord, type Stored, updateRecord } from '../../kernel/store/records.ts'
import { secondOfSequence } from '../../kernel/store/sequence.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { acceptEmployees, acceptPatterns, type Batch } from './accept-records.ts'
import { type EmployeeChange, settleEmployees, underPrimaries } from './merged-people.ts'
import type { CheckedRecord } from './record-check.ts'
import { type ImportedRow, importedRow, mergedInternalColumns, usedById } from './store-record.rules.ts'
import { putPrimaryUsers, storeUses } from './store-uses.ts'

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
 * @param by who imports: the audit trail is told of employees, apps, detections and blocked URLs, as by calls of the API
 * @param beforeChange called before a record that is there is changed
 */
export async function storeImported(
  tx: Tx,
  org: number,
  by: By,
  name: CollectionName,
  records: readonly CheckedRecord[],
  beforeChange: () => Promise<void> = async () => undefined,
): Promise<StoreOutcome> {
  const outcome = nothing()
  let from = 0
  // A record that comes twice replaces its first form, which has to be there by then.
  for (const end of endsOfDistinct(name, records)) {
    await storeDistinct({ tx, org, by, beforeChange }, name, records.slice(from, end), from, outcome)
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
  if (isAscending(ids)) return [ids.length]
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
  readonly by: By
  readonly beforeChange: () => Promise<void>
}

/** What has to be free before a record is stored. */
const accept: Partial<Record<CollectionName, (batch: Batch) => Promise<readonly CheckedRecord[]>>> = {
  employees: acceptEmployees,
  blockedUrls: acceptPatterns,
}

async function storeDistinct(
  { tx, org, by, beforeChange }: StoreContext,
  name: CollectionName,
  records: readonly CheckedRecord[],
  from: number,
  outcome: StoreOutcome,
): Promise<void> {
  const collection: Collection = collections[name]
  if (name === 'usedBy') return storeUses(tx, org, records, outcome, beforeChange)
  const known = await getRecordsForChange(
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
  const asNamed = accepted.map((record) => importedRow(name, record))
  const rows = await underPrimaries(tx, org, collection, asNamed)
  const changes = await putRows(tx, org, collection, rows, known, outcome)
  if (name === 'employees')
    await settleEmployees(tx, org, changes.filter(isReplaced) as unknown as EmployeeChange[])
  await audit[name]?.(tx, org, by, changes)
  if (name === 'accounts') await putPrimaryUsers(tx, org, rows)
}

/** A record of a batch; `before` is null if it was added. */
type ImportedChange = Change<CheckedRecord>

const isReplaced = ({ before }: ImportedChange): boolean => before !== null

/** Records the audit events of imported records, as calls of the API would for the same changes. */
const audit: Partial<
  Record<CollectionName, (tx: Tx, org: number, by: By, changes: readonly ImportedChange[]) => Promise<void>>
> = {
  employees: (tx, org, by, changes) => auditEmployeeChanges(tx, org, by, changesOf<Employee>(changes)),
  apps: (tx, org, by, changes) => recordAuditEvents(tx, org, by, appAuditEvents(changesOf<App>(changes))),
  detections: (tx, org, by, changes) =>
    recordAuditEvents(tx, org, by, detectionAuditEvents(changesOf<Detection>(changes))),
  blockedUrls: (tx, org, by, changes) =>
    recordAuditEvents(tx, org, by, blockedUrlAuditEvents(changesOf<BlockedUrl>(changes))),
}

/** The records were checked against the schema of their collection. */
const changesOf = <R>(changes: readonly ImportedChange[]) => changes as unknown as readonly Change<R>[]

/** Stores rows; returns the records that were added or replaced. */
async function putRows(
  tx: Tx,
  org: number,
  collection: Collection,
  rows: readonly ImportedRow[],
  known: Known,
  outcome: StoreOutcome,
): Promise<ImportedChange[]> {
  const added: ImportedRow[] = []
  const changes: ImportedChange[] = []
  for (const row of rows) {
    const before = known.size === 0 ? undefined : known.get(row.id)
    if (before === undefined) {
      added.push(row)
      changes.push({ before: null, after: row.record })
    } else if (isSame(before, row)) outcome.unchanged += 1
    else {
      outcome.replaced += 1
      changes.push({ before: before.record, after: row.record })
      const internal = mergedInternalColumns(before.internal, row.internal)
      if (fitsPlace(before, row)) await updateRecord(tx, collection, org, before, { ...row, internal })
      else {
        await removeRecord(tx, collection, org, before)
        await insertRecords(tx, collection, org, [{ ...row, internal }])
      }
    }
  }
  outcome.added += added.length
  await insertRecords(tx, collection, org, added)
  return changes
}

const isSame = (before: Stored<CheckedRecord>, row: ImportedRow): boolean =>
  before.hidden === row.hidden && JSON.stringify(before.record) === JSON.stringify(row.record)

/** Whether the place in the order of creation still fits. */
const fitsPlace = (before: Stored<CheckedRecord>, row: ImportedRow): boolean =>
  secondOfSequence(before.seq) === row.createdAtSeconds
