import type { Config } from '../../kernel/config/config.ts'
import type { SettingName } from '../../kernel/config/config-settings.ts'
import { type AddressGuard, addressGuard } from '../webhooks/delivery/address-guard.ts'
import { hostResolver } from '../webhooks/delivery/resolve-host.ts'

/**
 * Runs a check of a server with the guard that applies to servers set in the console; without one for those of the operator.
 *
 * @param name setting with the server
 */
export async function withOwnGuard<T>(
  config: Config,
  name: SettingName,
  check: (guard: AddressGuard | undefined) => Promise<T>,
): Promise<T> {
  if (config.sources[name] !== 'console') return check(undefined)
  const resolver = hostResolver()
  try {
    return await check(addressGuard({ allowPrivate: config.webhooksAllowPrivate }, resolver))
  } finally {
    resolver.close()
  }
}
