import { accounts, usedBy } from '@muster/contract/account'
import { accountsOther } from '@muster/contract/account-other'
import type { AgentEvent } from '@muster/contract/agent-event'
import { apps } from '@muster/contract/app'
import { appsOther } from '@muster/contract/app-other'
import { browserExtensions } from '@muster/contract/browser-extension'
import type { Collection } from '@muster/contract/collection'
import { detections } from '@muster/contract/detection'
import { findings } from '@muster/contract/finding'
import { type AccountAct, forgetAccount, removeLoginMethod } from '../features/accounts/account-acts.ts'
import { isDerivedId } from '../lib/derived-id.ts'
import { forgetObservedStates, removeChosen } from '../storage/derived-rows.ts'
import { withoutEvents } from '../storage/outbox.ts'
import { msOfId } from '../storage/raw-event-tables.ts'
import { firstReceivedMs, walkRawBatches } from '../storage/raw-event-walk.ts'
import type { KeptBatch } from '../storage/raw-events.ts'
import { getRecord } from '../storage/records.ts'
import type { Tx } from '../storage/sql.ts'
import { type KeptDecisions, readDecisions } from './kept-decisions.ts'
import type { OrgTerms } from './org-terms.ts'
import { lockPeople, project } from './project.ts'
import { settleByTime, type TimeAct } from './time-findings.ts'

/** What a replay has done. */
export interface ReplayOutcome {
  /** Records that were removed, to be made anew. */
  readonly removed: number
  readonly batches: number
  readonly events: number
}

/** What only ingest makes. */
const observed: readonly Collection[] = [
  usedBy,
  findings,
  detections,
  accounts,
  accountsOther,
  browserExtensions,
  apps,
  appsOther,
]

/**
 * Makes the inventory of an organisation anew from the raw events that are kept, in their order, each at the time when
 * it was received: as if it had only now been decided what follows from them. What administrators did to accounts, and
 * what the passing of time has brought, is done again in its place.
 *
 * Emptied is what came from those events: records with an id that ingest has derived, of a time not before the oldest
 * event that is kept. What was imported, or is older, stays and takes in what the events say. Nothing else may write
 * meanwhile.
 */
export async function replay(
  tx: Tx,
  org: number,
  { terms, publicUrl }: { terms: OrgTerms; publicUrl: string },
): Promise<ReplayOutcome> {
  const first = await firstReceivedMs(tx, org)
  if (first === undefined) return { removed: 0, batches: 0, events: 0 }
  // Those who were told of what is made anew know it by the same ids; months of it at once are no news.
  withoutEvents(tx)
  const kept = await readDecisions(tx, org)
  let removed = 0
  // The row of an account's user begins with the id of the account.
  const isOurs = (id: string) => isDerivedId(id.slice(0, 36)) && msOfId(id) >= first
  for (const collection of observed) removed += await removeChosen(tx, collection, org, isOurs)
  await forgetObservedStates(tx, org)
  let batches = 0
  let events = 0
  for await (const part of walkRawBatches(tx, org)) {
    for (const batch of part) {
      if (batch.browserId === '') await act(tx, batch, terms)
      else {
        await again(tx, batch, { terms, publicUrl, kept })
        batches += 1
        events += batch.events.length
      }
    }
  }
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

async function act(tx: Tx, { org, receivedMs, events }: KeptBatch, terms: OrgTerms): Promise<void> {
  const nowSeconds = Math.floor(receivedMs / 1000)
  for (const { text } of events) {
    const done = JSON.parse(text) as AccountAct | TimeAct
    if (done.kind === 'TIME_PASSED') {
      await settleByTime(tx, org, done.accountIds, terms, receivedMs)
      continue
    }
    const account = await getRecord(tx, accounts, org, done.accountId)
    if (!account) continue
    if (done.kind === 'ACCOUNT_FORGOTTEN') await forgetAccount(tx, org, account, nowSeconds)
    else await removeLoginMethod(tx, org, account, done.loginMethod, nowSeconds)
  }
}
