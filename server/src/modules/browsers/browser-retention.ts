import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections } from '@muster/contract/records/detection'
import { deleteBrowserCredentials } from '../../kernel/store/maintenance-queries.ts'
import { getRecord, recordsWhere, removeRecord, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { credentialOfBrowser } from './browser-credentials.service.ts'

/** Days without contact after which a browser is removed (domain contract, section 1). */
export const removedAfterDays = 90

/** Marks a browser as inactive, unless it reported since `before`. */
export async function setInactive(tx: Tx, org: number, id: string, before: number): Promise<void> {
  const stored = await getRecord(tx, browsers, org, id)
  if (!stored?.record.isActive || stored.record.lastOnlineTimestamp >= before) return
  await updateRecord(tx, browsers, org, stored, { record: { ...stored.record, isActive: false } })
}

/** Removes a browser, unless it reported or made a dormant call since `before`. */
export async function removeInactiveBrowser(
  tx: Tx,
  org: number,
  id: string,
  before: number,
): Promise<boolean> {
  const stored = await getRecord(tx, browsers, org, id)
  if (!stored || stored.record.lastOnlineTimestamp >= before) return false
  const credential = await credentialOfBrowser(tx, org, id)
  if ((credential?.dormantCallTimestamp ?? 0) >= before) return false
  await removeBrowser(tx, org, id)
  return true
}

/** Removes a browser with its extensions and credential. Its detections stay, without the browser. */
export async function removeBrowser(tx: Tx, org: number, id: string): Promise<void> {
  const stored = await getRecord(tx, browsers, org, id)
  for (const extension of await recordsWhere(tx, browserExtensions, org, 'browserId', id))
    await removeRecord(tx, browserExtensions, org, extension)
  for (const detection of await recordsWhere(tx, detections, org, 'browserId', id))
    await updateRecord(tx, detections, org, detection, { record: { ...detection.record, browserId: null } })
  if (stored) await removeRecord(tx, browsers, org, stored)
  await deleteBrowserCredentials(tx, org, [id])
}
