import type { Detection } from '@muster/contract/records/detection'
import type { Param, Reader, Tx } from '../../kernel/store/sql.ts'
import type { DetectionFacts } from './incident-groups.rules.ts'

/** A detection as the job last saw it, and its incident. */
export interface Member extends DetectionFacts {
  readonly incidentId: string
}

/** Site and week: detections of different places never belong to one incident. */
export interface SiteWeek {
  readonly site: string
  readonly week: number
}

const columns = [
  'detection_id',
  'incident_id',
  'site',
  'week',
  'employee_id',
  'detection_type',
  'severity',
  'open',
  'spreads',
  'first_timestamp',
  'last_timestamp',
] as const

const selected = columns
  .map((name) => `m.${name} AS "${name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}"`)
  .join(', ')

/** Reads members by the IDs of detections. */
export const readMembers = (db: Reader, org: number, detectionIds: readonly string[]): Promise<Member[]> =>
  db.all<Member>(
    `SELECT ${selected} FROM incident_members m WHERE m.org = ? AND ${db.dialect.textIn('m.detection_id')}`,
    [org, JSON.stringify(detectionIds)],
  )

/** Reads the members of a place: of some employees, or of all. */
export const readPlace = (
  tx: Tx,
  org: number,
  { site, week }: SiteWeek,
  employeeIds: readonly string[] | undefined,
): Promise<Member[]> =>
  tx.all<Member>(
    `SELECT ${selected} FROM incident_members m${tx.dialect.indexedBy('incident_members_by_place')} WHERE m.org = ? AND m.site = ? AND m.week = ?${employeeIds ? ` AND ${tx.dialect.textIn('m.employee_id')}` : ''}`,
    [org, site, week, ...(employeeIds ? [JSON.stringify(employeeIds)] : [])],
  )

/** Removes members by the IDs of detections. */
export async function removeMembers(tx: Tx, org: number, detectionIds: readonly string[]): Promise<void> {
  if (detectionIds.length === 0) return
  await tx.run(`DELETE FROM incident_members WHERE org = ? AND ${tx.dialect.textIn('detection_id')}`, [
    org,
    JSON.stringify(detectionIds),
  ])
}

/** Writes members, new or changed. */
export async function writeMembers(tx: Tx, org: number, members: readonly Member[]): Promise<void> {
  if (members.length === 0) return
  const rows = members.map((one): Param[] => [
    org,
    one.detectionId,
    one.incidentId,
    one.site,
    one.week,
    one.employeeId,
    one.detectionType,
    one.severity,
    one.open,
    one.spreads,
    one.firstTimestamp,
    one.lastTimestamp,
  ])
  const [, ...others] = columns
  const set = others.map((name) => `${name} = excluded.${name}`).join(', ')
  await tx.insert(
    'incident_members',
    ['org', ...columns],
    rows,
    `ON CONFLICT (org, detection_id) DO UPDATE SET ${set}`,
  )
}

/** Returns true if the detections that spread at a place concern at least `people` employees. */
export async function hasPeople(
  tx: Tx,
  org: number,
  { site, week }: SiteWeek,
  people: number,
): Promise<boolean> {
  const rows = await tx.all(
    `SELECT 1 AS found FROM incident_people WHERE org = ? AND site = ? AND week = ? LIMIT ${people}`,
    [org, site, week],
  )
  return rows.length >= people
}

/** Returns the number of employees with detections that spread at a place. */
export const countPeople = async (db: Reader, org: number, { site, week }: SiteWeek): Promise<number> =>
  Number(
    (
      await db.get<{ people: number }>(
        'SELECT count(*) AS people FROM incident_people WHERE org = ? AND site = ? AND week = ?',
        [org, site, week],
      )
    )?.people ?? 0,
  )

/** Adds numbers to those of a table, and deletes the rows that become zero. Other columns but `detections` are the key. */
async function addCounts(
  tx: Tx,
  table: string,
  names: readonly string[],
  changes: readonly (readonly [key: readonly Param[], change: number])[],
): Promise<void> {
  const sums = new Map<string, readonly [readonly Param[], number]>()
  for (const [key, change] of changes) {
    const text = JSON.stringify(key)
    sums.set(text, [key, (sums.get(text)?.[1] ?? 0) + change])
  }
  const rows = [...sums.values()].filter(([, change]) => change !== 0)
  if (rows.length === 0) return
  await tx.insert(
    table,
    [...names, 'detections'],
    rows.map(([key, change]) => [...key, change]),
    `ON CONFLICT (${names.join(', ')}) DO UPDATE SET detections = ${table}.detections + excluded.detections`,
  )
  const isKey = names.map((name) => `${name} = ?`).join(' AND ')
  for (const [key, change] of rows)
    if (change < 0) await tx.run(`DELETE FROM ${table} WHERE ${isKey} AND detections = 0`, [...key])
}

