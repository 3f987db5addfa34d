import { type Incident, incidents } from '@muster/contract/console/incidents/incident'
import { type Finding, findings } from '@muster/contract/records/finding'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { listSorted, scanInCreationOrder } from '../../kernel/query/sorted-list.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { changeIncident, readPosition } from '../incidents/change-incident.ts'
import { groupMarkedDetections } from '../incidents/incidents-job.ts'
import { addNote, changeWork } from '../work/change-work.ts'
import { daySeconds } from './workforce/company.ts'

const notes = [
  'Talked on the phone, will do it this week.',
  'On vacation until Monday.',
  'Sent the guide for our password manager.',
  'The app has no second factor. Asked the vendor.',
] as const

const reasons = [
  'The app is replaced by the end of the quarter.',
  'Read-only test account without company data.',
  'Few people use it, and its access is reviewed every quarter.',
] as const

/** Snoozes, accepts and comments some of the open findings, as administrators of the company would have. */
export async function demoWork(
  { db, org }: { readonly db: Db; readonly org: number },
  seed: number,
  nowSeconds: number,
): Promise<void> {
  const random = seededRandom(seed + 7)
  const by = {
    administrator: { org, name: 'Robin Keller', email: '' },
    audit: { ...cliAuditContext(), timestamp: nowSeconds },
  }
  const snoozed: string[] = []
  const accepted: string[] = []
  const noted: string[] = []
  const sort = { member: 'creationTimestamp', descending: true }
  const request = { collection: findings, org, filters: { state: 'OPEN' }, sort }
  for await (const texts of scanInCreationOrder(db, request, 250)) {
    for (const text of texts) {
      const { id } = JSON.parse(text) as Finding
      if (random.chance(0.06)) snoozed.push(id)
      else if (random.chance(0.04)) accepted.push(id)
      if (noted.length < 60 && random.chance(0.05)) noted.push(id)
    }
  }
  const pause = async (ids: readonly string[], status: 'SNOOZED' | 'RISK_ACCEPTED', days: number) => {
    for (let from = 0; from < ids.length; from += 25) {
      const untilTimestamp = nowSeconds + (days + random.below(days)) * daySeconds
      const change = {
        status,
        untilTimestamp,
        reason: random.pick(status === 'SNOOZED' ? notes : reasons),
        assigneeName: null,
      }
      await db.inTransaction((tx) => changeWork(tx, by, 'findings', ids.slice(from, from + 25), change))
    }
  }
  await pause(snoozed, 'SNOOZED', 7)
  await pause(accepted, 'RISK_ACCEPTED', 60)
  for (const id of noted) await addNote(db, by, id, random.pick(notes))
  await groupMarkedDetections(db)
  const campaigns = await listSorted(db, {
    collection: incidents,
    org,
    filters: { kind: 'MANY_PEOPLE', status: 'OPEN' },
    sort: { member: 'lastActivityTimestamp', descending: true },
    cursor: undefined,
    limit: 1,
  })
  const note = 'Told everybody in the chat. Asked those who entered a password to change it.'
  for (const text of campaigns.records) {
    const { id } = JSON.parse(text) as Incident
    await changeIncident(db, by, id, { note }, readPosition(undefined))
  }
}
