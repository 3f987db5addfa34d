import { personalDataFormats } from '@muster/contract/console/people/console-personal-data'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { defineCommand } from '../../kernel/cli/command.ts'
import { orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { openMasterKey } from '../../kernel/store/lifecycle/master-key.ts'
import { findPersonIn, personArgument } from '../employees/find-person.ts'
import { exportPerson } from './export-person.ts'

/** `muster employee export` */
export const employeeExport = defineCommand({
  name: 'employee export',
  summary: 'Print everything that is stored about an employee',
  needsStore: true,
  positionals: [{ ...personArgument, required: true }],
  options: {
    org: orgOption,
    format: {
      type: 'text',
      choices: personalDataFormats,
      fallback: 'json',
      help: 'json for programs, html to read and print',
      placeholder: 'FORMAT',
    },
  },
  details: `Includes the records of merged employees, reports of browsers, events and entries of the audit trail. Some records also
  name other people: check them before you pass the file on.

Examples:
  muster employee export ada@example.com > ada.json
  muster employee export ada@example.com --format html > ada.html`,
  async run(context, { options, words: [word = ''] }) {
    const config = context.config()
    // Reads all stored events, which can take minutes.
    await withStore(
      config,
      async (db) => {
        const { org, id } = await findPersonIn(db, options.org, word)
        const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
        const wanted = { org, employeeId: id, format: options.format, keys: deriveKeys(master) }
        for await (const part of await exportPerson(db, { ...wanted, by: cliAuditContext() }))
          if (!(await context.printPart(part))) return
      },
      { noTimeout: true },
    )
  },
})
