import { type Employee, employees } from '@muster/contract/employee'
import { lookup } from '@muster/contract/fields'
import { removed } from '../features/audit-changes.ts'
import { erasePerson } from '../features/employees/erase.ts'
import { addressHmac } from '../lib/address-hmac.ts'
import { deriveKeys } from '../lib/secret.ts'
import { employeeOfAddress } from '../storage/employee-addresses.ts'
import { openMasterKey } from '../storage/master-key.ts'
import { getRecord, recordsWhere, type Stored } from '../storage/records.ts'
import type { Db, Tx } from '../storage/sql.ts'
import { tellCliChange, toldByCli } from './cli-actor.ts'
import { CommandFailure, defineCommand } from './command.ts'
import { organisationNamed, orgOption, withStore } from './with-store.ts'

const word = lookup('An id or an address.', 'ada.byron@example.com', 254, 1)

/** `muster employee erase` */
export const employeeErase = defineCommand({
  name: 'employee erase',
  summary: 'Remove a person and all that was observed of them, for good',
  needsStore: true,
  json: true,
  positionals: [
    { name: 'ID|EMAIL', help: 'the id or the address of the employee', required: true, schema: word },
  ],
  options: {
    org: orgOption,
    yes: { type: 'flag', help: 'really do it; without it, nothing is removed' },
  },
  details: `Removed are the employee and those merged into it, their browsers, extensions, accounts, findings and detections, the
raw events, links, credentials, and the stolen credentials of their addresses. Accounts that others use too become
theirs. Backups made before still hold it all. An administrator of the same address keeps their keys and sign-in.

Example:
  muster employee erase ada@example.com --yes`,
  async run(context, { options, words: [word = ''] }) {
    const config = context.config()
    const erase = async (db: Db) => {
      const { no: org } = await organisationNamed(db, options.org)
      const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
      const keys = deriveKeys(master)
      return db.inTransaction(async (tx) => {
        const person = await personNamed(tx, org, word, options.org)
        if (!options.yes) return undefined
        const hmacOf = (address: string) => addressHmac(keys.addressHmac, org, address)
        const counts = await erasePerson(tx, org, person, hmacOf, toldByCli())
        // By their ids alone: the trail is for good.
        const changes = person.map(({ id }) => removed('employee', id))
        await tellCliChange(tx, org, 'employees', changes, 'A person was erased')
        return counts
      })
    }
    // It looks at all events that are kept, in one transaction: with many of them, for minutes.
    const counts = await withStore(config, erase, { unhurried: true })
    if (counts === undefined) {
      throw new CommandFailure(
        `Nothing was removed. ${JSON.stringify(word)} and all that was observed of this person would be, for good: add --yes.`,
      )
    }
    if (context.json) return context.printJson(counts)
    for (const [what, count] of Object.entries(counts)) if (count > 0) context.print(`${what}: ${count}`)
  },
})

/** The employee and those merged into it. */
async function personNamed(tx: Tx, org: number, word: string, orgName: string): Promise<Stored<Employee>[]> {
  const id = word.includes('@') ? await employeeOfAddress(tx, org, word) : word
  const found = id === undefined ? undefined : await getRecord(tx, employees, org, id)
  if (!found) {
    throw new CommandFailure(
      `There is no employee ${JSON.stringify(word)} in the organisation ${orgName}. /v1/employees lists them.`,
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
