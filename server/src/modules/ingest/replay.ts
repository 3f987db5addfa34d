import { accounts } from '@muster/contract/account'
import type { AgentEvent } from '@muster/contract/agent-event'
import { muteChanges } from '../../kernel/events/outbox.ts'
import { forgetObservedStates } from '../../kernel/store/derived-rows.ts'
import { getRecord, getRecordsByIds } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { type AccountAct, forgetAccount, removeLoginMethod } from '../accounts/account-acts.ts'
import type { OrgTerms } from '../agents/org-terms.ts'
import { settleByTime, type TimeAct } from '../findings/time-findings.ts'
import { type KeptDecisions, putBackApps, readDecisions } from './kept-decisions.ts'
import { removeMade } from './made-records.ts'
import { lockPeople, project } from './project.ts'
import { walkRawBatches } from './raw-event-walk.store.ts'
import type { KeptBatch } from './raw-events.service.ts'

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
  { terms, publicUrl }: { terms: OrgTerms; publicUrl: string },
): Promise<ReplayOutcome> {
  // Those who were told of what is made anew know it by the same ids; months of it at once are no news.
  muteChanges(tx)
  const kept = await readDecisions(tx, org)
  let [removed, walked] = [0, 0]
  const forgotten: string[] = []
  for await (const part of walkRawBatches(tx, org)) {
    walked += part.length
    for (const batch of part) {
      removed += await removeMade(tx, batch)
      for (const done of actsOf(batch)) if (done.kind === 'ACCOUNT_FORGOTTEN') forgotten.push(done.accountId)
    }
  }
  if (walked === 0) return { removed: 0, batches: 0, events: 0 }
  // An account that was forgotten and is there came again since, with an import.
  const cameAgain = new Set((await getRecordsByIds(tx, accounts, org, forgotten)).map(({ id }) => id))
  await forgetObservedStates(tx, org)
  let batches = 0
  let events = 0
  for await (const part of walkRawBatches(tx, org)) {
    for (const batch of part) {
      if (batch.browserId === '') await act(tx, batch, terms, cameAgain)
      else {
        await again(tx, batch, { terms, publicUrl, kept })
        batches += 1
        events += batch.events.length
      }
    }
  }
  await putBackApps(tx, org, kept)
  return { removed, batches, events }
}

async function again(
  tx: Tx,
  batch: KeptBatch,
  options: { terms: OrgTerms; publicUrl: string; kept: KeptDecisions },
): Promise<void> {
  const people = await lockPeople(tx, batch.org, batch.employeeId, batch.browserId)
  if (!people) return
  const events = batch.events.map(({ text }) => JSON.parse(text) as AgentEvent)
  const write = await project(tx, { ...batch, events }, people, options)
  await write()
}

/** What was done to the inventory otherwise than by events, if that is what the batch keeps. */
const actsOf = ({ browserId, events }: KeptBatch): (AccountAct | TimeAct)[] =>
  browserId === '' ? events.map(({ text }) => JSON.parse(text) as AccountAct | TimeAct) : []

async function act(tx: Tx, batch: KeptBatch, terms: OrgTerms, cameAgain: ReadonlySet<string>): Promise<void> {
  const { org, receivedMs } = batch
  const nowSeconds = Math.floor(receivedMs / 1000)
  for (const done of actsOf(batch)) {
    if (done.kind === 'TIME_PASSED') {
      await settleByTime(tx, org, done.accountIds, terms, receivedMs)
      continue
    }
    const account = await getRecord(tx, accounts, org, done.accountId)
    if (!account) continue
    if (done.kind === 'ACCOUNT_FORGOTTEN') {
      if (!cameAgain.has(account.id)) await forgetAccount(tx, org, account, nowSeconds)
    } else await removeLoginMethod(tx, org, account, done.loginMethod, nowSeconds)
  }
}
