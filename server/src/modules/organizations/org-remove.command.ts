import { lookup } from '@muster/contract/api/fields'
import { removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { organizationNamed, withStore } from '../../kernel/cli/with-store.ts'
import { firstOrganization, removeOrganization } from '../../kernel/organizations/organizations.ts'
import { scrub } from '../employees/erase-and-scrub.ts'

/** `muster org remove` */
export const orgRemove = defineCommand({
  name: 'org remove',
  summary: 'Permanently delete an organization and all of its data',
  needsStore: true,
  json: true,
  positionals: [
    {
      name: 'NAME',
      help: 'name or id of the organization',
      required: true,
      schema: lookup('A name or an id.', 'emea', 128, 1),
    },
  ],
  options: {
    confirm: {
      type: 'text',
      help: 'the name of the organization once more; without it, nothing is deleted',
      placeholder: 'NAME',
    },
  },
  details: `Deletes the records, reports, keys, administrators, events and audit trail of the organization. The deletion is recorded
  in the audit trail of the first organization, which cannot be removed. The embedded database is then rewritten, as by
  muster employee erase. Backups still contain the data, and so do the messages in the folder mail. Stop the servers first:
  requests and jobs that run meanwhile can leave rows behind, which nobody can read.

Example:
  muster org remove emea --confirm emea`,
  async run(context, { options, words: [word = ''] }) {
    const config = context.config()
    const outcome = await withStore(
      config,
      async (db) => {
        const { no, id, name } = await organizationNamed(db, word)
        if (no === firstOrganization) {
          throw new CommandFailure(
            `${name} is the first organization, which cannot be removed. Delete the store instead.`,
          )
        }
        if (options.confirm !== name) {
          throw new CommandFailure(
            `Nothing was deleted. To permanently delete ${name} and all of its data, add --confirm ${JSON.stringify(name)}.`,
          )
        }
        const counts = await db.inTransaction(async (tx) => {
          const deleted = await removeOrganization(tx, no)
          await auditCliChange(
            tx,
            firstOrganization,
            'organizations',
            [removed('organization', `${id}: ${name}`)],
            `The organization ${name} was removed`,
          )
          return deleted
        })
        return { id, name, counts }
      },
      { noTimeout: true },
    )
    if (context.json) context.printJson(outcome)
    else {
      for (const [table, count] of Object.entries(outcome.counts)) context.print(`${table}: ${count}`)
      context.print(`Removed the organization ${outcome.name} (${outcome.id}).`)
    }
    scrub(context, config, 'The organization')
  },
})
