import { type Incident, incidents } from '@muster/contract/console/incidents/incident'
import { type Detection, detections, severities } from '@muster/contract/records/detection'
import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { aDetection, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { deleteOrganizationRows } from '../../kernel/store/organization-rows.ts'
import { getRecord, removeRecord, updateRecord } from '../../kernel/store/records.ts'
import { groupMarkedDetections } from './incidents-job.ts'

/** Sunday, 6 July 2025, 22:00 UTC: two hours before a calendar week ends. */
const start = 1_751_839_200

const urls = ['https://a.evil.example/x', 'https://b.evil.example/', 'https://blocked.example.org/', null]
const types = ['PHISHING', 'BLOCKED_URL', 'STOLEN_CREDENTIALS', 'MALICIOUS_BROWSER_EXTENSION'] as const

/** Numbers choose the employee, the page, the type, the time and the severity. */
const anyDetection = fc.record({
  person: fc.nat(3),
  page: fc.nat(3),
  type: fc.nat(3),
  minutes: fc.constantFrom(0, 20, 50, 59, 60, 90, 119, 120, 121, 160, 240, 600, 1500, 20_000),
  lasts: fc.constantFrom(0, 0, 5, 100),
  severity: fc.nat(3),
  archived: fc.boolean(),
})
type Choice = typeof anyDetection extends fc.Arbitrary<infer T> ? T : never

const detectionOf = (choice: Choice, id: string): Detection => {
  const creationTimestamp = start + choice.minutes * 60
  return aDetection({
    id,
    employeeId: `person ${choice.person}`,
    url: urls[choice.page] ?? null,
    detectionType: types[choice.type] ?? 'PHISHING',
    severity: severities[choice.severity] ?? 'LOW',
    archived: choice.archived,
    creationTimestamp,
    lastActivityTimestamp: creationTimestamp + choice.lasts * 60,
  })
}

/** Groups detections by comparing each pair: an independent form of the rules. */
function expectedGroups(all: readonly Detection[]): string[][] {
  const site = ({ url }: Detection) =>
    url === null ? '' : url.includes('evil') ? 'evil.example' : 'example.org'
  const week = ({ creationTimestamp }: Detection) =>
    creationTimestamp < start + 7200 ? 1 : 2 + Math.floor((creationTimestamp - start - 7200) / 604_800)
  const isHere = (one: Detection, other: Detection) => site(one) === site(other) && week(one) === week(other)
  const spreads = (one: Detection) =>
    site(one) !== '' && (one.detectionType === 'PHISHING' || one.detectionType === 'BLOCKED_URL')
  const isMany = (one: Detection) =>
    spreads(one) &&
    new Set(all.filter((other) => spreads(other) && isHere(one, other)).map(({ employeeId }) => employeeId))
      .size >= 3
  const isNear = (one: Detection, other: Detection) =>
    one.creationTimestamp < other.lastActivityTimestamp + 3600 &&
    other.creationTimestamp < one.lastActivityTimestamp + 3600
  const belong = (one: Detection, other: Detection) =>
    isHere(one, other) &&
    (isMany(one) && isMany(other)
      ? true
      : !isMany(one) && !isMany(other) && one.employeeId === other.employeeId && isNear(one, other))
  const left = new Set(all)
  const groups: string[][] = []
  for (const one of all) {
    if (!left.delete(one)) continue
    const group = [one]
    for (const member of group)
      for (const other of left)
        if (belong(member, other)) {
          left.delete(other)
          group.push(other)
        }
    groups.push(group.map(({ id }) => id).toSorted())
  }
  return groups.toSorted()
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const group = () => groupMarkedDetections(h.db)

    const recordsOf = async <R>(table: string, org: number): Promise<R[]> => {
      const rows = await h.db.all<{ record: string }>(
        `SELECT record FROM ${table} WHERE org = ? ORDER BY id`,
        [org],
      )
      return rows.map(({ record }) => JSON.parse(record) as R)
    }
    const groupsOf = async (org: number): Promise<Map<string, string[]>> => {
      const rows = await h.db.all<{ detection: string; incident: string }>(
        'SELECT detection_id AS detection, incident_id AS incident FROM incident_members WHERE org = ? ORDER BY detection_id',
        [org],
      )
      const groups = Map.groupBy(rows, ({ incident }) => incident)
      return new Map([...groups].map(([id, own]) => [id, own.map(({ detection }) => detection)]))
    }
    /** Compares the incidents of an organization with its detections. */
    const check = async (org: number) => {
      const all = await recordsOf<Detection>('detections', org)
      const groups = await groupsOf(org)
      expect([...groups.values()].toSorted()).toEqual(expectedGroups(all))
      const found = await recordsOf<Incident>('incidents', org)
      expect(found.map(({ id }) => id)).toEqual([...groups.keys()].toSorted())
      const figures = ({ id, people, detections: count, openDetections, ...rest }: Incident) => {
        const own = all.filter((one) => groups.get(id)?.includes(one.id))
        const sorted = (some: readonly string[]) => [...new Set(some)].toSorted()
        const seen = own.map(({ creationTimestamp }) => creationTimestamp)
        expect({
          people,
          count,
          openDetections,
          types: rest.detectionTypes.toSorted(),
          severity: rest.severity,
          status: rest.status,
          first: rest.creationTimestamp,
          last: rest.lastActivityTimestamp,
          employeeId: rest.employeeId,
        }).toEqual({
          people: sorted(own.map(({ employeeId }) => employeeId)).length,
          count: own.length,
          openDetections: own.filter(({ archived }) => !archived).length,
          types: sorted(own.map(({ detectionType }) => detectionType)),
          severity: severities.findLast((one) => own.some(({ severity }) => severity === one)),
          status: own.some(({ archived }) => !archived) ? 'OPEN' : 'CLOSED',
          first: Math.min(...seen),
          last: Math.max(...own.map(({ lastActivityTimestamp }) => lastActivityTimestamp)),
          employeeId: rest.kind === 'MANY_PEOPLE' ? null : own[0]?.employeeId,
        })
      }
      found.forEach(figures)
    }
    const leftOver = async (org: number) =>
      Object.fromEntries(
        await Promise.all(
          [
            'incidents',
            'incidents_detection_types',
            'incident_members',
            'incident_counts',
            'incident_people',
            'incident_changes',
          ].map(async (table) => [
            table,
            Number(
              (await h.db.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table} WHERE org = ?`, [org]))
                ?.rows,
            ),
          ]),
        ),
      )
    const nothing = {
      incidents: 0,
      incidents_detection_types: 0,
      incident_members: 0,
      incident_counts: 0,
      incident_people: 0,
      incident_changes: 0,
    }
    const change = (org: number, id: string, next: (one: Detection) => Detection | undefined) =>
      h.db.inTransaction(async (tx) => {
        const stored = await getRecord(tx, detections, org, id)
        if (!stored) return
        const record = next(stored.record)
        if (record) await updateRecord(tx, detections, org, stored, { record })
        else await removeRecord(tx, detections, org, stored)
      })

    let runs = 0
    test('every detection is in exactly one incident, in any order of arrival, and figures equal the rows', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyDetection, { minLength: 1, maxLength: 14 }),
          fc.array(
            fc.tuple(fc.nat(13), fc.constantFrom('archive', 'move', 'remove', 'again', 'group'), fc.nat(3)),
            { maxLength: 8 },
          ),
          fc.array(fc.nat(13), { minLength: 14, maxLength: 14 }),
          async (choices, steps, order) => {
            runs += 1
            const orgs = [
              await h.addOrganization(`one ${runs}`),
              await h.addOrganization(`other ${runs}`),
            ] as const
            const all = choices.map((choice, at) => detectionOf(choice, `${runs} ${at}`))
            await put(h, orgs[0], detections, all)
            await group()
            await check(orgs[0])
            const shuffled = all
              .map((one, at) => ({ one, at: order[at] ?? 0 }))
              .toSorted((a, b) => a.at - b.at)
              .map(({ one }) => one)
            for (const [at, one] of shuffled.entries()) {
              await put(h, orgs[1], detections, [one])
              if (at % 3 === 0) await group()
            }
            await group()
            expect(await groupsOf(orgs[1])).toEqual(await groupsOf(orgs[0]))
            expect(await recordsOf('incidents', orgs[1])).toEqual(await recordsOf('incidents', orgs[0]))
            for (const [at, kind, value] of steps) {
              const id = `${runs} ${at % choices.length}`
              if (kind === 'group') await group()
              else
                await change(orgs[0], id, (one) => {
                  if (kind === 'archive') return { ...one, archived: !one.archived }
                  if (kind === 'move') return { ...one, employeeId: `person ${value}` }
                  if (kind === 'again')
                    return {
                      ...one,
                      severity: 'CRITICAL',
                      lastActivityTimestamp: one.lastActivityTimestamp + value * 1800,
                    }
                  return undefined
                })
            }
            await group()
            await check(orgs[0])
          },
        ),
        { numRuns: 25 },
      )
    })

    test('detections that were there before are grouped after an upgrade', async () => {
      const org = await h.addOrganization('upgraded')
      const all = Array.from({ length: 90 }, (_, at) =>
        detectionOf(
          { person: at % 4, page: 0, type: 0, minutes: at as 0, lasts: 0, severity: 1, archived: false },
          `old ${at}`,
        ),
      )
      await put(h, org, detections, all)
      await h.db.inTransaction(async (tx) => {
        await tx.run('DELETE FROM incident_changes WHERE org = ?', [org])
        await tx.run('INSERT INTO incident_changes (org) VALUES (?)', [org])
      })
      await group()
      await check(org)
      const [incident] = await recordsOf<Incident>(incidents.name, org)
      expect(incident).toMatchObject({ kind: 'MANY_PEOPLE', site: 'evil.example', people: 4, detections: 90 })
    })

    test('no row is left when all detections are removed, or the organization', async () => {
      const org = await h.addOrganization('emptied')
      const all = [0, 1, 2].map((person) =>
        detectionOf(
          { person, page: 0, type: 0, minutes: 0, lasts: 0, severity: 1, archived: false },
          `gone ${person}`,
        ),
      )
      await put(h, org, detections, all)
      await group()
      for (const { id } of all) await change(org, id, () => undefined)
      await group()
      expect(await leftOver(org)).toEqual(nothing)
      await put(h, org, detections, all)
      await group()
      await h.db.inTransaction((tx) => deleteOrganizationRows(tx, org))
      expect(await leftOver(org)).toEqual(nothing)
    })
  })
}
