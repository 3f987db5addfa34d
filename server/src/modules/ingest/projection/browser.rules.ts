import type { BrowserFacts, ExtensionFacts, HeartbeatEvent } from '@muster/contract/agent/agent-event'
import type { Browser } from '@muster/contract/records/browser'
import type { BrowserExtension } from '@muster/contract/records/browser-extension'
import { httpUrl } from '../../../kernel/lib/net/http-url.ts'
import { profileAddress } from '../../agents/enroll.rules.ts'

/** Returns an active browser that was just online. Every batch counts. */
export const withLastOnline = (browser: Browser, nowSeconds: number): Browser => ({
  ...browser,
  isActive: true,
  lastOnlineTimestamp: Math.max(browser.lastOnlineTimestamp, nowSeconds),
})

const factsOf = (facts: BrowserFacts): Partial<Browser> => ({
  version: facts.version,
  browser: facts.browser,
  os: facts.os,
  extensionVersion: facts.extensionVersion,
  language: facts.language,
  profileEmail: profileAddress(facts),
  profileSyncEnabled: facts.profileSyncEnabled,
})

/** Returns the browser with the facts of a heartbeat. */
export const withFacts = (browser: Browser, heartbeat: HeartbeatEvent): Browser => ({
  ...browser,
  ...factsOf(heartbeat),
})

/** IDs of the record of an extension. */
export interface ExtensionIds {
  readonly id: string
  readonly employeeId: string
  readonly browserId: string
}

/** Returns the record of a newly installed extension. */
export const newExtension = (
  { id, employeeId, browserId }: ExtensionIds,
  facts: ExtensionFacts,
  nowSeconds: number,
): BrowserExtension => ({
  id,
  extensionId: facts.extensionId,
  employeeId,
  browserId,
  name: facts.name,
  description: facts.description,
  deploymentMode: facts.deploymentMode,
  permissions: facts.permissions,
  hostPermissions: facts.hostPermissions,
  version: facts.version,
  versionName: facts.versionName,
  enabled: facts.enabled,
  disabledReason: facts.disabledReason,
  updateUrl: facts.updateUrl,
  homePageUrl: httpUrl(facts.homePageUrl),
  creationTimestamp: nowSeconds,
  lastUpdatedTimestamp: nowSeconds,
})

/** Returns the record with new facts; the same object if nothing changed. */
export function changedExtension(
  known: BrowserExtension,
  facts: ExtensionFacts,
  nowSeconds: number,
): BrowserExtension {
  const { employeeId, browserId, id, creationTimestamp } = known
  const next = newExtension({ id, employeeId, browserId }, facts, creationTimestamp)
  const unchanged = { ...next, lastUpdatedTimestamp: known.lastUpdatedTimestamp }
  if (JSON.stringify(unchanged) === JSON.stringify(known)) return known
  return { ...next, lastUpdatedTimestamp: nowSeconds }
}