/** A member that was added (1) or removed (-1). */
export type MemberChange = readonly [member: Member, change: 1 | -1]

/** Counts the employees of changed members. */
export const addPeople = (tx: Tx, org: number, changes: readonly MemberChange[]): Promise<void> =>
  addCounts(
    tx,
    'incident_people',
    ['org', 'site', 'week', 'employee_id'],
    changes
      .filter(([{ spreads }]) => spreads === 1)
      .map(([{ site, week, employeeId }, change]) => [[org, site, week, employeeId], change]),
  )

/** Counts changed members. */
export const addMemberCounts = (tx: Tx, org: number, changes: readonly MemberChange[]): Promise<void> =>
  addCounts(
    tx,
    'incident_counts',
    ['org', 'incident_id', 'detection_type', 'severity', 'open'],
    changes.map(([{ incidentId, detectionType, severity, open }, change]) => [
      [org, incidentId, detectionType, severity, open],
      change,
    ]),
  )

/** Number of detections of an incident that have a type, a severity and a state. */
export interface MemberCount {
  readonly incidentId: string
  readonly detectionType: Detection['detectionType']
  readonly severity: Detection['severity']
  readonly open: number
  readonly detections: number
}

/** Reads the numbers of detections of incidents. */
export const readCounts = (tx: Tx, org: number, incidentIds: readonly string[]): Promise<MemberCount[]> =>
  tx.all<MemberCount>(
    `SELECT incident_id AS "incidentId", detection_type AS "detectionType", severity, open, detections
     FROM incident_counts WHERE org = ? AND ${tx.dialect.textIn('incident_id')}`,
    [org, JSON.stringify(incidentIds)],
  )

/** First member of an incident, and the time when one was last seen. */
export type FirstMember = Member & { readonly latest: number }

/** Reads the first member of an incident; undefined if there is no such incident. */
export const readFirstMember = (
  db: Reader,
  org: number,
  incidentId: string,
): Promise<FirstMember | undefined> =>
  db.get<FirstMember>(
    `SELECT ${selected}, (SELECT max(last_timestamp) FROM incident_members WHERE org = ? AND incident_id = ?) AS latest
     FROM incident_members m WHERE m.org = ? AND m.incident_id = ? ORDER BY m.first_timestamp, m.detection_id LIMIT 1`,
    [org, incidentId, org, incidentId],
  )

/** Position in an incident: members are in the order of their first time. */
export type MemberPosition = Pick<Member, 'firstTimestamp' | 'detectionId'>

/** Reads the members of an incident after a position. */
export const membersAfter = (
  db: Reader,
  org: number,
  incidentId: string,
  { firstTimestamp, detectionId }: MemberPosition,
  limit: number,
): Promise<Member[]> =>
  db.all<Member>(
    `SELECT ${selected} FROM incident_members m${db.dialect.indexedBy('incident_members_by_first')} WHERE m.org = ? AND m.incident_id = ?
       AND (m.first_timestamp, m.detection_id) > (?, ?)
     ORDER BY m.first_timestamp, m.detection_id LIMIT ?`,
    [org, incidentId, firstTimestamp, detectionId, limit],
  )

/** Reads the latest members of an incident, the latest first. */
export const latestMembers = (
  db: Reader,
  org: number,
  incidentId: string,
  limit: number,
): Promise<Member[]> =>
  db.all<Member>(
    `SELECT ${selected} FROM incident_members m${db.dialect.indexedBy('incident_members_by_first')} WHERE m.org = ? AND m.incident_id = ?
     ORDER BY m.first_timestamp DESC, m.detection_id DESC LIMIT ?`,
    [org, incidentId, limit],
  )

/** Number of detections that an employee has in an incident. */
export interface PersonCount {
  readonly employeeId: string
  readonly detections: number
}

/** Counts the detections of an incident by employee, those with most first. */
export async function countByPerson(
  db: Reader,
  org: number,
  incidentId: string,
  limit: number,
): Promise<PersonCount[]> {
  const rows = await db.all<PersonCount>(
    `SELECT m.employee_id AS "employeeId", count(*) AS detections
     FROM incident_members m${db.dialect.indexedBy('incident_members_by_first')} WHERE m.org = ? AND m.incident_id = ?
     GROUP BY m.employee_id ORDER BY count(*) DESC, m.employee_id LIMIT ?`,
    [org, incidentId, limit],
  )
  return rows.map(({ employeeId, detections }) => ({ employeeId, detections: Number(detections) }))
}
