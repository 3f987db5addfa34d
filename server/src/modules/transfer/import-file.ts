import { type CollectionName, collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import { BrokenInputError, type Line, openInput, readLines } from '../../kernel/lib/line-reader.ts'
import { bulkLoad } from '../../kernel/store/bulk/bulk-load.ts'
import { tuneForBulk } from '../../kernel/store/bulk/import-state.ts'
import type { ImportInput } from './import-inputs.ts'
import { type ImportTarget, importLines } from './import-lines.ts'

/** Options for importing a file. */
export interface ImportFileOptions {
  readonly input: ImportInput
  /** No further batch is started once it is aborted. */
  readonly signal: AbortSignal
  /** Called when all lines are read and the indexes are being built, which takes equally long. */
  onBuild(): void
  /** Called with the number of lines of each finished batch. */
  onBatch(lines: number): void
}

/** Resources that are looked up by more than the ID during the import, and therefore need their indexes. */
const indexedDuringImport: ReadonlySet<CollectionName> = new Set<CollectionName>(['usedBy', 'blockedUrls'])

/** Returns the collections that a file fills. Accounts also fill their primary users. */
const collectionsOf = (resource: CollectionName): Collection[] =>
  resource === 'accounts' ? [collections.accounts, collections.usedBy] : [collections[resource]]

/** Minimum number of lines for which building indexes at the end is faster. */
const bulkLines = 20_000

/**
 * Returns true if a file is large enough for a bulk import, provided that nobody else uses the SQLite store.
 *
 * @param lines number of lines, if known
 */
export const isForBulk = ({ resource }: ImportInput, lines: number | undefined): boolean =>
  resource !== undefined && !indexedDuringImport.has(resource) && (lines ?? 0) >= bulkLines

/**
 * Imports a file in batches, each in its own transaction, or all in one.
 *
 * @param inBulk imports all in one transaction; requires that no other process writes
 */
export async function importFile(
  target: ImportTarget,
  options: ImportFileOptions,
  inBulk: boolean,
): Promise<void> {
  const { resource } = options.input
  await target.db.inTransaction(tuneForBulk)
  if (!inBulk || resource === undefined) return importBatches(target, options)
  await target.db.inTransaction((tx) =>
    bulkLoad(tx, collectionsOf(resource), async (build) => {
      await importBatches({ ...target, bulk: { tx, build } }, options)
      options.onBuild()
    }),
  )
}

/** Maximum number of conflicting lines that are retried at the end of a file. */
const retriesMaximum = 10_000

/**
 * Imports in batches. Lines refused because of other lines, for example a taken address that is freed later, are
 * retried.
 */
async function importBatches(target: ImportTarget, options: ImportFileOptions): Promise<void> {
  const retries: Line[] = []
  const retryLater = (line: Line) => retries.length < retriesMaximum && retries.push(line) > 0
  const { input, signal } = options
  const file = labelOf(input)
  await importOnce({ ...target, retryLater }, options)
  const size = target.db.dialect.importBatchRecords
  for (let from = 0; from < retries.length; from += size) {
    signal.throwIfAborted()
    await importLines(target, file, input.resource, retries.slice(from, from + size))
  }
}

const labelOf = ({ path }: ImportInput): string => (path === '-' ? 'standard input' : path)

/** Imports the readable part of a file. If it breaks off, the summary says where. */
async function importOnce(target: ImportTarget, options: ImportFileOptions): Promise<void> {
  const { input, signal, onBatch } = options
  const file = labelOf(input)
  const store = async (batch: readonly Line[]) => {
    await importLines(target, file, input.resource, batch)
    onBatch(batch.length)
  }
  const size = target.db.dialect.importBatchRecords
  let pending: Line[] = []
  try {
    for await (const lines of readLines(openInput(input.path, signal))) {
      pending = pending.concat(lines)
      while (pending.length >= size) {
        signal.throwIfAborted()
        await store(pending.slice(0, size))
        pending = pending.slice(size)
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenInputError)) throw error
    target.summary.incomplete.push({ file, lines: error.lines, reason: error.message })
  }
  signal.throwIfAborted()
  if (pending.length > 0) await store(pending)
}
