import type { ExtensionsEvent } from '@muster/contract/agent-event'
import { browsers } from '@muster/contract/browser'
import { type BrowserExtension, browserExtensions } from '@muster/contract/browser-extension'
import { draftOf, newDraft, writeDrafts } from '../../../kernel/store/record-drafts.ts'
import { getRecordsByValues, removeRecord, type Stored } from '../../../kernel/store/records.ts'
import { type BatchContext, eventsOf, idFrom, ownerIn } from '../batch-context.ts'
import { changedExtension, heardFrom, newExtension, withFacts } from './browser.rules.ts'

/**
 * Brings what a batch says of its browser into the browser's record and those of its extensions. Facts that come later
 * than newer ones change nothing.
 *
 * @returns writes what has changed
 */
export async function projectBrowser(context: BatchContext): Promise<() => Promise<void>> {
  const { tx, batch, browser, nowSeconds } = context
  if (browser === undefined) return async () => undefined
  // What is replayed is no news of the browser.
  if (!context.replayed) browser.record = heardFrom(browser.record, nowSeconds)
  for (const heartbeat of eventsOf(context, 'HEARTBEAT')) {
    if (heartbeat.timestamp < Number(browser.internal.factsTimestamp ?? 0)) continue
    browser.record = withFacts(browser.record, heartbeat)
    browser.internal = { ...browser.internal, factsTimestamp: heartbeat.timestamp }
  }
  const lists = eventsOf(context, 'EXTENSIONS')
  const last = lists.at(-1)
  const isNews = last !== undefined && last.timestamp >= Number(browser.internal.extensionsTimestamp ?? 0)
  if (isNews) browser.internal = { ...browser.internal, extensionsTimestamp: last.timestamp }
  const writeExtensions = isNews ? await projectExtensions(context, last) : async () => undefined
  return async () => {
    await writeDrafts(tx, browsers, batch.org, [browser], nowSeconds)
    await writeExtensions()
  }
}

async function projectExtensions(
  context: BatchContext,
  event: ExtensionsEvent,
): Promise<() => Promise<void>> {
  const { tx, batch, shown, nowSeconds } = context
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
    const id = idFrom(context, event, 'browserExtension', facts.extensionId)
    const record = newExtension({ id, employeeId: shown.id, browserId }, facts, nowSeconds)
    return newDraft<BrowserExtension>(id, record, { owner: ownerIn(context) })
  })
  const gone: Stored<BrowserExtension>[] = stored.filter(({ record }) => !listed.has(record.extensionId))
  return async () => {
    for (const one of gone) await removeRecord(tx, browserExtensions, org, one)
    await writeDrafts(tx, browserExtensions, org, drafts, nowSeconds)
  }
}
