import { typedName } from '@muster/contract/api/fields'
import { defineCommand } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import { listOrganizations, type Organization } from '../../kernel/organizations/organizations.ts'
import { addOrganizationNamed, checkOrganizationName } from './add-organization.ts'

const toJson = ({ id, name, creationTimestamp }: Organization) => ({ id, name, creationTimestamp })

/** `muster org add` */
export const orgAdd = defineCommand({
  name: 'org add',
  summary: "Add an organization, isolated from the others' keys and data",
  json: true,
  positionals: [
    {
      name: 'NAME',
      help: 'name of the organization: letters, digits, dots, dashes and underscores',
      required: true,
      schema: typedName('The name.', 'emea', 64),
    },
  ],
  options: {},
  details:
    'Example:\n  muster org add emea\n  muster keys create --org emea --name siem --holder ada@example.com --permission read-only',
  async run(context, { words: [name = ''] }) {
    checkOrganizationName('NAME', name)
    const organization = await withStore(context.config(), (db) => addOrganizationNamed(db, name))
    if (context.json) context.printJson(toJson(organization))
    else context.print(`Added the organization ${name} (${organization.id}).`)
  },
})

/** `muster org list` */
export const orgList = defineCommand({
  name: 'org list',
  summary: 'List the organizations',
  needsStore: true,
  json: true,
  options: {},
  details: 'Example:\n  muster org list --json',
  async run(context) {
    const all = await withStore(context.config(), listOrganizations)
    if (context.json) return context.printJson(all.map(toJson))
    const rows = all.map(({ id, name, creationTimestamp }) => [id, name, momentText(creationTimestamp)])
    context.print(textTable(['ID', 'NAME', 'CREATED'], rows))
  },
})
