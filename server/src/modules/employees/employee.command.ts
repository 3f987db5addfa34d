import { CommandFailure, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { erase, scrub } from './erase-and-scrub.ts'
import { findPersonIn, personArgument } from './find-person.ts'

/** `muster employee erase` */
export const employeeErase = defineCommand({
  name: 'employee erase',
  summary: 'Permanently delete an employee and all data about them',
  needsStore: true,
  json: true,
  positionals: [personArgument],
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
    const found = await withStore(config, (db) => findPersonIn(db, options.org, word))
    if (!options.yes) {
      throw new CommandFailure(
        `Nothing was deleted. To permanently delete ${JSON.stringify(word)} and all data about this employee, add --yes.`,
      )
    }
    await erase(context, config, found)
  },
})
