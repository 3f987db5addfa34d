import type { BrowserFacts } from '@muster/contract/agent/agent-event'
import { browser } from 'wxt/browser'
import { type Brand, browserKind, operatingSystem } from './browser-kind.ts'

/** Client hints of Chromium-based browsers, also available in workers; not in the DOM types yet. */
interface UserAgentData {
  getHighEntropyValues(hints: readonly string[]): Promise<{ fullVersionList?: readonly Brand[] }>
}

/** Returns the facts of this browser for enrollment and heartbeats. */
export async function browserFacts(): Promise<BrowserFacts> {
  const { userAgentData } = navigator as Navigator & { userAgentData?: UserAgentData }
  const brands = (await userAgentData?.getHighEntropyValues(['fullVersionList']))?.fullVersionList ?? []
  const platform = await browser.runtime.getPlatformInfo()
  return {
    ...browserKind(brands, navigator.userAgent),
    os: operatingSystem(platform.os),
    extensionVersion: browser.runtime.getManifest().version,
    language: navigator.language || null,
    ...(await profileFacts()),
  }
}

/** Returns the address of the browser profile and whether it is synced. Firefox provides neither. */
async function profileFacts(): Promise<Pick<BrowserFacts, 'profileEmail' | 'profileSyncEnabled'>> {
  const identity = (browser as Partial<typeof browser>).identity
  if (!identity?.getProfileUserInfo) return { profileEmail: null, profileSyncEnabled: null }
  try {
    const [any, synced] = await Promise.all([
      identity.getProfileUserInfo({ accountStatus: 'ANY' }),
      identity.getProfileUserInfo({ accountStatus: 'SYNC' }),
    ])
    return { profileEmail: any.email || null, profileSyncEnabled: synced.email !== '' }
  } catch {
    return { profileEmail: null, profileSyncEnabled: null }
  }
}
