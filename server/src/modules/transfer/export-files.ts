import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type CollectionName, collections } from '@muster/contract/api/api'
import { scanAccountUsers, scanRecords } from '../../kernel/store/scan-records.ts'
import type { Db } from '../../kernel/store/sql.ts'

/** Location and format of an export. */
interface ExportTarget {
  readonly folder: string
  readonly gzip: boolean
}

/** Options for exporting a resource. */
export interface ExportOptions extends ExportTarget {
  readonly signal: AbortSignal
  onRecords(count: number): void
}

/** File name endings of an export: plain and compressed. */
const endings = ['.jsonl', '.jsonl.gz'] as const

const pathOf = ({ folder, gzip }: ExportTarget, name: CollectionName): string =>
  join(folder, name + endings[gzip ? 1 : 0])

const partialOf = (path: string): string => `${path}.partial`

/**
 * Writes all records of a resource to a temporary file, one per line, in the order of creation, with constant memory.
 * {@link finishExport} gives the file its final name.
 *
 * @returns the number of records
 */
export async function exportResource(
  db: Db,
  org: number,
  name: CollectionName,
  options: ExportOptions,
): Promise<number> {
  let count = 0
  async function* lines(): AsyncGenerator<string> {
    const pages = name === 'usedBy' ? scanAccountUsers(db, org) : scanRecords(db, collections[name], org)
    for await (const records of pages) {
      options.signal.throwIfAborted()
      if (records.length === 0) continue
      yield `${records.join('\n')}\n`
      count += records.length
      options.onRecords(records.length)
    }
  }
  const file = createWriteStream(partialOf(pathOf(options, name)), { mode: 0o600, flush: true })
  await once(file, 'open')
  await (options.gzip ? pipeline(lines, createGzip(), file) : pipeline(lines, file))
  return count
}

/**
 * Gives the written files their final names, replacing an earlier export. Its files in the other format are removed,
 * otherwise they would be imported together with this one.
 */
export function finishExport(target: ExportTarget, names: readonly CollectionName[]): void {
  for (const name of names) renameSync(partialOf(pathOf(target, name)), pathOf(target, name))
  const other = { ...target, gzip: !target.gzip }
  for (const name of names) rmSync(pathOf(other, name), { force: true })
}

/** Removes the temporary files of a failed export. */
export function discardExport(target: ExportTarget, names: readonly CollectionName[]): void {
  for (const name of names) {
    const partial = partialOf(pathOf(target, name))
    if (statSync(partial, { throwIfNoEntry: false })?.isFile()) rmSync(partial)
  }
}
