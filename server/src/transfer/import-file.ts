import type { ImportInput } from './import-inputs.ts'
import { type ImportTarget, importLines } from './import-lines.ts'
import { type Line, openInput, readLines } from './line-reader.ts'

/** So many records are stored in one transaction: enough to share its cost, few enough to let others write. */
const batchRecords = 500

/** What an import needs besides its target. */
export interface ImportFileOptions {
  readonly input: ImportInput
  /** Nothing more is begun when it is aborted. */
  readonly signal: AbortSignal
  /** Called with the number of lines of each batch that is done. */
  onBatch(lines: number): void
}

/** Imports a file, batch by batch. */
export async function importFile(target: ImportTarget, options: ImportFileOptions): Promise<void> {
  const { input, signal, onBatch } = options
  const file = input.path === '-' ? 'standard input' : input.path
  const store = async (batch: readonly Line[]) => {
    await importLines(target, file, input.resource, batch)
    onBatch(batch.length)
  }
  let waiting: Line[] = []
  for await (const lines of readLines(openInput(input.path))) {
    waiting = waiting.concat(lines)
    while (waiting.length >= batchRecords) {
      signal.throwIfAborted()
      await store(waiting.slice(0, batchRecords))
      waiting = waiting.slice(batchRecords)
    }
  }
  signal.throwIfAborted()
  if (waiting.length > 0) await store(waiting)
}
