import { type Employee, employees } from '@muster/contract/employee'
import { lookup } from '@muster/contract/fields'
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

const word = lookup('An id or an address.', 'ada.byron@example.com', 254, 1)

/** `muster employee erase` */
export const employeeErase = defineCommand({
  name: 'employee erase',
  summary: 'Remove a person and all that was observed of them, for good',
  needsStore: true,
  json: true,
  positionals: [{ name: 'ID|EMAIL', help: 'the id or the address of the employee', schema: word }],
  options: {
    org: orgOption,
    yes: { type: 'flag', help: 'really do it; without it, nothing is removed' },
    finish: {
      type: 'flag',
      help: 'only rewrite the database file, where an earlier erase could not; without ID|EMAIL',
    },
  },
  details: `Removed are the employee and those merged into it, their browsers, extensions, accounts, findings and detections, the
raw events, links, credentials, and the stolen credentials of their addresses. Accounts that others use too become
theirs. Backups made before still hold it all. An administrator of the same address keeps their keys and sign-in.

The embedded database is rewritten then, so that nothing is left in its file. That takes about 40 seconds per GB, and twice
the space of the file. A server may run meanwhile: it answers reads, and writes wait, or get 503 after ten seconds.

Examples:
  muster employee erase ada@example.com --yes
  muster employee erase --finish`,
  async run(context, { options, words: [word] }) {
    const config = context.config()
    if (options.finish) {
      if (word !== undefined) throw new UsageError('--finish takes no employee.')
      return scrub(context, config)
    }
    if (word === undefined) throw new UsageError('ID|EMAIL is missing: which employee?')
    const erase = async (db: Db) => {
      const { no: org } = await organizationNamed(db, options.org)
      const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
      const keys = deriveKeys(master)
      return db.inTransaction(async (tx) => {
        const person = await personNamed(tx, org, word, options.org)
        if (!options.yes) return undefined
        const hmacOf = (address: string) => addressHmac(keys.addressHmac, org, address)
        const counts = await erasePerson(tx, org, person, hmacOf, cliAuditContext())
        // By their ids alone: the trail is for good.
        const changes = person.map(({ id }) => removed('employee', id))
        await auditCliChange(tx, org, 'employees', changes, 'A person was erased')
        return { counts, names: personNames(person) }
      })
    }
    // It looks at all events that are kept, in one transaction: with many of them, for minutes.
    const erased = await withStore(config, erase, { unhurried: true })
    if (erased === undefined) {
      throw new CommandFailure(
        `Nothing was removed. ${JSON.stringify(word)} and all that was observed of this person would be, for good: add --yes.`,
      )
    }
    const counts = { ...erased.counts, mails: removeMailNaming(config.data, erased.names) }
    if (context.json) context.printJson(counts)
    else for (const [what, count] of Object.entries(counts)) if (count > 0) context.print(`${what}: ${count}`)
    scrub(context, config)
  },
})

/** Takes what was erased out of the files, too, as far as they are ours. */
function scrub(context: CommandContext, config: Config): void {
  if (config.databaseUrl !== undefined) {
    context.note(
      'PostgreSQL keeps the old rows in its files until it vacuums them, and their bytes until it reuses the space: VACUUM FULL rewrites the tables at once. WAL archives, replicas and backups keep them for as long as they are kept.',
    )
    return
  }
  try {
    scrubFile(sqliteFile(config.data), systemClock.nowMs())
    context.note('The database file was rewritten: nothing that was erased is left in it.')
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    throw new CommandFailure(
      `The person is removed, but the database file could not be rewritten and may still hold old bytes: ${error.message}. Free space if the disk is full, stop the server if it is in the way, then run muster employee erase --finish.`,
      { cause: error },
    )
  }
}

/** The employee and those merged into it. */
async function personNamed(tx: Tx, org: number, word: string, orgName: string): Promise<Stored<Employee>[]> {
  const id = word.includes('@') ? await employeeOfAddress(tx, org, word) : word
  const found = id === undefined ? undefined : await getRecord(tx, employees, org, id)
  if (!found) {
    throw new CommandFailure(
      `There is no employee ${JSON.stringify(word)} in the organization ${orgName}. /v1/employees lists them.`,
    )
  }
  const { mergedIntoId } = found.record
  if (mergedIntoId !== null) {
    throw new CommandFailure(
      `This employee is merged into ${mergedIntoId}: erase that one, which erases both, or unmerge this one first.`,
    )
  }
  return [found, ...(await recordsWhere(tx, employees, org, 'mergedIntoId', found.id))]
}
