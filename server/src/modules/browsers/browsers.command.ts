import { removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { credentialOfBrowser, revokeBrowserCredential } from './browser-credentials.service.ts'

/** `muster browsers revoke` */
export const browsersRevoke = defineCommand({
  name: 'browsers revoke',
  summary: 'Revoke the credential of a browser; the browser can enroll again',
  needsStore: true,
  json: true,
  positionals: [{ name: 'ID', help: 'ID of the browser, see /v1/browsers', required: true }],
  options: { org: orgOption },
  details: `A managed browser enrolls again automatically, with a new ID, while its enrollment token is valid.

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
        `No enrolled browser ${JSON.stringify(id)} in the organization ${options.org}. /v1/browsers lists all browsers.`,
      )
    }
    const { browserId, employeeId, creationTimestamp, revokedTimestamp } = credential
    if (context.json) context.printJson({ browserId, employeeId, creationTimestamp, revokedTimestamp })
    else context.print(`Revoked the credential of the browser ${id}.`)
  },
})
