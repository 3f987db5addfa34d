import type { ExtensionFacts } from '@muster/contract/agent/agent-event'
import type { Browser } from 'wxt/browser'

type ExtensionInfo = Browser.management.ExtensionInfo

/** Maximum number of reported extensions (contract: EXTENSIONS). */
const extensionsMaximum = 500

const deploymentModes: Readonly<Record<string, ExtensionFacts['deploymentMode']>> = {
  admin: 'MANAGED',
  normal: 'MANUAL',
  development: 'DEVELOPMENT',
  sideload: 'SIDELOAD',
}

/**
 * Returns the extensions to report: no themes, no apps and not the agent itself, sorted by ID, within the contract's
 * limits.
 *
 * @param ownId extension ID of the agent
 */
export function inventoryOf(listed: readonly ExtensionInfo[], ownId: string): ExtensionFacts[] {
  return listed
    .filter(({ id, type }) => type === 'extension' && id !== ownId)
    .map(extensionFacts)
    .sort((a, b) => (a.extensionId < b.extensionId ? -1 : 1))
    .slice(0, extensionsMaximum)
}

/** Returns the reported facts of an extension. */
export function extensionFacts(info: ExtensionInfo): ExtensionFacts {
  return {
    extensionId: clean(info.id, 256),
    name: clean(info.name, 10_000),
    description: clean(info.description, 10_000),
    deploymentMode: deploymentModes[info.installType] ?? 'OTHER',
    permissions: texts(info.permissions, 1000, 2048),
    hostPermissions: texts(info.hostPermissions, 10_000, 4096),
    version: clean(info.version, 256),
    versionName: clean(info.versionName, 1024) || null,
    enabled: info.enabled,
    disabledReason: info.enabled ? null : clean(info.disabledReason, 1024) || null,
    updateUrl: clean(info.updateUrl, 8192) || null,
    homePageUrl: clean(info.homepageUrl, 8192) || null,
  }
}

/** Limits a text for reports: bounded length, no NUL, no unpaired surrogates. */
const clean = (text: string | undefined, lengthMaximum: number) =>
  (text ?? '').replaceAll('\0', '').slice(0, lengthMaximum).toWellFormed()

const texts = (list: readonly string[] | undefined, itemsMaximum: number, lengthMaximum: number) =>
  (list ?? []).slice(0, itemsMaximum).map((text) => clean(text, lengthMaximum))
