import { removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { credentialOfBrowser, revokeBrowserCredential } from './browser-credentials.service.ts'

/** `muster browsers revoke` */
export const browsersRevoke = defineCommand({
  name: 'browsers revoke',
  summary: 'Make the credential of a browser stop working; it can be enrolled again',
  needsStore: true,
  json: true,
  positionals: [{ name: 'ID', help: 'the id of the browser, as /v1/browsers shows it', required: true }],
  options: { org: orgOption },
  details: `A browser that device management enrolls comes back by itself once, with a new id, while its enrollment token works.

Example:
  muster browsers revoke 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90`,
  async run(context, { options, words: [id = ''] }) {
    const credential = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      await db.inTransaction(async (tx) => {
        if (await revokeBrowserCredential(tx, no, id, unixSeconds(systemClock)))
          await auditCliChange(tx, no, 'browsers', [removed('credential', id)])
      })
      return credentialOfBrowser(db, no, id)
    })
    if (!credential) {
      throw new CommandFailure(
        `There is no enrolled browser ${JSON.stringify(id)} in the organization ${options.org}. /v1/browsers lists them.`,
      )
    }
    const { browserId, employeeId, creationTimestamp, revokedTimestamp } = credential
    if (context.json) context.printJson({ browserId, employeeId, creationTimestamp, revokedTimestamp })
    else context.print(`The credential of the browser ${id} does not work any more.`)
  },
})
