import { type Incident, incidents } from '@muster/contract/console/incidents/incident'
import type { WorkList } from '@muster/contract/console/work/work-fields'
import { type Finding, findings } from '@muster/contract/records/finding'
import { uiActor } from '../../kernel/http/actor.ts'
import { type SeededRandom, seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { listSorted, scanInCreationOrder } from '../../kernel/query/sorted-list.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { changeIncident, readPosition } from '../incidents/change-incident.ts'
import { groupMarkedDetections } from '../incidents/incidents-job.ts'
import { addNote, changeWork, type WorkBy } from '../work/change-work.ts'
import type { NamedChange } from '../work/work.rules.ts'
import type { Colleague } from './demo-colleagues.ts'
import { daySeconds, offices } from './workforce/company.ts'

const notes = [
  'Talked on the phone, will do it this week.',
  'On vacation until Monday.',
  'Sent the guide for our password manager.',
  'The app has no second factor. Asked the vendor.',
  'Moves to single sign-on with the rest of the team.',
  'Waits for a new phone for the authenticator app.',
] as const

const reasons = [
  'The app is replaced by the end of the quarter.',
  'Read-only test account without company data.',
  'Few people use it, and its access is reviewed every quarter.',
] as const

/** Shares of the new records that are worked on. */
const shares = { snoozed: 0.06, accepted: 0.02, assigned: 0.12, noted: 0.02 }
const atOnce = 100

/** Work of the company's administrators. Times must be given in order. */
export interface DemoWork {
  /** Snoozes, accepts, assigns and comments some of the findings that were opened in a period. */
  onFindings(fromSeconds: number, nowSeconds: number): Promise<void>
  /** Assigns detections. */
  assignDetections(ids: readonly string[], nowSeconds: number): Promise<void>
  /** Comments the last open incident of many people. */
  onCampaign(nowSeconds: number): Promise<void>
}

export function demoWork(db: Db, colleagues: readonly Colleague[], seed: number): DemoWork {
  const random = seededRandom(seed + 7)
  const workers = colleagues.filter(({ role }) => role !== 'READ_ONLY')
  const change = async (list: WorkList, ids: readonly string[], by: WorkBy, change: NamedChange) => {
    for (let from = 0; from < ids.length; from += atOnce)
      await db.inTransaction((tx) => changeWork(tx, by, list, ids.slice(from, from + atOnce), change))
  }
  const assign = async (list: WorkList, ids: readonly string[], nowSeconds: number) => {
    const byAssignee = Map.groupBy(ids, () => random.pick(workers))
    for (const [assignee, own] of byAssignee) {
      const by = authorAt(random.pick(workers), nowSeconds)
      await change(list, own, by, { assigneeId: assignee.id, assigneeName: assignee.name })
    }
  }
  return {
    async onFindings(fromSeconds, nowSeconds) {
      const opened = await openedBetween(db, workers, fromSeconds, nowSeconds)
      const { snoozed, accepted, assigned, noted } = chosenOf(random, opened)
      const by = authorAt(random.pick(workers), nowSeconds)
      for (const [ids, status, days, texts] of [
        [snoozed, 'SNOOZED', 7, notes],
        [accepted, 'RISK_ACCEPTED', 60, reasons],
      ] as const)
        for (let from = 0; from < ids.length; from += 10)
          await change('findings', ids.slice(from, from + 10), by, {
            status,
            untilTimestamp: nowSeconds + (days + random.below(2 * days)) * daySeconds,
            reason: random.pick(texts),
            assigneeName: null,
          })
      await assign('findings', assigned, nowSeconds)
      for (const id of noted)
        await addNote(db, authorAt(random.pick(workers), nowSeconds), id, random.pick(notes))
    },
    assignDetections: (ids, nowSeconds) => assign('detections', ids, nowSeconds),
    async onCampaign(nowSeconds) {
      await groupMarkedDetections(db)
      const colleague = random.pick(workers)
      const id = await lastCampaign(db, colleague.org)
      const note = 'Told everybody in the chat. Asked those who entered a password to change it.'
      if (id) await changeIncident(db, authorAt(colleague, nowSeconds), id, { note }, readPosition(undefined))
    },
  }
}

/** Returns the IDs of the open findings that were first seen in a period. */
async function openedBetween(
  db: Db,
  [first]: readonly Colleague[],
  fromSeconds: number,
  nowSeconds: number,
): Promise<string[]> {
  if (!first) return []
  const filters = { state: 'OPEN', creationTimestampAfter: fromSeconds, creationTimestampBefore: nowSeconds }
  const sort = { member: 'creationTimestamp', descending: false }
  const ids: string[] = []
  for await (const texts of scanInCreationOrder(
    db,
    { collection: findings, org: first.org, filters, sort },
    500,
  ))
    ids.push(...texts.map((text) => (JSON.parse(text) as Finding).id))
  return ids
}

/** Returns the ID of the last open incident of many people; undefined if there is none. */
async function lastCampaign(db: Db, org: number): Promise<string | undefined> {
  const sort = { member: 'lastActivityTimestamp', descending: true }
  const filters = { kind: 'MANY_PEOPLE', status: 'OPEN' }
  const { records } = await listSorted(db, {
    collection: incidents,
    org,
    filters,
    sort,
    cursor: undefined,
    limit: 1,
  })
  return records.map((text) => (JSON.parse(text) as Incident).id)[0]
}

type WorkKind = keyof typeof shares

/** Divides records by what is done with them. */
function chosenOf(
  random: SeededRandom,
  ids: readonly string[],
): Readonly<Record<WorkKind, readonly string[]>> {
  const chosen: Record<WorkKind, string[]> = { snoozed: [], accepted: [], assigned: [], noted: [] }
  for (const id of ids) {
    let left = random.fraction()
    for (const kind of Object.keys(shares) as WorkKind[]) {
      if (left >= 0 && left < shares[kind]) chosen[kind].push(id)
      left -= shares[kind]
    }
  }
  return chosen
}

/** Returns an administrator at work. */
function authorAt(colleague: Colleague, nowSeconds: number): WorkBy {
  const origin = { address: offices[0]?.address ?? '', userAgent: null }
  return { administrator: colleague, audit: { actor: uiActor(colleague, origin), timestamp: nowSeconds } }
}
