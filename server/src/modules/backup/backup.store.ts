import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { renameExclusively } from '../../kernel/lib/process/rename-exclusively.ts'
import { inspectFile } from '../../kernel/store/lifecycle/inspect-file.ts'
import { schemaNumber, UnsupportedSchemaError } from '../../kernel/store/lifecycle/migrate.ts'
import { type StoreLocation, sqliteFile } from '../../kernel/store/lifecycle/open.ts'
import { factsIn, type StoredFacts } from '../../kernel/store/lifecycle/stored-schema.ts'
import { copyPostgresTo } from '../../kernel/store/postgres/postgres-copy.ts'
import { StoreUnavailableError } from '../../kernel/store/sql.ts'

/** Metadata of a backup, in the table `muster_backup`. */
export interface BackupFacts {
  readonly createdSeconds: number
  readonly source: 'sqlite' | 'postgres'
  /** The master key as base64url; absent from a backup that was made without it. */
  readonly masterKey?: string | undefined
}

/** A file is not a valid backup, or cannot be written or restored; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export const backupTable = 'muster_backup'

/**
 * Writes a consistent snapshot of the whole store to a file, while servers may keep writing. The file has the format of the
 * embedded store, also for PostgreSQL. It gets its name when it is complete, verified and on the disk. A PostgreSQL store must
 * have the schema of this version; columns of another schema would be missing.
 *
 * @throws BackupError if the file exists already, or the copy is corrupt
 */
export async function writeBackup(options: StoreLocation, path: string, facts: BackupFacts): Promise<void> {
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  // Created first with private permissions: others must never be able to read it.
  closeSync(createPrivate(partial))
  try {
    if (options.databaseUrl === undefined) copySqlite(sqliteFile(options.dataDir), partial)
    else await copyPostgresTo(options.databaseUrl, partial, facts.createdSeconds)
    addFacts(partial, facts)
    syncFile(partial)
    nameBackup(partial, path)
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(partial + ending, { force: true })
  }
}

function createPrivate(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    throw new BackupError(`${path} cannot be written: ${(error as Error).message}`, { cause: error })
  }
}

/** Copies the file in one read transaction, which is a snapshot. */
function copySqlite(from: string, to: string): void {
  try {
    inspectFile(from, (database) => database.prepare('VACUUM INTO ?').run(to))
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    throw new BackupError(`The database cannot be read: ${error.message}.`, { cause: error })
  }
}

function addFacts(path: string, facts: BackupFacts): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(
      `PRAGMA journal_mode = DELETE; CREATE TABLE ${backupTable} (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`,
    )
    const add = database.prepare(`INSERT INTO ${backupTable} (name, value) VALUES (?, ?)`)
    const rows = {
      format: '1',
      // The schema of the data: a version that knows it can restore the backup.
      schema: factsIn(database)?.schema,
      created: facts.createdSeconds,
      source: facts.source,
      masterKey: facts.masterKey,
    }
    for (const [name, value] of Object.entries(rows)) if (value !== undefined) add.run(name, String(value))
    const problems = integrityProblems(database)
    if (problems.length > 0) throw new BackupError(`The copy is corrupt: ${problems[0]}. Run muster doctor.`)
  } finally {
    database.close()
  }
}

/** Returns the problems that SQLite's integrity check finds. */
function integrityProblems(database: DatabaseSync): string[] {
  const rows = database.prepare('PRAGMA integrity_check(10)').all() as { integrity_check: string }[]
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
}

function syncFile(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

function nameBackup(partial: string, path: string): void {
  try {
    renameExclusively(partial, path)
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST')
      throw new BackupError(`${path} already exists. Choose another file name.`)
    throw error
  }
}

/** Reads the metadata of a backup. @throws BackupError if the file is not a backup, is damaged, or has a newer schema */
export function readBackup(path: string): BackupFacts & StoredFacts {
  const database = openBackup(path)
  try {
    const rows = database.prepare(`SELECT name, value FROM ${backupTable}`).all() as {
      name: string
      value: string
    }[]
    const facts = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    const { schema, keyFingerprint } = factsIn(database, path) ?? { schema: Number(facts.schema) }
    if (!(schema <= schemaNumber)) {
      throw new BackupError(
        `${path} was made by a newer version of Muster (schema ${schema}; this version knows ${schemaNumber}). Restore it with that version.`,
      )
    }
    const problems = integrityProblems(database)
    if (problems.length > 0) throw new BackupError(`${path} is damaged: ${problems[0]}.`)
    return {
      schema,
      keyFingerprint,
      createdSeconds: Number(facts.created),
      source: facts.source === 'postgres' ? 'postgres' : 'sqlite',
      masterKey: facts.masterKey,
    }
  } catch (error) {
    if (error instanceof BackupError || error instanceof UnsupportedSchemaError) throw error
    throw new BackupError(`${path} is not a backup of Muster, or is damaged: ${(error as Error).message}.`, {
      cause: error,
    })
  } finally {
    database.close()
  }
}

/** Opens a backup read-only. */
export function openBackup(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true })
  } catch (error) {
    throw new BackupError(`${path} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}
