import type { CollectionName } from '@muster/contract/api'
import type { By } from '../../kernel/actions/audit-record-changes.ts'
import type { Line } from '../../kernel/lib/line-reader.ts'
import type { BulkLoad } from '../../kernel/store/bulk-load.ts'
import { type Db, type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'
import { countOutcome, countsOf, type ImportSummary, type Reject } from './import-report.ts'
import type { ImportWatch } from './import-watch.ts'
import { type CheckedRecord, type RecordCheck, recordChecker } from './record-check.ts'
import { isResource, resourceNames } from './resources.ts'
import { type StoreOutcome, storeImported } from './store-record.ts'

/** What an import works with. */
export interface ImportTarget {
  readonly db: Db
  /** The transaction that all of it happens in; without one, each batch has its own. */
  readonly bulk?: { readonly tx: Tx; readonly build: BulkLoad }
  readonly org: number
  /** Actor of the import, for the audit trail. */
  readonly by: By
  readonly summary: ImportSummary
  readonly watch: ImportWatch
  reject(reject: Reject): void
  /** Whether a line is kept, to be tried again when what stands in its way may have changed; else it is rejected. */
  tryLater?(line: Line): boolean
  /** Told of members that are left out because they are not known; without it, records that have some are rejected. */
  leaveOut?(name: CollectionName, member: string): void
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
 * Takes lines in, all in one transaction: those that are right are stored, the others are rejected with their reasons.
 *
 * @param file what rejects call the file
 * @param resource what the lines are; undefined if each says so itself: `{ "resource": …, "record": … }`
 * @param alongside what else belongs into the transaction, once it is known what becomes of the records
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
    const later = new Set<number>()
    for (const refused of outcome.refused) {
      const line = checked[refused.at]?.line
      if (line && target.tryLater?.(line)) later.add(refused.at)
      else target.reject({ file, line: line?.number ?? 0, reason: refused.reason, text: line?.text ?? null })
    }
    const refused = outcome.refused.filter(({ at }) => !later.has(at))
    countOutcome(target.summary, name, { ...outcome, refused })
    await target.watch.see(
      target.db,
      name,
      checked.filter((_, index) => !later.has(index)).map(({ record }) => record),
    )
  }
}

function checkLines(
  { summary, reject, leaveOut }: ImportTarget,
  file: string,
  resource: CollectionName | undefined,
  lines: readonly Line[],
): Map<CollectionName, Checked[]> {
  const byResource = new Map<CollectionName, Checked[]>()
  for (const line of lines) {
    const read = readRecord(line, resource, leaveOut)
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
  leaveOut: ImportTarget['leaveOut'],
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
  const checked = checkerOf(name)(wrapped.value, leaveOut && ((member) => leaveOut(name, member)))
  return { name, ...checked }
}

const isWrapped = (value: unknown): value is { resource: unknown; record: unknown } =>
  typeof value === 'object' && value !== null && 'resource' in value && 'record' in value

function unwrap(value: unknown): { name: CollectionName; value: unknown } | { reason: string } {
  if (!isWrapped(value))
    return { reason: 'must be { "resource": …, "record": … }, as the name of the file names no resource' }
  if (isResource(value.resource)) return { name: value.resource, value: value.record }
  return {
    reason: `resource is ${JSON.stringify(value.resource)}, but must be one of ${resourceNames.join(', ')}`,
  }
}

/** All in one transaction; once more if a server that runs on the store took an id or address in between. */
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
