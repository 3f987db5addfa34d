import type { Config } from '../../kernel/config/config.ts'
import { withStoredSettings } from '../../kernel/config/stored-settings.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import { existingMasterKey } from '../../kernel/store/lifecycle/master-key.ts'
import { readOrganizationSettings } from '../../kernel/store/lifecycle/organization-settings.ts'
import { openSettings } from './sealed-settings.ts'

/** Settings in effect for an organization. */
export interface OrganizationConfig {
  /** Name of the organization. */
  readonly organization: string
  readonly config: Config
}

/** Settings in effect, for the command line. */
export interface ConfigsInEffect {
  /** Settings of the first organization, and of the server. */
  readonly config: Config
  /** Other organizations that have settings of their own. */
  readonly others: readonly OrganizationConfig[]
}

/**
 * Adds the settings from the console to those of the operator. Works while a server uses the store, and does not change it.
 *
 * @throws StoreUnavailableError or the driver's error if the store cannot be read
 */
export async function configsInEffect(config: Config): Promise<ConfigsInEffect> {
  const rows = await readOrganizationSettings({ dataDir: config.data, databaseUrl: config.databaseUrl })
  const key = consoleKey(config)
  const found = [...Map.groupBy(rows, ({ org }) => org)].map(([org, own]) => {
    const stored = openSettings(own, key, () => undefined)
    const organization = own[0]?.organization ?? ''
    return { org, organization, config: withStoredSettings(config, stored, org === firstOrganization) }
  })
  return {
    config: found.find(({ org }) => org === firstOrganization)?.config ?? config,
    others: found.filter(({ org }) => org !== firstOrganization),
  }
}

function consoleKey({ data: dataDir, secretKey }: Config) {
  try {
    const master = existingMasterKey({ dataDir, secretKey })
    return master && deriveKeys(master).consoleSecrets
  } catch (error) {
    // An invalid key file is reported elsewhere.
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
