import type { ExtensionFacts } from '@muster/contract/agent-event'
import type { Browser } from 'wxt/browser'

type ExtensionInfo = Browser.management.ExtensionInfo

/** No more extensions than these are reported (contract: EXTENSIONS). */
const extensionsMaximum = 500

const deploymentModes: Readonly<Record<string, ExtensionFacts['deploymentMode']>> = {
  admin: 'MANAGED',
  normal: 'MANUAL',
  development: 'DEVELOPMENT',
  sideload: 'SIDELOAD',
}

/**
 * What is reported of the extensions that a browser lists: extensions only (no themes, no apps), without the agent
 * itself, in the order of their ids, within the contract's bounds.
 *
 * @param ownId id of the agent
 */
export function inventoryOf(listed: readonly ExtensionInfo[], ownId: string): ExtensionFacts[] {
  return listed
    .filter(({ id, type }) => type === 'extension' && id !== ownId)
    .map(extensionFacts)
    .sort((a, b) => (a.extensionId < b.extensionId ? -1 : 1))
    .slice(0, extensionsMaximum)
}

/** What is reported of one extension. */
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

/** A text as reports may carry it: bounded, without NUL, and with whole surrogate pairs. */
const clean = (text: string | undefined, lengthMaximum: number) =>
  (text ?? '').replaceAll('\0', '').slice(0, lengthMaximum).toWellFormed()

const texts = (list: readonly string[] | undefined, itemsMaximum: number, lengthMaximum: number) =>
  (list ?? []).slice(0, itemsMaximum).map((text) => clean(text, lengthMaximum))
