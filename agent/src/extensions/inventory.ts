import type { ExtensionFacts } from '@muster/contract/agent/agent-event'
import { browser } from 'wxt/browser'
import { sha256Hex } from '../lib/digest.ts'
import { report } from '../outbox/report-event.ts'
import { currentPolicy } from '../policy/policy-store.ts'
import { connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'
import { inventoryOf } from './extension-facts.ts'
import { extensionsToDisable, newThreats, type ReportedThreats } from './extension-threats.ts'

/** Browser ID and list digest of the last report. */
const reportedInventory = stored<string | null>('reportedInventory', null)
const reportedThreats = stored<ReportedThreats>('reportedThreats', {})

/** Pending check. Checks are serialized, so nothing is reported twice. */
let lastCheck: Promise<void> = Promise.resolve()

/**
 * Checks the extensions: disables those that the organization blocks, reports those on the list of bad extensions, and
 * reports the whole list if it changed.
 */
export function checkExtensions(): Promise<void> {
  lastCheck = lastCheck.catch(() => undefined).then(check)
  return lastCheck
}

/** Resets what was reported, so the next check reports everything. */
export function forgetReportedExtensions(): Promise<void> {
  lastCheck = lastCheck
    .catch(() => undefined)
    .then(async () => {
      await reportedInventory.change(() => null)
      await reportedThreats.change(() => ({}))
    })
  return lastCheck
}

async function check(): Promise<void> {
  const policy = await currentPolicy()
  const current = await connection.read()
  if (!policy || !current) return
  for (const id of extensionsToDisable(await listExtensions(), policy)) await disable(id)
  const extensions = await listExtensions()
  await reportInventory(extensions, current.browserId)
  const threats = newThreats(extensions, policy, await reportedThreats.read())
  for (const event of threats.events) await report(event)
  await reportedThreats.change(() => threats.reported)
}

async function listExtensions(): Promise<ExtensionFacts[]> {
  return inventoryOf(await browser.management.getAll(), browser.runtime.id)
}

/**
 * Disables an extension. Firefox does not allow this at all, and no browser does for extensions installed by device
 * management.
 */
async function disable(id: string): Promise<void> {
  try {
    await browser.management.setEnabled(id, false)
  } catch {
    // It stays enabled and is reported as enabled.
  }
}

async function reportInventory(extensions: readonly ExtensionFacts[], browserId: string): Promise<void> {
  const digest = await sha256Hex(JSON.stringify(extensions))
  const key = `${browserId} ${digest}`
  if ((await reportedInventory.read()) === key) return
  if (await report({ kind: 'EXTENSIONS', extensions: [...extensions] }))
    await reportedInventory.change(() => key)
}

/** Checks again whenever an extension is installed, removed, enabled or disabled. */
export function watchExtensions(): void {
  const { onInstalled, onUninstalled, onEnabled, onDisabled } = browser.management
  const checkAgain = () => void checkExtensions()
  onInstalled.addListener(checkAgain)
  onUninstalled.addListener(checkAgain)
  onEnabled.addListener(checkAgain)
  onDisabled.addListener(checkAgain)
}
