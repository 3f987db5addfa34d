import { accounts } from '@muster/contract/account'
import type { AgentEvent } from '@muster/contract/agent-event'
import { muteChanges } from '../../kernel/events/outbox.ts'
import { clearObservedState } from '../../kernel/store/derived-rows.ts'
import { getRecord, getRecordsByIds } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { type AccountOperation, forgetAccount, removeLoginMethod } from '../accounts/account-operations.ts'
import type { OrgSettings } from '../agents/org-settings.ts'
import { evaluateTimeFindings, type TimePassed } from '../findings/time-findings.ts'
import { type AdminDecisions, restoreDecidedApps, readAdminDecisions } from './admin-decisions.ts'
import { removeDerivedRecords } from './derived-records.ts'
import { lockPeople, project } from './project.ts'
import { readRawBatches } from './raw-event-batches.store.ts'
import type { StoredBatch } from './raw-events.service.ts'

/** What a replay has done. */
export interface ReplayOutcome {
  /** Records that were removed, to be made anew. */
  readonly removed: number
  readonly batches: number
  readonly events: number
}

/**
 * Makes the inventory of an organization anew from the raw events that are kept, in their order, each at the time when
 * it was received: as if it had only now been decided what follows from them. What administrators did to accounts, and
 * what the passing of time has brought, is done again in its place.
 *
 * Removed is what those events have made, to the record: its id follows from one of them. What was imported, or came from
 * events that are not kept any more, stays and takes in what the events say. Nothing else may write meanwhile.
 */
export async function replay(
  tx: Tx,
  org: number,
  { terms, publicUrl }: { terms: OrgSettings; publicUrl: string },
): Promise<ReplayOutcome> {
  // Those who were told of what is made anew know it by the same ids; months of it at once are no news.
  muteChanges(tx)
  const kept = await readAdminDecisions(tx, org)
  let [removed, walked] = [0, 0]
  const forgotten: string[] = []
  for await (const part of readRawBatches(tx, org)) {
    walked += part.length
    for (const batch of part) {
      removed += await removeDerivedRecords(tx, batch)
      for (const done of actsOf(batch)) if (done.kind === 'ACCOUNT_FORGOTTEN') forgotten.push(done.accountId)
    }
  }
  if (walked === 0) return { removed: 0, batches: 0, events: 0 }
  // An account that was forgotten and is there came again since, with an import.
  const cameAgain = new Set((await getRecordsByIds(tx, accounts, org, forgotten)).map(({ id }) => id))
  await clearObservedState(tx, org)
  let batches = 0
  let events = 0
  for await (const part of readRawBatches(tx, org)) {
    for (const batch of part) {
      if (batch.browserId === '') await act(tx, batch, terms, cameAgain)
      else {
        await again(tx, batch, { terms, publicUrl, kept })
        batches += 1
        events += batch.events.length
      }
    }
  }
  await restoreDecidedApps(tx, org, kept)
  return { removed, batches, events }
}

async function again(
  tx: Tx,
  batch: StoredBatch,
  options: { terms: OrgSettings; publicUrl: string; kept: AdminDecisions },
): Promise<void> {
  const people = await lockPeople(tx, batch.org, batch.employeeId, batch.browserId)
  if (!people) return
  const events = batch.events.map(({ text }) => JSON.parse(text) as AgentEvent)
  const write = await project(tx, { ...batch, events }, people, options)
  await write()
}

/** What was done to the inventory otherwise than by events, if that is what the batch keeps. */
const actsOf = ({ browserId, events }: StoredBatch): (AccountOperation | TimePassed)[] =>
  browserId === '' ? events.map(({ text }) => JSON.parse(text) as AccountOperation | TimePassed) : []

async function act(tx: Tx, batch: StoredBatch, terms: OrgSettings, cameAgain: ReadonlySet<string>): Promise<void> {
  const { org, receivedMs } = batch
  const nowSeconds = Math.floor(receivedMs / 1000)
  for (const done of actsOf(batch)) {
    if (done.kind === 'TIME_PASSED') {
      await evaluateTimeFindings(tx, org, done.accountIds, terms, receivedMs)
      continue
    }
    const account = await getRecord(tx, accounts, org, done.accountId)
    if (!account) continue
    if (done.kind === 'ACCOUNT_FORGOTTEN') {
      if (!cameAgain.has(account.id)) await forgetAccount(tx, org, account, nowSeconds)
    } else await removeLoginMethod(tx, org, account, done.loginMethod, nowSeconds)
  }
}
