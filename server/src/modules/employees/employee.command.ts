import { lookup } from '@muster/contract/api/fields'
import { type Employee, employees } from '@muster/contract/records/employee'
import { removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange, cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import type { Config } from '../../kernel/config/config.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { addressHmac } from '../../kernel/lib/secrets/address-hmac.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { openMasterKey } from '../../kernel/store/lifecycle/master-key.ts'
import { sqliteFile } from '../../kernel/store/lifecycle/open.ts'
import { scrubFile } from '../../kernel/store/lifecycle/scrub.ts'
import { getRecord, recordsWhere, type Stored } from '../../kernel/store/records.ts'
import { type Db, StoreUnavailableError, type Tx } from '../../kernel/store/sql.ts'
import { removeMailNaming } from '../notices/mail-files.ts'
import { employeeOfAddress } from './employee-addresses.service.ts'
import { erasePerson, personNames } from './erase.ts'

const word = lookup('An ID or an email address.', 'ada.byron@example.com', 254, 1)

/** `muster employee erase` */
export const employeeErase = defineCommand({
  name: 'employee erase',
  summary: 'Permanently delete an employee and all data about them',
  needsStore: true,
  json: true,
  positionals: [{ name: 'ID|EMAIL', help: 'ID or email address of the employee', schema: word }],
  options: {
    org: orgOption,
    yes: { type: 'flag', help: 'confirm the deletion; without it, nothing is deleted' },
    finish: {
      type: 'flag',
      help: 'only rewrite the database file, after an erase that could not; without ID|EMAIL',
    },
  },
  details: `Deletes the employee and the employees merged into it, with their browsers, extensions, accounts, findings,
  detections, raw events, enrollment links, credentials, and the stolen credentials of their addresses. Accounts that other
  employees also use are transferred to them. Earlier backups still contain the data. An administrator with the same address
  keeps their API keys and sign-in.

The embedded database is then rewritten to remove the data from its file. This takes about 40 seconds per GB and needs
free space of twice the file size. The server can keep running: reads are answered, writes wait and get 503 after ten
seconds.

Examples:
  muster employee erase ada@example.com --yes
  muster employee erase --finish`,
  async run(context, { options, words: [word] }) {
    const config = context.config()
    if (options.finish) {
      if (word !== undefined) throw new UsageError('--finish takes no ID or email address.')
      return scrub(context, config)
    }
    if (word === undefined) throw new UsageError('Missing ID|EMAIL of the employee.')
    const erase = async (db: Db) => {
      const { no: org } = await organizationNamed(db, options.org)
      const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
      const keys = deriveKeys(master)
      return db.inTransaction(async (tx) => {
        const person = await findPerson(tx, org, word, options.org)
        if (!options.yes) return undefined
        const hmacOf = (address: string) => addressHmac(keys.addressHmac, org, address)
        const counts = await erasePerson(tx, org, person, hmacOf, cliAuditContext())
        // Only IDs, because the audit trail is never deleted.
        const changes = person.map(({ id }) => removed('employee', id))
        await auditCliChange(tx, org, 'employees', changes, 'An employee was erased')
        return { counts, names: personNames(person) }
      })
    }
    // Reads all stored events in one transaction, which can take minutes.
    const erased = await withStore(config, erase, { noTimeout: true })
    if (erased === undefined) {
      throw new CommandFailure(
        `Nothing was deleted. To permanently delete ${JSON.stringify(word)} and all data about this employee, add --yes.`,
      )
    }
    const counts = { ...erased.counts, mails: removeMailNaming(config.data, erased.names) }
    if (context.json) context.printJson(counts)
    else for (const [name, count] of Object.entries(counts)) if (count > 0) context.print(`${name}: ${count}`)
    scrub(context, config)
  },
})

/** Removes erased data from the database file. PostgreSQL does that itself. */
function scrub(context: CommandContext, config: Config): void {
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
      `The employee was deleted, but the database file could not be rewritten and may still contain old data: ${error.message}. Free disk space or stop the server, then run muster employee erase --finish.`,
      { cause: error },
    )
  }
}

/** Returns an employee and the employees merged into it. */
async function findPerson(tx: Tx, org: number, word: string, orgName: string): Promise<Stored<Employee>[]> {
  const id = word.includes('@') ? await employeeOfAddress(tx, org, word) : word
  const found = id === undefined ? undefined : await getRecord(tx, employees, org, id)
  if (!found) {
    throw new CommandFailure(
      `No employee ${JSON.stringify(word)} in the organization ${orgName}. /v1/employees lists all employees.`,
    )
  }
  const { mergedIntoId } = found.record
  if (mergedIntoId !== null) {
    throw new CommandFailure(
      `This employee is merged into ${mergedIntoId}. Erase that one, which erases both, or unmerge this one first.`,
    )
  }
  return [found, ...(await recordsWhere(tx, employees, org, 'mergedIntoId', found.id))]
}
