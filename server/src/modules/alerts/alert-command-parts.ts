import type { CommandContext } from '../../kernel/cli/command.ts'
import { organizationNamed, withStore } from '../../kernel/cli/with-store.ts'
import type { Config } from '../../kernel/config/config.ts'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import { configsInEffect } from '../settings/organization-configs.ts'

/** Positional argument with the ID of a rule. */
export const alertIdArgument = {
  name: 'ID',
  help: 'ID of the rule, as shown by muster alerts list',
  required: true,
} as const

/** Returns the settings in effect for an organization. */
export async function configOfOrganization(context: CommandContext, orgName: string): Promise<Config> {
  const config = context.config()
  const { no, name } = await withStore(config, (db) => organizationNamed(db, orgName))
  const { config: first, others } = await configsInEffect(config)
  const own = others.find(({ organization }) => organization === name)?.config
  return own ?? (no === firstOrganization ? first : config)
}

/** Returns the time zone of an organization. */
export const timeZoneOf = async (context: CommandContext, orgName: string): Promise<string> =>
  (await configOfOrganization(context, orgName)).timeZone
