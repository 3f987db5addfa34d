import type { BrowserFacts, ExtensionFacts, HeartbeatEvent } from '@muster/contract/agent-event'
import type { Browser } from '@muster/contract/browser'
import type { BrowserExtension } from '@muster/contract/browser-extension'
import { httpUrl } from '../../../kernel/lib/net/http-url.ts'
import { profileAddress } from '../../agents/enroll.rules.ts'

/** A browser that was heard from: any batch is a sign of life. */
export const heardFrom = (browser: Browser, nowSeconds: number): Browser => ({
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

/** The browser with the facts of a heartbeat. */
export const withFacts = (browser: Browser, heartbeat: HeartbeatEvent): Browser => ({
  ...browser,
  ...factsOf(heartbeat),
})

/** An extension as its record shows it. */
export interface ExtensionPlace {
  readonly id: string
  readonly employeeId: string
  readonly browserId: string
}

/** The record of an extension that was not there before. */
export const newExtension = (
  { id, employeeId, browserId }: ExtensionPlace,
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

/** The record with other facts; the same object if they are the same. */
export function changedExtension(
  known: BrowserExtension,
  facts: ExtensionFacts,
  nowSeconds: number,
): BrowserExtension {
  const { employeeId, browserId, id, creationTimestamp } = known
  const next = newExtension({ id, employeeId, browserId }, facts, creationTimestamp)
  const asBefore = { ...next, lastUpdatedTimestamp: known.lastUpdatedTimestamp }
  if (JSON.stringify(asBefore) === JSON.stringify(known)) return known
  return { ...next, lastUpdatedTimestamp: nowSeconds }
}
