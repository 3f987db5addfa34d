import { removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange, cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure } from '../../kernel/cli/command.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import type { Config } from '../../kernel/config/config.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { addressHmac } from '../../kernel/lib/secrets/address-hmac.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { openMasterKey } from '../../kernel/store/lifecycle/master-key.ts'
import { sqliteFile } from '../../kernel/store/lifecycle/open.ts'
import { scrubFile } from '../../kernel/store/lifecycle/scrub.ts'
import { type Db, StoreUnavailableError } from '../../kernel/store/sql.ts'
import { removeMailNaming } from '../notices/mail-files.ts'
import { erasePerson, personNames } from './erase.ts'
import { type FoundPerson, personOf } from './find-person.ts'

/** Erases a person, prints the counts, and removes the data from the database file. */
export async function erase(
  context: CommandContext,
  config: Config,
  { org, id }: FoundPerson,
): Promise<void> {
  const eraseIn = async (db: Db) => {
    const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
    const keys = deriveKeys(master)
    return db.inTransaction(async (tx) => {
      const person = await personOf(tx, org, id)
      const hmacOf = (address: string) => addressHmac(keys.addressHmac, org, address)
      const counts = await erasePerson(tx, org, person, hmacOf, cliAuditContext())
      // Only IDs, because the audit trail is never deleted.
      const changes = person.map(({ id }) => removed('employee', id))
      await auditCliChange(tx, org, 'employees', changes, 'An employee was erased')
      return { counts, names: personNames(person) }
    })
  }
  // Reads all stored events in one transaction, which can take minutes.
  const erased = await withStore(config, eraseIn, { noTimeout: true })
  const counts = { ...erased.counts, mails: removeMailNaming(config.data, erased.names) }
  if (context.json) context.printJson(counts)
  else for (const [name, count] of Object.entries(counts)) if (count > 0) context.print(`${name}: ${count}`)
  scrub(context, config)
}

/** Removes erased data from the database file. PostgreSQL does that itself. */
export function scrub(context: CommandContext, config: Config, erased = 'The employee'): void {
  if (config.databaseUrl !== undefined) {
    context.note(
      'PostgreSQL keeps deleted rows in its files until it vacuums them and reuses the space. VACUUM FULL rewrites the tables at once. WAL archives, replicas and backups may still contain the data.',
    )
    return
  }
  try {
    scrubFile(sqliteFile(config.data), systemClock.nowMs())
    context.note('The database file was rewritten and no longer contains the erased data.')
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    throw new CommandFailure(
      `${erased} was deleted, but the database file could not be rewritten and may still contain old data: ${error.message}. Free disk space or stop the server, then run muster employee erase --finish.`,
      { cause: error },
    )
  }
}
