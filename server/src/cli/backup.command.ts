import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { systemClock, unixSeconds } from '../lib/clock.ts'
import { parseMasterKey } from '../lib/secret.ts'
import { tellAudit } from '../storage/audit-trail.ts'
import { BackupError, writeBackup } from '../storage/backup.ts'
import { masterKeyFile } from '../storage/master-key.ts'
import { sqliteFile } from '../storage/open.ts'
import { StoreUnavailableError } from '../storage/sql.ts'
import { isSchemaCurrent } from '../storage/stored-schema.ts'
import { tellEveryOrganisation, toldByCli } from './cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand } from './command.ts'
import { withStore } from './with-store.ts'

/** `muster backup` */
export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Write everything to one file, also while servers run',
  json: true,
  positionals: [{ name: 'FILE', help: 'the file to write; it must not be there yet', required: true }],
  options: {
    withoutKey: { type: 'flag', help: 'leave out the master key, which then has to be kept elsewhere' },
  },
  details: `The file is one moment of the whole store: all organisations, API keys, stolen credentials, settings. It also holds the
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
    if (config.databaseUrl === undefined && !existsSync(sqliteFile(config.data))) {
      throw new CommandFailure(`There is no database in ${config.data}: name the data folder with --data.`)
    }
    const masterKey = options.withoutKey ? undefined : masterKeyOf(config)
    const createdSeconds = unixSeconds(systemClock)
    const source = config.databaseUrl === undefined ? 'sqlite' : 'postgres'
    await tellBackup(context, config)
    await writeBackup({ dataDir: config.data, databaseUrl: config.databaseUrl }, path, {
      createdSeconds,
      source,
      masterKey,
    }).catch(explainBackup)
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
    else
      context.print(
        `${relative(context.io.cwd, path)} holds everything (${size} bytes)${withKey ? ', the master key included' : ''}.`,
      )
    if (!withKey)
      context.note(
        'The master key is not in it: keep it elsewhere, or stolen credentials and paging tokens are lost with it.',
      )
  },
})

/**
 * Tells the trails of all organisations, before the copy is made. A store that cannot be written to now, or that an older
 * version wrote, is backed up all the same: that is when a backup is needed most.
 */
async function tellBackup(context: CommandContext, config: Config): Promise<void> {
  const untold = (reason: string) => context.note(`The audit trail was not told of this backup: ${reason}.`)
  try {
    const store = { dataDir: config.data, databaseUrl: config.databaseUrl }
    if (!(await isSchemaCurrent(store))) return untold('an older version of Muster wrote the store')
    const facts = { what: 'everything', format: 'BACKUP', count: 0 } as const
    await withStore(config, (db) =>
      db.inTransaction((tx) =>
        tellEveryOrganisation(tx, (org) =>
          tellAudit(tx, org, 'DATA_EXPORTED', { ...toldByCli(), new: facts }),
        ),
      ),
    )
  } catch (error) {
    untold(error instanceof Error ? error.message : String(error))
  }
}

function masterKeyOf({ secretKey, data }: Config): string | undefined {
  if (secretKey !== undefined) return secretKey.toString('base64url')
  const file = masterKeyFile(data)
  if (!existsSync(file)) return undefined
  const key = parseMasterKey(readFileSync(file, 'utf8').trim())
  if (key === undefined)
    throw new CommandFailure(
      `${file} does not hold a master key. Put the right one there, or use --without-key.`,
    )
  return key.toString('base64url')
}

/** Says what a backup or a restore failed by. */
export function explainBackup(error: unknown): never {
  if (error instanceof BackupError || error instanceof StoreUnavailableError) {
    throw new CommandFailure(error.message, { cause: error })
  }
  throw error
}
