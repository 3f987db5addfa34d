import type { AgentEvent } from '@muster/contract/agent/agent-event'
import { accounts } from '@muster/contract/records/account'
import { muteChanges } from '../../kernel/events/outbox.ts'
import { clearObservedState } from '../../kernel/store/derived-rows.ts'
import { getRecord, getRecordsByIds } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { type AccountOperation, forgetAccount, removeLoginMethod } from '../accounts/account-operations.ts'
import type { OrgSettings } from '../agents/org-settings.ts'
import { evaluateTimeFindings, type TimePassed } from '../findings/time-findings.ts'
import { keepingWork } from '../work/kept-work.service.ts'
import { type AdminDecisions, readAdminDecisions, restoreDecidedApps } from './admin-decisions.ts'
import { removeDerivedRecords } from './derived-records.ts'
import { lockSender, project } from './project.ts'
import { readRawBatches } from './raw-event-batches.store.ts'
import type { StoredBatch } from './raw-events.service.ts'

export interface ReplayOutcome {
  /** Records that were removed before the replay. */
  readonly removed: number
  readonly batches: number
  readonly events: number
}

/**
 * Recreates the inventory of an organization from the stored raw events, in order, each at its time of
 * receipt, with the current rules, thresholds and products. Operations of administrators and evaluations by
 * time are repeated in order.
 *
 * Removes exactly the records whose IDs derive from a stored event. Imported records, and records from events
 * that are no longer stored, stay and are updated by the events. Work of administrators on findings and detections is kept.
 * Nothing else may write meanwhile.
 */
export const replay = (tx: Tx, org: number, options: ReplayOptions): Promise<ReplayOutcome> =>
  keepingWork(tx, org, () => recreateInventory(tx, org, options))

interface ReplayOptions {
  readonly settings: OrgSettings
  readonly publicUrl: string
}

async function recreateInventory(
  tx: Tx,
  org: number,
  { settings, publicUrl }: ReplayOptions,
): Promise<ReplayOutcome> {
  // Emit no events: subscribers already received them for records with the same IDs.
  muteChanges(tx)
  const decisions = await readAdminDecisions(tx, org)
  let removed = 0
  let stored = 0
  const forgotten: string[] = []
  for await (const part of readRawBatches(tx, org)) {
    stored += part.length
    for (const batch of part) {
      removed += await removeDerivedRecords(tx, batch)
      for (const operation of operationsIn(batch))
        if (operation.kind === 'ACCOUNT_FORGOTTEN') forgotten.push(operation.accountId)
    }
  }
  if (stored === 0) return { removed: 0, batches: 0, events: 0 }
  // Forgotten accounts that exist now came back with an import.
  const reimported = new Set((await getRecordsByIds(tx, accounts, org, forgotten)).map(({ id }) => id))
  await clearObservedState(tx, org)
  let batches = 0
  let events = 0
  for await (const part of readRawBatches(tx, org)) {
    for (const batch of part) {
      if (batch.browserId === '') await replayOperations(tx, batch, settings, reimported)
      else {
        await replayBatch(tx, batch, { settings, publicUrl, decisions })
        batches += 1
        events += batch.events.length
      }
    }
  }
  await restoreDecidedApps(tx, org, decisions)
  return { removed, batches, events }
}

async function replayBatch(
  tx: Tx,
  batch: StoredBatch,
  options: { settings: OrgSettings; publicUrl: string; decisions: AdminDecisions },
): Promise<void> {
  const sender = await lockSender(tx, batch.org, batch.employeeId, batch.browserId)
  if (!sender) return
  const events = batch.events.map(({ text }) => JSON.parse(text) as AgentEvent)
  const write = await project(tx, { ...batch, events }, sender, options)
  await write()
}

/** Returns the stored operations of a batch; none for a batch of agent events. */
const operationsIn = ({ browserId, events }: StoredBatch): (AccountOperation | TimePassed)[] =>
  browserId === '' ? events.map(({ text }) => JSON.parse(text) as AccountOperation | TimePassed) : []

async function replayOperations(
  tx: Tx,
  batch: StoredBatch,
  settings: OrgSettings,
  reimported: ReadonlySet<string>,
): Promise<void> {
  const { org, receivedMs } = batch
  const nowSeconds = Math.floor(receivedMs / 1000)
  for (const operation of operationsIn(batch)) {
    if (operation.kind === 'TIME_PASSED') {
      await evaluateTimeFindings(tx, org, operation.accountIds, settings, receivedMs)
      continue
    }
    const account = await getRecord(tx, accounts, org, operation.accountId)
    if (!account) continue
    if (operation.kind === 'ACCOUNT_FORGOTTEN') {
      if (!reimported.has(account.id)) await forgetAccount(tx, org, account, nowSeconds)
    } else await removeLoginMethod(tx, org, account, operation.loginMethod, nowSeconds)
  }
}
