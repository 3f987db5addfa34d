import type { AccountToClose, Offboarding } from '@muster/contract/console/people/console-offboarding'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { erase } from '../employees/erase-and-scrub.ts'
import { findPersonIn, personArgument } from '../employees/find-person.ts'
import { exportAccountsToClose } from './accounts-to-close-csv.ts'
import { offboardEmployee } from './offboard.ts'
import { offboardingPreview } from './offboarding-preview.ts'

/** `muster employee offboard` */
export const employeeOffboard = defineCommand({
  name: 'employee offboard',
  summary: 'Remove the license of an employee who leaves and revoke their browsers',
  needsStore: true,
  json: true,
  positionals: [{ ...personArgument, required: true }],
  options: {
    org: orgOption,
    yes: { type: 'flag', help: 'confirm the offboarding; without it, nothing is changed' },
    csv: { type: 'flag', help: 'only print the accounts to close, as CSV' },
    erase: { type: 'flag', help: 'afterwards delete the employee and all data about them' },
  },
  details: `Without --yes, lists the effects and the accounts to close. Agents of revoked browsers stop working. A managed browser
  enrolls again by its policy, but reports nothing without a license. Accounts are not closed in the apps: use the list.

Examples:
  muster employee offboard ada@example.com
  muster employee offboard ada@example.com --csv > accounts.csv
  muster employee offboard ada@example.com --yes`,
  async run(context, { options, words: [word = ''] }) {
    const config = context.config()
    const nowSeconds = unixSeconds(systemClock)
    if (options.csv) {
      if (options.yes || options.erase)
        throw new UsageError('--csv only prints the accounts. Leave out --yes and --erase.')
      return withStore(config, async (db) => {
        const { org, id } = await findPersonIn(db, options.org, word)
        for await (const part of await exportAccountsToClose(db, org, id, cliAuditContext()))
          if (!(await context.printPart(part))) return
      })
    }
    const { person, preview, outcome } = await withStore(config, async (db) => {
      const person = await findPersonIn(db, options.org, word)
      const preview = await offboardingPreview(db, person.org, person.id, nowSeconds)
      if (!options.yes) return { person, preview }
      const by = { org: person.org, actor: cliAuditContext().actor, nowSeconds }
      const outcome = await db.inTransaction((tx) => offboardEmployee(tx, by, person.id))
      return { person, preview, outcome }
    })
    if (!outcome) {
      if (context.json) context.printJson(preview)
      else printPreview(context, preview)
      throw new CommandFailure(`Nothing was changed. To offboard ${person.email}, add --yes.`)
    }
    const { licenseRemoved, browsersRevoked, enrollmentLinksRevoked } = outcome
    if (!context.json) {
      context.print(`License removed: ${licenseRemoved ? 'yes' : 'there was none'}`)
      context.print(`Browsers revoked: ${browsersRevoked}`)
      context.print(`Enrollment links revoked: ${enrollmentLinksRevoked}`)
    } else if (!options.erase) context.printJson(outcome)
    if (options.erase) await erase(context, config, person)
    else if (preview.accounts.length > 0)
      context.note('Now close the accounts in the apps; --csv lists them.')
  },
})

function printPreview(context: CommandContext, preview: Offboarding): void {
  context.print(`License: ${preview.licensed ? 'will be removed' : 'none'}`)
  context.print(`Browsers to revoke: ${preview.browsers}`)
  context.print(`Enrollment links to revoke: ${preview.enrollmentLinks}`)
  for (const { name } of preview.ownedApps) context.print(`Needs a new owner: ${name}`)
  if (preview.administrator) context.print('Keeps console access: remove the administrator separately.')
  if (preview.apiKeys > 0) context.print(`Keeps API keys: ${preview.apiKeys}. Revoke them separately.`)
  context.print(`Accounts to close: ${preview.accounts.length}${preview.moreAccounts ? ' or more' : ''}`)
  if (preview.accounts.length > 0)
    context.print(textTable(['APP', 'ACCOUNT', 'LAST USED', 'WEB SITE'], preview.accounts.map(rowOf)))
}

const rowOf = ({ app, email, lastUsedTimestamp, url }: AccountToClose): string[] => [
  app,
  email,
  lastUsedTimestamp === null ? 'never' : momentText(lastUsedTimestamp),
  url ?? '',
]
