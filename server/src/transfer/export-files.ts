import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type CollectionName, collections } from '@muster/contract/api'
import type { Db } from '../storage/sql.ts'
import { walkAccountUsers, walkRecords } from '../storage/walk.ts'

/** What an export of a resource needs. */
export interface ExportOptions {
  readonly folder: string
  readonly gzip: boolean
  readonly signal: AbortSignal
  onRecords(count: number): void
}

/**
 * Writes all records of a resource to its file, one per line, in the order of creation, with constant memory. The file
 * gets its name when it is whole.
 *
 * @returns how many there were
 */
export async function exportResource(
  db: Db,
  org: number,
  name: CollectionName,
  options: ExportOptions,
): Promise<number> {
  const path = join(options.folder, `${name}.jsonl${options.gzip ? '.gz' : ''}`)
  const partial = `${path}.partial`
  let count = 0
  async function* lines(): AsyncGenerator<string> {
    const pages = name === 'usedBy' ? walkAccountUsers(db, org) : walkRecords(db, collections[name], org)
    for await (const records of pages) {
      options.signal.throwIfAborted()
      if (records.length === 0) continue
      yield `${records.join('\n')}\n`
      count += records.length
      options.onRecords(records.length)
    }
  }
  const file = createWriteStream(partial, { mode: 0o600, flush: true })
  try {
    await once(file, 'open')
    await (options.gzip ? pipeline(lines, createGzip(), file) : pipeline(lines, file))
    renameSync(partial, path)
    return count
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}
