import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type CollectionName, collections } from '@muster/contract/api'
import { scanAccountUsers, scanRecords } from '../../kernel/store/scan-records.ts'
import type { Db } from '../../kernel/store/sql.ts'

/** Where an export is written to. */
interface Place {
  readonly folder: string
  readonly gzip: boolean
}

/** What an export of a resource needs. */
export interface ExportOptions extends Place {
  readonly signal: AbortSignal
  onRecords(count: number): void
}

/** What files of an export end with: plain, and packed. */
const endings = ['.jsonl', '.jsonl.gz'] as const

const pathOf = ({ folder, gzip }: Place, name: CollectionName): string =>
  join(folder, name + endings[gzip ? 1 : 0])

const partialOf = (path: string): string => `${path}.partial`

/**
 * Writes all records of a resource to a file, one per line, in the order of creation, with constant memory. The file gets
 * its name by {@link finishExport}.
 *
 * @returns how many there were
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
 * Gives the files that were written their names, in the place of those of an earlier export. What else is left of that
 * would be imported together with this one: it is removed.
 */
export function finishExport(place: Place, names: readonly CollectionName[]): void {
  for (const name of names) renameSync(partialOf(pathOf(place, name)), pathOf(place, name))
  const other = { ...place, gzip: !place.gzip }
  for (const name of names) rmSync(pathOf(other, name), { force: true })
}

/** Removes what was written of an export that came to nothing. */
export function giveUpExport(place: Place, names: readonly CollectionName[]): void {
  for (const name of names) {
    const partial = partialOf(pathOf(place, name))
    if (statSync(partial, { throwIfNoEntry: false })?.isFile()) rmSync(partial)
  }
}
