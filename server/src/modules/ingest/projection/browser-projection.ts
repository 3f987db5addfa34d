import type { ExtensionsEvent } from '@muster/contract/agent/agent-event'
import { browsers } from '@muster/contract/records/browser'
import { type BrowserExtension, browserExtensions } from '@muster/contract/records/browser-extension'
import { draftOf, newDraft, writeDrafts } from '../../../kernel/store/record-drafts.ts'
import { getRecordsByValues, removeRecord, type Stored } from '../../../kernel/store/records.ts'
import { type BatchContext, derivedIdFor, eventsOf, ownerIn } from '../batch-context.ts'
import { changedExtension, newExtension, withFacts, withLastOnline } from './browser.rules.ts'

/**
 * Projects a batch to the records of its browser and extensions. Facts older than the stored ones are
 * ignored.
 *
 * @returns a function that writes the changes
 */
export async function projectBrowser(context: BatchContext): Promise<() => Promise<void>> {
  const { tx, batch, browser, nowSeconds } = context
  if (browser === undefined) return async () => undefined
  // A replay is not a sign of life.
  if (!context.replayedDecisions) browser.record = withLastOnline(browser.record, nowSeconds)
  for (const heartbeat of eventsOf(context, 'HEARTBEAT')) {
    if (heartbeat.timestamp < Number(browser.internal.factsTimestamp ?? 0)) continue
    browser.record = withFacts(browser.record, heartbeat)
    browser.internal = { ...browser.internal, factsTimestamp: heartbeat.timestamp }
  }
  const lists = eventsOf(context, 'EXTENSIONS')
  const last = lists.at(-1)
  const isNewer = last !== undefined && last.timestamp >= Number(browser.internal.extensionsTimestamp ?? 0)
  if (isNewer) browser.internal = { ...browser.internal, extensionsTimestamp: last.timestamp }
  const writeExtensions = isNewer ? await projectExtensions(context, last) : async () => undefined
  return async () => {
    await writeDrafts(tx, browsers, batch.org, [browser], nowSeconds)
    await writeExtensions()
  }
}

async function projectExtensions(
  context: BatchContext,
  event: ExtensionsEvent,
): Promise<() => Promise<void>> {
  const { tx, batch, primary, nowSeconds } = context
  const { org, browserId } = batch
  const stored = await getRecordsByValues(tx, browserExtensions, org, 'browserId', [browserId])
  const known = new Map(stored.map((one) => [one.record.extensionId, one]))
  const listed = new Map(event.extensions.map((facts) => [facts.extensionId, facts]))
  const drafts = [...listed.values()].map((facts) => {
    const before = known.get(facts.extensionId)
    if (before) {
      const draft = draftOf(before)
      draft.record = changedExtension(before.record, facts, nowSeconds)
      return draft
    }
    const id = derivedIdFor(context, event, 'browserExtension', facts.extensionId)
    const record = newExtension({ id, employeeId: primary.id, browserId }, facts, nowSeconds)
    return newDraft<BrowserExtension>(id, record, { owner: ownerIn(context) })
  })
  const removed: Stored<BrowserExtension>[] = stored.filter(({ record }) => !listed.has(record.extensionId))
  return async () => {
    for (const one of removed) await removeRecord(tx, browserExtensions, org, one)
    await writeDrafts(tx, browserExtensions, org, drafts, nowSeconds)
  }
}
