import { ManagedConfiguration } from '@muster/contract/agent-enrollment'
import { matches } from '@muster/contract/matches'
import { browser } from 'wxt/browser'

/**
 * What device management has set (`storage.managed`); empty where it has set nothing, or nothing that can be read:
 * Firefox throws where there is no managed storage.
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
