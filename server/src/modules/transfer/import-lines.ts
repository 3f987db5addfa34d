import type { CollectionName } from '@muster/contract/api/api'
import type { By } from '../../kernel/actions/audit-record-changes.ts'
import type { Line } from '../../kernel/lib/line-reader.ts'
import type { BulkLoad } from '../../kernel/store/bulk/bulk-load.ts'
import { type Db, type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'
import { countOutcome, countsOf, type ImportSummary, type Reject } from './import-report.ts'
import type { WarningCollector } from './import-warnings.ts'
import { type CheckedRecord, type RecordCheck, recordChecker } from './record-check.ts'
import { isResource, resourceNames } from './resources.ts'
import { type StoreOutcome, storeImported } from './store-record.ts'

/** Destination and callbacks of an import. */
export interface ImportTarget {
  readonly db: Db
  /** Transaction for the whole import; without it each batch has its own. */
  readonly bulk?: { readonly tx: Tx; readonly build: BulkLoad }
  readonly org: number
  /** Actor of the import, for the audit trail. */
  readonly by: By
  readonly summary: ImportSummary
  readonly collector: WarningCollector
  reject(reject: Reject): void
  /** Returns true if a refused line will be retried later; otherwise it is rejected. */
  retryLater?(line: Line): boolean
  /** Called with unknown members, which are then ignored. Without it, records with unknown members are rejected. */
  ignoreMember?(name: CollectionName, member: string): void
}

interface Checked {
  readonly line: Line
  readonly record: CheckedRecord
}

const checkers = new Map<CollectionName, RecordCheck>()

function checkerOf(name: CollectionName): RecordCheck {
  const known = checkers.get(name) ?? recordChecker(name)
  checkers.set(name, known)
  return known
}

/**
 * Imports lines in one transaction: stores valid records and rejects the others with their reasons.
 *
 * @param file name of the file in rejects
 * @param resource resource of the lines; undefined if each line names its own: `{ "resource": …, "record": … }`
 * @param alongside further work in the transaction, with the outcomes
 */
export async function importLines(
  target: ImportTarget,
  file: string,
  resource: CollectionName | undefined,
  lines: readonly Line[],
  alongside?: (tx: Tx, outcomes: readonly StoreOutcome[]) => Promise<void>,
): Promise<void> {
  const byResource = checkLines(target, file, resource, lines)
  const names = resourceNames.filter((name) => byResource.has(name))
  const outcomes = await storeAll(target, names, byResource, alongside)
  for (const [at, name] of names.entries()) {
    const checked = byResource.get(name) ?? []
    const outcome = outcomes[at]
    if (outcome === undefined) continue
    const retried = new Set<number>()
    for (const refused of outcome.refused) {
      const line = checked[refused.at]?.line
      if (line && target.retryLater?.(line)) retried.add(refused.at)
      else target.reject({ file, line: line?.number ?? 0, reason: refused.reason, text: line?.text ?? null })
    }
    const refused = outcome.refused.filter(({ at }) => !retried.has(at))
    countOutcome(target.summary, name, { ...outcome, refused })
    await target.collector.add(
      target.db,
      name,
      checked.filter((_, index) => !retried.has(index)).map(({ record }) => record),
    )
  }
}

function checkLines(
  { summary, reject, ignoreMember }: ImportTarget,
  file: string,
  resource: CollectionName | undefined,
  lines: readonly Line[],
): Map<CollectionName, Checked[]> {
  const byResource = new Map<CollectionName, Checked[]>()
  for (const line of lines) {
    const read = readRecord(line, resource, ignoreMember)
    if ('record' in read) {
      const list = byResource.get(read.name)
      if (list) list.push({ line, record: read.record })
      else byResource.set(read.name, [{ line, record: read.record }])
    } else {
      if (read.name === undefined) summary.unassigned += 1
      else countsOf(summary, read.name).rejected += 1
      reject({ file, line: line.number, reason: read.reason, text: line.text })
    }
  }
  return byResource
}

type ReadRecord =
  | { name: CollectionName; record: CheckedRecord }
  | { name: CollectionName | undefined; reason: string }

function readRecord(
  { text, wrong }: Line,
  resource: CollectionName | undefined,
  ignoreMember: ImportTarget['ignoreMember'],
): ReadRecord {
  if (wrong !== undefined) return { name: resource, reason: wrong }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      name: resource,
      reason: `is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
  const wrapped = resource === undefined || isWrapped(value) ? unwrap(value) : { name: resource, value }
  if ('reason' in wrapped) return { name: resource, reason: wrapped.reason }
  const { name } = wrapped
  const checked = checkerOf(name)(wrapped.value, ignoreMember && ((member) => ignoreMember(name, member)))
  return { name, ...checked }
}

const isWrapped = (value: unknown): value is { resource: unknown; record: unknown } =>
  typeof value === 'object' && value !== null && 'resource' in value && 'record' in value

function unwrap(value: unknown): { name: CollectionName; value: unknown } | { reason: string } {
  if (!isWrapped(value))
    return { reason: 'must be { "resource": …, "record": … }, because the file name names no resource' }
  if (isResource(value.resource)) return { name: value.resource, value: value.record }
  return {
    reason: `resource is ${JSON.stringify(value.resource)}, but must be one of ${resourceNames.join(', ')}`,
  }
}

/** Stores all records in one transaction. Retries once if a running server took an ID or address in the meantime. */
async function storeAll(
  { db, bulk, org, by }: ImportTarget,
  names: readonly CollectionName[],
  byResource: ReadonlyMap<CollectionName, readonly Checked[]>,
  alongside: ((tx: Tx, outcomes: readonly StoreOutcome[]) => Promise<void>) | undefined,
): Promise<StoreOutcome[]> {
  const store = async (tx: Tx) => {
    const outcomes: StoreOutcome[] = []
    for (const name of names) {
      const records = (byResource.get(name) ?? []).map(({ record }) => record)
      outcomes.push(await storeImported(tx, org, by, name, records, bulk?.build.prepareForChanges))
    }
    await alongside?.(tx, outcomes)
    return outcomes
  }
  if (bulk) return store(bulk.tx)
  try {
    return await db.inTransaction(store)
  } catch (error) {
    if (!(error instanceof UniqueViolationError)) throw error
    return db.inTransaction(store)
  }
}
