import { type CollectionName, collections } from '@muster/contract/api'
import type { Collection } from '@muster/contract/collection'
import { BrokenInputError, type Line, openInput, readLines } from '../../kernel/lib/line-reader.ts'
import { bulkLoad } from '../../kernel/store/bulk-load.ts'
import { tuneForBulk } from '../../kernel/store/import-state.ts'
import type { ImportInput } from './import-inputs.ts'
import { type ImportTarget, importLines } from './import-lines.ts'

/** What an import needs besides its target. */
export interface ImportFileOptions {
  readonly input: ImportInput
  /** Nothing more is begun when it is aborted. */
  readonly signal: AbortSignal
  /** Called when a large file was read and its indexes are being built, which takes as long again. */
  onBuild(): void
  /** Called with the number of lines of each batch that is done. */
  onBatch(lines: number): void
}

/** Looked for by more than their ids (users by their account, blocked URLs by their pattern), so by indexes. */
const sought: ReadonlySet<CollectionName> = new Set<CollectionName>(['usedBy', 'blockedUrls'])

/** The collections that a file of a resource fills: accounts have their primary users. */
const filled = (resource: CollectionName): Collection[] =>
  resource === 'accounts' ? [collections.accounts, collections.usedBy] : [collections[resource]]

/** From so many lines on it pays to build indexes in the end. */
const bulkLines = 20_000

/**
 * Whether a file is large enough to be imported as a whole, if nobody else uses the embedded store.
 *
 * @param lines how many lines it has, if that is known
 */
export const isForBulk = ({ resource }: ImportInput, lines: number | undefined): boolean =>
  resource !== undefined && !sought.has(resource) && (lines ?? 0) >= bulkLines

/**
 * Imports a file: batch by batch, each in a transaction of its own; or as a whole in one.
 *
 * @param inBulk whether as a whole; no other process can write meanwhile
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
    bulkLoad(tx, filled(resource), async (build) => {
      await importBatches({ ...target, bulk: { tx, build } }, options)
      options.onBuild()
    }),
  )
}

/** So many lines that something stands in the way of are tried again at the end of a file. */
const triedLaterMaximum = 10_000

/** Lines that are refused because of others, such as an address that another line gives free, are tried once more. */
async function importBatches(target: ImportTarget, options: ImportFileOptions): Promise<void> {
  const later: Line[] = []
  const tryLater = (line: Line) => later.length < triedLaterMaximum && later.push(line) > 0
  const { input, signal } = options
  const file = nameOf(input)
  await importOnce({ ...target, tryLater }, options)
  const size = target.db.dialect.importBatchRecords
  for (let from = 0; from < later.length; from += size) {
    signal.throwIfAborted()
    await importLines(target, file, input.resource, later.slice(from, from + size))
  }
}

const nameOf = ({ path }: ImportInput): string => (path === '-' ? 'standard input' : path)

/** Stores what can be read; where the file breaks off is noted in the summary. */
async function importOnce(target: ImportTarget, options: ImportFileOptions): Promise<void> {
  const { input, signal, onBatch } = options
  const file = nameOf(input)
  const store = async (batch: readonly Line[]) => {
    await importLines(target, file, input.resource, batch)
    onBatch(batch.length)
  }
  const size = target.db.dialect.importBatchRecords
  let waiting: Line[] = []
  try {
    for await (const lines of readLines(openInput(input.path, signal))) {
      waiting = waiting.concat(lines)
      while (waiting.length >= size) {
        signal.throwIfAborted()
        await store(waiting.slice(0, size))
        waiting = waiting.slice(size)
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenInputError)) throw error
    target.summary.incomplete.push({ file, lines: error.lines, reason: error.message })
  }
  signal.throwIfAborted()
  if (waiting.length > 0) await store(waiting)
}
