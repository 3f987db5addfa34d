import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { cliAuditContext, forEachOrganization } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import type { Config } from '../../kernel/config/config.ts'
import { tellAudit } from '../../kernel/events/audit-trail.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { keyFingerprint, parseMasterKey } from '../../kernel/lib/secrets/secret.ts'
import { organizationsMaximum } from '../../kernel/organizations/organizations.ts'
import { masterKeyFile } from '../../kernel/store/lifecycle/master-key.ts'
import { schemaNumber, UnsupportedSchemaError } from '../../kernel/store/lifecycle/migrate.ts'
import { type StoredFacts, storedFacts } from '../../kernel/store/lifecycle/stored-schema.ts'
import { StoreUnavailableError } from '../../kernel/store/sql.ts'
import { BackupError, writeBackup } from './backup.store.ts'
import { isForPostgresAlone } from './restore.store.ts'

/** `muster backup` */
export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Write everything to one file, also while servers run',
  needsStore: true,
  json: true,
  positionals: [{ name: 'FILE', help: 'the file to write; it must not be there yet', required: true }],
  options: {
    withoutKey: { type: 'flag', help: 'leave out the master key, which then has to be kept elsewhere' },
  },
  details: `The file is one moment of the whole store: all organizations, API keys, stolen credentials, settings. It also holds the
master key, so keep it as secret as the data folder. It is checked before it gets its name.

Examples:
  muster backup /srv/backup/muster-$(date +%F).db
  muster backup nightly.db --without-key --json`,
  async run(context, { options, words: [word = ''] }) {
    const path = resolve(context.io.cwd, word)
    const config = context.config()
    if (existsSync(path)) throw new CommandFailure(`${word} is there already: name another file.`)
    if (!existsSync(dirname(path)))
      throw new CommandFailure(`There is no directory ${dirname(path)}: make it first.`)
    const store = { dataDir: config.data, databaseUrl: config.databaseUrl }
    const stored = await storedFacts(store).catch(explainBackup)
    if (stored === undefined)
      throw new CommandFailure(
        'There is nothing of Muster in the database: name the right one with --data or --database-url.',
      )
    if (config.databaseUrl !== undefined && stored.schema !== schemaNumber)
      throw new CommandFailure(
        `The PostgreSQL database has schema ${stored.schema}, and this version of Muster makes backups of schema ${schemaNumber}: make it with the version that wrote the database, which can restore it, too.`,
      )
    const masterKey = options.withoutKey ? undefined : masterKeyOf(config, stored.keyFingerprint)
    const createdSeconds = unixSeconds(systemClock)
    const source = config.databaseUrl === undefined ? 'sqlite' : 'postgres'
    await tellBackup(context, config, stored)
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
    else context.print(whatItHolds(relative(context.io.cwd, path), size, withKey, stored))
    if (isForPostgresAlone(path))
      context.note(
        `It can be restored to PostgreSQL alone: the embedded database holds ${organizationsMaximum} organizations.`,
      )
    if (withKey || stored.keyFingerprint === undefined) return
    context.note(
      options.withoutKey
        ? 'The master key is not in it: keep it elsewhere, or stolen credentials and paging tokens are lost with it.'
        : `There is no master key in ${masterKeyFile(config.data)}, and without it stolen credentials and paging tokens are lost: put it there, or set MUSTER_SECRET_KEY, and make another backup.`,
    )
  },
})

function whatItHolds(file: string, bytes: number, withKey: boolean, { keyFingerprint }: StoredFacts): string {
  if (withKey) return `${file} holds everything (${bytes} bytes), the master key included.`
  if (keyFingerprint === undefined)
    return `${file} holds everything (${bytes} bytes); there is no master key yet.`
  return `${file} holds everything but the master key (${bytes} bytes).`
}

/**
 * Tells the trails of all organizations, before the copy is made. A store that cannot be written to now, or that another
 * version wrote, is backed up all the same: that is when a backup is needed most.
 */
async function tellBackup(context: CommandContext, config: Config, { schema }: StoredFacts): Promise<void> {
  const untold = (reason: string) => context.note(`The audit trail was not told of this backup: ${reason}.`)
  if (schema !== schemaNumber)
    return untold(`${schema < schemaNumber ? 'an older' : 'a newer'} version of Muster wrote the store`)
  try {
    const facts = { what: 'everything', format: 'BACKUP', count: 0 } as const
    await withStore(config, (db) =>
      db.inTransaction((tx) =>
        forEachOrganization(tx, (org) =>
          tellAudit(tx, org, 'DATA_EXPORTED', { ...cliAuditContext(), new: facts }),
        ),
      ),
    )
  } catch (error) {
    untold((error instanceof Error ? error.message : String(error)).replace(/\.$/, ''))
  }
}

/** @param known the fingerprint of the key that the store is used with, if it has been used with one */
function masterKeyOf({ secretKey, data }: Config, known: string | undefined): string | undefined {
  const file = masterKeyFile(data)
  const key = secretKey ?? keyIn(file)
  if (key === undefined || known === undefined || keyFingerprint(key) === known)
    return key?.toString('base64url')
  throw new CommandFailure(
    secretKey === undefined
      ? `${file} is another key than that of the database, which has the fingerprint ${known}: put that there, name the folder that has it with --data, or leave the key out with --without-key.`
      : `MUSTER_SECRET_KEY is another key than that of the database, which has the fingerprint ${known}: unset it, set the right one, or leave the key out with --without-key.`,
  )
}

function keyIn(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined
  const key = parseMasterKey(readFileSync(file, 'utf8').trim())
  if (key !== undefined) return key
  throw new CommandFailure(
    `${file} does not hold a master key. Put the right one there, or use --without-key.`,
  )
}

/** Says what a backup or a restore failed by. */
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
