import { ApiError } from '@muster/contract/api/errors'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { defineCommand } from '../../kernel/cli/command.ts'
import { mistakesOf, readJsonFile } from '../../kernel/cli/read-json.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { changeControlsBy } from './change-controls.ts'

/** `muster controls show` */
export const controlsShow = defineCommand({
  name: 'controls show',
  summary: 'Print the controls of an organization: protections, banners, extension lists and thresholds',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: 'Example:\n  muster controls show > controls.json',
  async run(context, { options }) {
    const controls = await withStore(context.config(), async (db) =>
      readControls(db, (await organizationNamed(db, options.org)).no),
    )
    if (context.json) context.printJson(controls)
    else context.print(JSON.stringify(controls, null, 2))
  },
})

/** `muster controls set` */
export const controlsSet = defineCommand({
  name: 'controls set',
  summary: 'Change the controls of an organization; browsers apply them at their next check-in',
  json: true,
  positionals: [
    { name: 'FILE', help: 'JSON with the members to change, or - for standard input', required: true },
  ],
  options: { org: orgOption },
  details: `Members that are not named stay unchanged; lists are replaced as a whole.

Examples:
  muster controls set controls.json
  echo '{"clonedLoginPages": {"mode": "BLOCK"}}' | muster controls set -`,
  async run(context, { options, words: [path = ''] }) {
    const change = await readJsonFile(context, path)
    const controls = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      return db.inTransaction((tx) => changeControlsBy(tx, no, change, cliAuditContext()))
    }).catch((error: unknown) => {
      throw error instanceof ApiError ? mistakesOf(path, error) : error
    })
    if (context.json) context.printJson(controls)
    else context.note('Changed the controls. Print them with muster controls show.')
  },
})
