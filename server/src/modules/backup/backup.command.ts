import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { cliAuditContext, forEachOrganization } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import type { Config } from '../../kernel/config/config.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { keyFingerprint, parseMasterKey } from '../../kernel/lib/secrets/secret.ts'
import { masterKeyFile } from '../../kernel/store/lifecycle/master-key.ts'
import { schemaNumber, UnsupportedSchemaError } from '../../kernel/store/lifecycle/migrate.ts'
import { type StoredFacts, storedFacts } from '../../kernel/store/lifecycle/stored-schema.ts'
import { StoreUnavailableError } from '../../kernel/store/sql.ts'
import { organizationsMaximum } from '../../kernel/store/sqlite/sqlite-keys.ts'
import { BackupError, writeBackup } from './backup.store.ts'
import { needsPostgres } from './restore.store.ts'

/** `muster backup` */
export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Back up the whole store to one file, also while servers run',
  needsStore: true,
  json: true,
  positionals: [{ name: 'FILE', help: 'the file to write; it must not exist yet', required: true }],
  options: {
    withoutKey: { type: 'flag', help: 'leave out the master key; store it elsewhere' },
  },
  details: `The file is a snapshot of the whole store: all organizations, API keys, stolen credentials and settings. It also
contains the master key, so keep it as secret as the data folder. The file is verified before it gets its name.

Examples:
  muster backup /srv/backup/muster-$(date +%F).db
  muster backup nightly.db --without-key --json`,
  async run(context, { options, words: [word = ''] }) {
    const path = resolve(context.io.cwd, word)
    const config = context.config()
    if (existsSync(path)) throw new CommandFailure(`${word} already exists. Choose another file name.`)
    if (!existsSync(dirname(path)))
      throw new CommandFailure(`The directory ${dirname(path)} does not exist. Create it first.`)
    const store = { dataDir: config.data, databaseUrl: config.databaseUrl }
    const stored = await storedFacts(store).catch(explainBackup)
    if (stored === undefined)
      throw new CommandFailure(
        'The database contains no Muster data. Use --data or --database-url to name another one.',
      )
    if (config.databaseUrl !== undefined && stored.schema !== schemaNumber)
      throw new CommandFailure(
        `The PostgreSQL database has schema ${stored.schema}, but this version of Muster backs up schema ${schemaNumber}. Use the version that wrote the database; it can also restore the backup.`,
      )
    const masterKey = options.withoutKey ? undefined : masterKeyOf(config, stored.keyFingerprint)
    const createdSeconds = unixSeconds(systemClock)
    const source = config.databaseUrl === undefined ? 'sqlite' : 'postgres'
    await auditBackup(context, config, stored)
    await writeBackup(store, path, { createdSeconds, source, masterKey }).catch(explainBackup)
    const { size } = statSync(path)
    const withKey = masterKey !== undefined
    if (context.json)
      context.printJson({
        file: path,
        bytes: size,
        source,
        masterKey: withKey,
        creationTimestamp: createdSeconds,
      })
    else context.print(describeBackup(relative(context.io.cwd, path), size, withKey, stored))
    if (needsPostgres(path))
      context.note(
        `It can only be restored to PostgreSQL: the embedded database holds at most ${organizationsMaximum} organizations.`,
      )
    if (withKey || stored.keyFingerprint === undefined) return
    context.note(
      options.withoutKey
        ? 'The backup does not contain the master key. Store the key elsewhere; without it, stolen credentials and paging tokens are lost.'
        : `There is no master key in ${masterKeyFile(config.data)}. Without it, stolen credentials and paging tokens are lost. Put the key there or set MUSTER_SECRET_KEY, then make another backup.`,
    )
  },
})

function describeBackup(
  file: string,
  bytes: number,
  withKey: boolean,
  { keyFingerprint }: StoredFacts,
): string {
  if (withKey) return `${file} contains everything including the master key (${bytes} bytes).`
  if (keyFingerprint === undefined)
    return `${file} contains everything (${bytes} bytes). There is no master key yet.`
  return `${file} contains everything except the master key (${bytes} bytes).`
}

/**
 * Records the backup in the audit trails of all organizations before the copy is made. A store that is not writable, or that
 * another version wrote, is backed up without an entry, because a backup is needed most then.
 */
async function auditBackup(context: CommandContext, config: Config, { schema }: StoredFacts): Promise<void> {
  const notRecorded = (reason: string) =>
    context.note(`The backup is not recorded in the audit trail: ${reason}.`)
  if (schema !== schemaNumber)
    return notRecorded(`${schema < schemaNumber ? 'an older' : 'a newer'} version of Muster wrote the store`)
  try {
    const facts = { what: 'everything', format: 'BACKUP', count: 0 } as const
    await withStore(config, (db) =>
      db.inTransaction((tx) =>
        forEachOrganization(tx, (org) =>
          recordAudit(tx, org, 'DATA_EXPORTED', { ...cliAuditContext(), new: facts }),
        ),
      ),
    )
  } catch (error) {
    notRecorded((error instanceof Error ? error.message : String(error)).replace(/\.$/, ''))
  }
}

/**
 * Returns the master key for the backup.
 *
 * @param known fingerprint of the key that the store was used with, if any
 */
function masterKeyOf({ secretKey, data }: Config, known: string | undefined): string | undefined {
  const file = masterKeyFile(data)
  const key = secretKey ?? keyIn(file)
  if (key === undefined || known === undefined || keyFingerprint(key) === known)
    return key?.toString('base64url')
  throw new CommandFailure(
    secretKey === undefined
      ? `${file} is not the key of the database (fingerprint ${known}). Put the right key there, name its folder with --data, or leave the key out with --without-key.`
      : `MUSTER_SECRET_KEY is not the key of the database (fingerprint ${known}). Unset it, set the right key, or leave the key out with --without-key.`,
  )
}

function keyIn(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined
  const key = parseMasterKey(readFileSync(file, 'utf8').trim())
  if (key !== undefined) return key
  throw new CommandFailure(
    `${file} does not contain a master key. Put the right key there, or use --without-key.`,
  )
}

/** Converts an error of a backup or a restore to a CommandFailure. */
export function explainBackup(error: unknown): never {
  if (
    error instanceof BackupError ||
    error instanceof StoreUnavailableError ||
    error instanceof UnsupportedSchemaError
  ) {
    throw new CommandFailure(error.message, { cause: error })
  }
  throw error
}
