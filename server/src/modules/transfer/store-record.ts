import { type CollectionName, collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import type { App } from '@muster/contract/records/app'
import type { BlockedUrl } from '@muster/contract/records/blocked-url'
import type { Detection } from '@muster/contract/records/detection'
import type { Employee } from '@muster/contract/records/employee'
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
import { markReplacedPages } from '../incidents/incidents-job.ts'
import { forgetCountedDays } from '../trends/daily-figures.service.ts'
import { hasWork, keepingWork } from '../work/kept-work.service.ts'
import { acceptEmployees, acceptPatterns, type Batch } from './accept-records.ts'
import { applyEmployeeChanges, type EmployeeChange, reassignToPrimaries } from './merged-employees.ts'
import type { CheckedRecord } from './record-check.ts'
import { storePrimaryUsers, storeUses } from './store-account-users.ts'
import { type ImportedRow, importedRow, mergeInternalColumns, usedById } from './store-record.rules.ts'

/** Outcome of storing records. */
export interface StoreOutcome {
  added: number
  replaced: number
  /** Number of records that already existed in the same form. */
  unchanged: number
  /** Refused records by index. A conflicting record may itself be replaced by a later one. */
  refused: { at: number; reason: string }[]
}

const emptyOutcome = (): StoreOutcome => ({ added: 0, replaced: 0, unchanged: 0, refused: [] })

/**
 * Stores checked records of a resource with their IDs, and the data that depends on them (addresses of employees, users
 * of accounts). A replaced record keeps its position in the order of creation unless its creation time differs.
 *
 * @param by actor for the audit events of employees, apps, detections and blocked URLs, the same as for API calls
 * @param beforeChange called before an existing record is changed
 */
export async function storeImported(
  tx: Tx,
  org: number,
  by: By,
  name: CollectionName,
  records: readonly CheckedRecord[],
  beforeChange: () => Promise<void> = async () => undefined,
): Promise<StoreOutcome> {
  const outcome = emptyOutcome()
  let from = 0
  // A repeated record replaces its earlier form, which must be stored first.
  for (const end of endsOfDistinct(name, records)) {
    await storeDistinct({ tx, org, by, beforeChange }, name, records.slice(from, end), from, outcome)
    from = end
  }
  // Data of browser policies. Of apps only banners matter, but looking for those would cost more than a new revision.
  if (isInPolicies(name) && outcome.added + outcome.replaced > 0)
    await bumpPolicyRevision(tx, org, unixSeconds(systemClock))
  if (isInTrends(name) && outcome.added + outcome.replaced > 0) await forgetCountedDays(tx, org)
  return outcome
}

const isInTrends = (name: CollectionName): boolean =>
  name === 'findings' || name === 'detections' || name === 'apps' || name === 'appsOther'

const isInPolicies = (name: CollectionName): boolean => name === 'blockedUrls' || name === 'apps'

const idOf = (name: CollectionName, record: CheckedRecord): string =>
  name === 'usedBy' ? usedById(String(record.accountId), String(record.employeeId)) : String(record.id)

/** Returns the ends of the runs without a repeated ID. */
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

/** Checks for conflicts before records are stored. */
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
  const unmerged = accepted.map((record) => importedRow(name, record))
  const rows = await reassignToPrimaries(tx, org, collection, unmerged)
  const changes = await storeRows(tx, org, collection, rows, known, outcome)
  if (name === 'employees')
    await applyEmployeeChanges(tx, org, changes.filter(isReplaced) as unknown as EmployeeChange[])
  if (name === 'detections') await markReplacedPages(tx, org, changesOf<Detection>(changes))
  await audit[name]?.(tx, org, by, changes)
  if (name === 'accounts') await storePrimaryUsers(tx, org, rows)
}

/** Change of a record; `before` is null if it was added. */
type ImportedChange = Change<CheckedRecord>

const isReplaced = ({ before }: ImportedChange): boolean => before !== null

/** Records the audit events that API calls would record for the same changes. */
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

/** The cast is safe: the records were validated against the schema of their collection. */
const changesOf = <R>(changes: readonly ImportedChange[]) => changes as unknown as readonly Change<R>[]

/**
 * Stores rows. @returns the added and replaced records
 */
async function storeRows(
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
      const internal = mergeInternalColumns(before.internal, row.internal)
      if (hasSamePosition(before, row)) await updateRecord(tx, collection, org, before, { ...row, internal })
      else await moveRecord(tx, org, collection, before, { ...row, internal })
    }
  }
  outcome.added += added.length
  await insertRecords(tx, collection, org, added)
  return changes
}

/** Replaces a record at another position in the order of creation. Work of administrators on it is kept. */
async function moveRecord(
  tx: Tx,
  org: number,
  collection: Collection,
  before: Stored<CheckedRecord>,
  row: ImportedRow,
): Promise<void> {
  const move = async () => {
    await removeRecord(tx, collection, org, before)
    await insertRecords(tx, collection, org, [row])
  }
  return hasWork(collection) ? keepingWork(tx, org, move, before.id) : move()
}

const isSame = (before: Stored<CheckedRecord>, row: ImportedRow): boolean =>
  before.hidden === row.hidden && JSON.stringify(before.record) === JSON.stringify(row.record)

/** True if the position in the order of creation is still right. */
const hasSamePosition = (before: Stored<CheckedRecord>, row: ImportedRow): boolean =>
  secondOfSequence(before.seq) === row.createdAtSeconds
