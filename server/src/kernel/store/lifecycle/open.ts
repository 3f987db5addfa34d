import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { withAuditTrail } from '../../events/audit-trail.ts'
import { type Store, withOutbox } from '../../events/outbox.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { makeFolder } from '../../lib/process/make-folder.ts'
import { openPostgres } from '../postgres/postgres.ts'
import type { Db } from '../sql.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { isMigrated, migrate } from './migrate.ts'
import { type Patience, waitForTurn } from './store-turn.ts'

/** Where the records are: a directory for the embedded store, or the address of a PostgreSQL. */
export interface StoreOptions {
  dataDir: string
  databaseUrl?: string | undefined
  /** Connections to PostgreSQL; 10 unless told. */
  connections?: number
  /** Whether a commit waits until it is on the disk, which it does unless told not to: what can be made again need not. */
  durable?: boolean | undefined
  /** Whether PostgreSQL may take as long as it likes, for work in one transaction that looks at all there is. */
  unhurried?: boolean | undefined
  /** Whether nobody else uses the embedded store, for work that fills it (`SqliteOptions`). */
  sole?: boolean | undefined
  /** How to wait while another process writes to the embedded store for long; else it is some seconds. */
  patience?: Patience | undefined
  /** The time of events; that of the machine unless told. */
  clock?: Clock
}

export const sqliteFile = (dataDir: string): string => join(dataDir, 'muster.db')

/**
 * Opens the store, with its outbox, and brings its schema up to date.
 *
 * @throws StoreUnavailableError when it cannot be reached, UnsupportedSchemaError when it has the schema of another version.
 */
export async function openStore(options: StoreOptions, nowSeconds: number): Promise<Store> {
  const clock = options.clock ?? systemClock
  const url = options.databaseUrl
  if (url) {
    const open = (unhurried = options.unhurried) => openPostgres(url, { ...options, unhurried })
    return withOutbox(await migrated(open, options, nowSeconds), clock)
  }
  const file = preparedFile(options.dataDir)
  if (options.patience) await waitForTurn(file, options.patience)
  return withOutbox(await migrated(() => openSqlite(file, options), options, nowSeconds), clock)
}

const upgrading =
  'it is brought into the form of this version, as a whole or not at all, which takes about a minute for two million records'

async function migrated(
  open: (unhurried?: boolean) => Db,
  { patience }: StoreOptions,
  nowSeconds: number,
): Promise<Db> {
  const db = open()
  try {
    if (await isMigrated(db)) return withAuditTrail(db)
  } catch (error) {
    await db.close()
    throw error
  }
  await db.close()
  // However much there is, and however long another process takes that does it.
  const patient = open(true)
  try {
    await migrate(patient, nowSeconds, { onUpgrade: () => patience?.onWait(upgrading) })
  } finally {
    await patient.close()
  }
  return withAuditTrail(open())
}

function preparedFile(dataDir: string): string {
  makeFolder(dataDir)
  const file = sqliteFile(dataDir)
  // Made by us, for the owner only, also in a directory that others can read; SQLite's side files take its mode.
  closeSync(openSync(file, 'a', 0o600))
  return file
}
