import { type Incident, incidents } from '@muster/contract/console/incidents/incident'
import { incidentRules } from '@muster/contract/console/incidents/incident-rules'
import { type Detection, detections, detectionTypes, severities } from '@muster/contract/records/detection'
import { findRecords } from '../../kernel/store/find-records.ts'
import { getRecordsByIds, insertRecords, removeRecord, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { type DetectionFacts, factsOf, groupDetections } from './incident-groups.rules.ts'
import {
  addMemberCounts,
  addPeople,
  countPeople,
  hasPeople,
  type Member,
  type MemberChange,
  type MemberCount,
  readCounts,
  readFirstMember,
  readMembers,
  readPlace,
  removeMembers,
  type SiteWeek,
  writeMembers,
} from './incident-members.store.ts'
import { manyPeopleId } from './many-people-id.ts'

/** A member before and after a change. */
interface Change {
  readonly before: Member | undefined
  readonly after: Member | undefined
}

/**
 * Puts detections that were added, changed or removed into their incidents, and computes the figures of these incidents.
 * Reads only the detections of the same people on the same site and in the same week, except when people become many or few.
 * Only one transaction may do this at a time.
 */
export async function regroupDetections(tx: Tx, org: number, detectionIds: readonly string[]): Promise<void> {
  const changes = await changedMembers(tx, org, detectionIds)
  if (changes.size === 0) return
  const places = placesOf([...changes.values()])
  const wereMany = new Set<string>()
  for (const [key, place] of places)
    if (await hasPeople(tx, org, place, incidentRules.people)) wereMany.add(key)

  const all = [...changes.values()]
  await removeMembers(
    tx,
    org,
    all.flatMap(({ before, after }) => (before && !after ? [before.detectionId] : [])),
  )
  await writeMembers(
    tx,
    org,
    all.flatMap(({ after }) => after ?? []),
  )
  await addPeople(tx, org, differences(all))

  for (const [key, place] of places) {
    const isMany = await hasPeople(tx, org, place, incidentRules.people)
    const employeeIds = isMany === wereMany.has(key) ? employeesAt(place, all) : undefined
    const members = await readPlace(tx, org, place, employeeIds)
    const groups = groupDetections(members, isMany ? manyPeopleId(place) : undefined)
    const moved = members.flatMap((before) => {
      const incidentId = groups.get(before.detectionId) ?? before.detectionId
      return incidentId === before.incidentId ? [] : [{ before, after: { ...before, incidentId } }]
    })
    await writeMembers(
      tx,
      org,
      moved.map(({ after }) => after),
    )
    for (const { before, after } of moved) {
      const known = changes.get(after.detectionId)
      changes.set(after.detectionId, { before: known ? known.before : before, after })
    }
  }
  const done = [...changes.values()]
  await addMemberCounts(tx, org, differences(done))
  const touched = done.flatMap(({ before, after }) => [before?.incidentId ?? '', after?.incidentId ?? ''])
  await writeIncidents(tx, org, [...new Set(touched)].filter(Boolean))
}

/** Returns the detections that differ from their members. A new member has no incident yet. */
async function changedMembers(
  tx: Tx,
  org: number,
  detectionIds: readonly string[],
): Promise<Map<string, Change>> {
  const ids = [...new Set(detectionIds)]
  const known = new Map((await readMembers(tx, org, ids)).map((one) => [one.detectionId, one]))
  const found = await findRecords(tx, detections, org, 'id', ids)
  const facts = new Map(found.map((one) => [one.id, factsOf(one)]))
  const changes = new Map<string, Change>()
  for (const id of ids) {
    const before = known.get(id)
    const now = facts.get(id)
    if (!before && !now) continue
    if (before && now && isSame(before, now)) continue
    const stays = before && now && before.site === now.site && before.week === now.week
    changes.set(id, { before, after: now && { ...now, incidentId: stays ? before.incidentId : '' } })
  }
  return changes
}

const isSame = (member: Member, facts: DetectionFacts): boolean =>
  Object.entries(facts).every(([name, value]) => member[name as keyof DetectionFacts] === value)

const placeKey = ({ site, week }: SiteWeek): string => `${week} ${site}`

const placesOf = (changes: readonly Change[]): ReadonlyMap<string, SiteWeek> =>
  new Map(
    changes
      .flatMap(({ before, after }) => [before, after])
      .flatMap((member) => (member ? [[placeKey(member), member] as const] : [])),
  )

const employeesAt = (place: SiteWeek, changes: readonly Change[]): readonly string[] => {
  const members = changes.flatMap(({ before, after }) => [before, after])
  const here = members.filter((member) => member && placeKey(member) === placeKey(place))
  return [...new Set(here.flatMap((member) => member?.employeeId ?? []))]
}

const differences = (changes: readonly Change[]): MemberChange[] =>
  changes.flatMap(({ before, after }): MemberChange[] => [
    ...(before ? [[before, -1] as const] : []),
    ...(after ? [[after, 1] as const] : []),
  ])

/** Writes the records of incidents. Those without a detection are removed. */
async function writeIncidents(tx: Tx, org: number, ids: readonly string[]): Promise<void> {
  const counts = Map.groupBy(await readCounts(tx, org, ids), ({ incidentId }) => incidentId)
  const stored = new Map((await getRecordsByIds(tx, incidents, org, ids)).map((one) => [one.id, one]))
  const added: Incident[] = []
  for (const id of ids) {
    const before = stored.get(id)
    const record = await composeIncident(tx, org, id, counts.get(id) ?? [])
    const isMoved = before && record && before.record.creationTimestamp !== record.creationTimestamp
    // The position in lists follows from the time of creation.
    if (before && (!record || isMoved)) await removeRecord(tx, incidents, org, before)
    else if (before && record) await updateRecord(tx, incidents, org, before, { record })
    if (record && (!before || isMoved)) added.push(record)
  }
  await insertRecords(
    tx,
    incidents,
    org,
    added.map((record) => ({ id: record.id, record, createdAtSeconds: record.creationTimestamp })),
  )
}

async function composeIncident(
  tx: Tx,
  org: number,
  id: string,
  counts: readonly MemberCount[],
): Promise<Incident | undefined> {
  const first = await readFirstMember(tx, org, id)
  if (!first) return undefined
  const isMany = id === manyPeopleId(first)
  const sum = (some: readonly MemberCount[]) => some.reduce((all, { detections: one }) => all + one, 0)
  const openDetections = sum(counts.filter(({ open }) => open === 1))
  const has = (of: (one: MemberCount) => string) => new Set(counts.map(of))
  const types = has(({ detectionType }) => detectionType)
  const found = has(({ severity }) => severity)
  return {
    id,
    kind: isMany ? 'MANY_PEOPLE' : 'ONE_PERSON',
    status: openDetections > 0 ? 'OPEN' : 'CLOSED',
    severity: severities.findLast((severity) => found.has(severity)) ?? first.severity,
    detectionTypes: detectionTypes.filter((type: Detection['detectionType']) => types.has(type)),
    site: first.site || null,
    employeeId: isMany ? null : first.employeeId,
    people: isMany ? await countPeople(tx, org, first) : 1,
    detections: sum(counts),
    openDetections,
    creationTimestamp: first.firstTimestamp,
    lastActivityTimestamp: first.latest,
  }
}
