import { ManagedConfiguration } from '@muster/contract/agent/agent-enrollment'
import { matches } from '@muster/contract/api/matches'
import { browser } from 'wxt/browser'

/**
 * Returns the settings of device management (`storage.managed`). Empty if there are none or they are not readable:
 * Firefox throws if there is no managed storage.
 */
export async function managedConfiguration(): Promise<ManagedConfiguration> {
  try {
    const set = await browser.storage.managed.get(null)
    const known = Object.fromEntries(
      Object.entries(set).filter(([key, value]) => key in ManagedConfiguration.properties && value !== ''),
    )
    return matches(ManagedConfiguration, known) ? known : {}
  } catch {
    return {}
  }
}
