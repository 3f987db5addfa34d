import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { renameExclusively } from '../../kernel/lib/process/rename-exclusively.ts'
import { lookAtFile } from '../../kernel/store/lifecycle/look-at-file.ts'
import { schemaNumber, UnsupportedSchemaError } from '../../kernel/store/lifecycle/migrate.ts'
import { type StoreOptions, sqliteFile } from '../../kernel/store/lifecycle/open.ts'
import { factsIn, type StoredFacts } from '../../kernel/store/lifecycle/stored-schema.ts'
import { copyPostgresTo } from '../../kernel/store/postgres/postgres-copy.ts'
import { StoreUnavailableError } from '../../kernel/store/sql.ts'

/** What a backup knows of itself, in a table of its own. */
export interface BackupFacts {
  readonly createdSeconds: number
  readonly source: 'sqlite' | 'postgres'
  /** The master key as base64url; absent from a backup that was made without it. */
  readonly masterKey?: string | undefined
}

/** The file cannot be taken for a backup, or the place for one cannot be used; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export const backupTable = 'muster_backup'

/**
 * Writes a consistent copy of the whole store to a file, while servers may go on writing: one snapshot of the embedded
 * store, or of a PostgreSQL as a file of the embedded store's form. The file gets its name when it is whole, checked and
 * on the disk. A PostgreSQL must have the schema of this version, which the file gets: of another not all would be in it.
 *
 * @throws BackupError if the file is there already, or the copy is not sound
 */
export async function writeBackup(options: StoreOptions, path: string, facts: BackupFacts): Promise<void> {
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  // Made first, so that it is never readable to others, not even while it is filled.
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

/** Everything in one read transaction: of what others write meanwhile, nothing is seen. */
function copySqlite(from: string, to: string): void {
  try {
    lookAtFile(from, (database) => database.prepare('VACUUM INTO ?').run(to))
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    throw new BackupError(`The database cannot be read now: ${error.message}.`, { cause: error })
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
      // That of what is in it: a version that can read this can restore it.
      schema: factsIn(database)?.schema,
      created: facts.createdSeconds,
      source: facts.source,
      masterKey: facts.masterKey,
    }
    for (const [name, value] of Object.entries(rows)) if (value !== undefined) add.run(name, String(value))
    const problems = integrityProblems(database)
    if (problems.length > 0)
      throw new BackupError(`The copy is not sound: ${problems[0]}. Run muster doctor.`)
  } finally {
    database.close()
  }
}

/** What SQLite finds wrong with a file; nothing if it is sound. */
export function integrityProblems(database: DatabaseSync): string[] {
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
      throw new BackupError(`${path} is there already: name another file.`)
    throw error
  }
}

/** Reads what a backup knows of itself. @throws BackupError if it is none, damaged, or of a newer version */
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
        `${path} was made by a newer version of Muster (schema ${schema}, this one knows ${schemaNumber}): restore it with that.`,
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

/** Opens a backup for reading. */
export function openBackup(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true })
  } catch (error) {
    throw new BackupError(`${path} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}
