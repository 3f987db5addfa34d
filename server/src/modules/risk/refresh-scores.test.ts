import { type Account, accounts } from '@muster/contract/records/account'
import { type App, apps, sensitivityLevels } from '@muster/contract/records/app'
import { type Detection, detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { type Finding, findings, findingTypes } from '@muster/contract/records/finding'
import { riskRuleIds } from '@muster/contract/risk/risk-rules'
import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { aDetection, aFinding, anAccount, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { getRecord, insertRecords, removeRecord, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { assessFindings } from './assess-findings.rules.ts'
import { markPassedTime } from './daily-risk.service.ts'
import { refreshMarkedScores } from './risk-job.ts'

/** A step that changes facts. Numbers choose records and values. */
type Step = readonly [kind: string, one: number, other: number, flag: boolean]

const anyStep: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(
    ...[
      'find',
      'find',
      'find',
      'employee finding',
      'lone finding',
      'state',
      'state',
      'move',
      'unfind',
      'mfa',
    ],
    ...['used', 'app', 'phish', 'classify', 'weight', 'days', 'refresh'],
  ),
  fc.nat(7),
  fc.nat(9),
  fc.boolean(),
)

const daySeconds = 86_400

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    const refresh = () => refreshMarkedScores({ db: h.db, clock: h.clock })

    /** An organization with two people, three apps and four accounts, one with a private address. */
    const world = async (name: string) => {
      const org = await h.addOrganization(name)
      const nowSeconds = unixSeconds(h.clock)
      const people = ['ada', 'bob'].map((who) =>
        anEmployee({ id: `${name} ${who}`, email: `${who}@example.com` }),
      )
      const places = ['mail', 'chat', 'wiki'].map((type) =>
        anApp({ id: `${name} ${type}`, type: type.toUpperCase(), sensitivityLevel: null }),
      )
      const owned = [0, 1, 2, 3].map((at) =>
        anAccount({
          id: `${name} ${at}`,
          email: at === 3 ? 'ada@private.example' : `${at}@example.com`,
          employeeId: people[at % 2]?.id ?? '',
          appId: places[at % 3]?.id ?? '',
          mfaRegistered: null,
          lastUsedTimestamp: nowSeconds,
        }),
      )
      await put(h, org, employees, people)
      await put(h, org, apps, places)
      await put(h, org, accounts, owned)
      return { org, people, places, owned, findingIds: [] as string[], detectionIds: [] as string[] }
    }
    type World = Awaited<ReturnType<typeof world>>

    const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

    const addFinding = async (tx: Tx, { org, findingIds }: World, members: Partial<Finding>) => {
      const one = aFinding({ state: 'OPEN', employeeId: null, accountId: null, appId: null, ...members })
      findingIds.push(one.id)
      await insertRecords(tx, findings, org, [
        { id: one.id, record: one, createdAtSeconds: one.creationTimestamp },
      ])
    }

    const run = async (tx: Tx, all: World, [kind, one, other, flag]: Step): Promise<void> => {
      const { org, people, places, owned, findingIds, detectionIds } = all
      const type = findingTypes[one] ?? 'WEAK_PASSWORD'
      const account = pick(owned, other)
      if (!account) return
      if (kind === 'find') {
        const { id: accountId, employeeId, appId } = account
        return addFinding(tx, all, { type, accountId, employeeId, appId })
      }
      if (kind === 'employee finding')
        return addFinding(tx, all, { type, employeeId: pick(people, other)?.id ?? null })
      if (kind === 'lone finding')
        return addFinding(tx, all, { type, appId: pick(places, other)?.id ?? null })
      const finding = await getRecord(tx, findings, org, pick(findingIds, one) ?? '')
      const change = async (members: Partial<Finding>) =>
        finding &&
        void (await updateRecord(tx, findings, org, finding, { record: { ...finding.record, ...members } }))
      if (kind === 'state') await change({ state: flag ? 'OPEN' : 'RESOLVED' })
      if (kind === 'move') await change({ employeeId: flag ? null : (pick(people, other)?.id ?? null) })
      if (kind === 'unfind' && finding) await removeRecord(tx, findings, org, finding)
      if (kind === 'mfa' || kind === 'used') {
        const stored = await getRecord(tx, accounts, org, account.id)
        const used = (stored?.record.lastUsedTimestamp ?? 0) + (flag ? one * 20 : -one * 20) * daySeconds
        const members =
          kind === 'mfa'
            ? { mfaRegistered: [true, false, null][one % 3] ?? null }
            : { lastUsedTimestamp: used }
        if (stored)
          await updateRecord(tx, accounts, org, stored, { record: { ...stored.record, ...members } })
      }
      if (kind === 'app') {
        const stored = await getRecord(tx, apps, org, pick(places, other)?.id ?? '')
        const sensitivityLevel = sensitivityLevels[one % 4] ?? null
        if (stored)
          await updateRecord(tx, apps, org, stored, { record: { ...stored.record, sensitivityLevel } })
      }
      if (kind === 'phish') {
        const members = {
          employeeId: pick(people, one)?.id ?? '',
          appId: flag ? account.appId : null,
          archived: false,
        }
        const record = aDetection({
          ...members,
          detectionType: 'PHISHING',
          severity: one > 1 ? 'CRITICAL' : 'HIGH',
          classification: 'NOT_CLASSIFIED',
        })
        detectionIds.push(record.id)
        await insertRecords(tx, detections, org, [
          { id: record.id, record, createdAtSeconds: record.creationTimestamp },
        ])
      }
      if (kind === 'classify') {
        const stored = await getRecord(tx, detections, org, pick(detectionIds, one) ?? '')
        const members = flag ? { archived: other % 2 === 0 } : { classification: 'FALSE_POSITIVE' as const }
        if (stored)
          await updateRecord(tx, detections, org, stored, { record: { ...stored.record, ...members } })
      }
    }

    /** Computes all scores from the records. */
    const computed = async ({ org }: World) => {
      const read = async <T>(table: string) =>
        (await h.db.all<{ record: string }>(`SELECT record FROM ${table} WHERE org = ?`, [org])).map(
          ({ record }) => JSON.parse(record) as T,
        )
      const owned = new Map((await read<Account>('accounts')).map((one) => [one.id, one]))
      const places = new Map((await read<App>('apps')).map((one) => [one.id, one]))
      const phishing = (await read<Detection>('detections')).filter(
        (one) => one.severity === 'CRITICAL' && !one.archived && one.classification === 'NOT_CLASSIFIED',
      )
      const weights = await h.db.all<{ rule: string; points: number }>(
        'SELECT rule, points FROM risk_weights WHERE org = ?',
        [org],
      )
      return assessFindings(await read<Finding>('findings'), {
        nowSeconds: unixSeconds(h.clock),
        weights: Object.fromEntries(weights.map(({ rule, points }) => [rule, points])),
        accountOf: (id) => owned.get(id),
        sensitivityOf: (id) => places.get(id)?.sensitivityLevel ?? null,
        isPhished: (employeeId, appId) =>
          phishing.some((one) => one.employeeId === employeeId && one.appId === appId),
        isPrivate: (id) => owned.get(id)?.email.endsWith('private.example') ?? false,
      })
    }

    const check = async (all: World) => {
      const expected = await computed(all)
      const rows = await h.db.all<Record<string, string | number | null>>(
        'SELECT id, account_id, employee_id, priority_score, priority_rules FROM findings WHERE org = ? ORDER BY id',
        [all.org],
      )
      expect(
        rows.map(({ id, priority_score, priority_rules }) => [id, priority_score, priority_rules]),
      ).toEqual(
        rows.map(({ id }) => {
          const one = expected.get(String(id))
          return [id, one?.priorityScore ?? null, one?.priorityRules ?? null]
        }),
      )
      for (const [table, column] of [
        ['accounts', 'account_id'],
        ['employees', 'employee_id'],
      ] as const) {
        const kept = await h.db.all<{ id: string; risk_score: number | null }>(
          `SELECT id, risk_score FROM ${table} WHERE org = ? ORDER BY id`,
          [all.org],
        )
        const highest = (id: string) => {
          const scores = rows.filter((row) => row[column] === id).map((row) => row.priority_score)
          const known = scores.filter((score) => score !== null).map(Number)
          return known.length === 0 ? null : Math.max(...known)
        }
        expect(kept).toEqual(kept.map(({ id }) => ({ id, risk_score: highest(id) })))
      }
    }

    test('stored priorities and risks equal fresh ones after any changes', async () => {
      let organizations = 0
      const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        organizations += 1
        const all = await world(`random ${organizations}`)
        await markPassedTime(h.db, unixSeconds(h.clock))
        for (const step of steps) {
          const [kind, one, other] = step
          if (kind === 'refresh') await refresh()
          if (kind === 'days') h.clock.advanceMs(other * 10 * daySeconds * 1000)
          if (kind === 'weight') {
            await h.db.inTransaction(async (tx) => {
              const rule = riskRuleIds[one * 2] ?? 'WEAK'
              const onConflict = 'ON CONFLICT (org, rule) DO UPDATE SET points = excluded.points'
              await tx.insert(
                'risk_weights',
                ['org', 'rule', 'points'],
                [[all.org, rule, other * 9 - 30]],
                onConflict,
              )
              await tx.run("INSERT INTO risk_changes (org, kind) VALUES (?, 'ALL')", [all.org])
            })
          }
          await h.db.inTransaction((tx) => run(tx, all, step))
        }
        await markPassedTime(h.db, unixSeconds(h.clock))
        await refresh()
        await check(all)
      })
      await fc.assert(property, { numRuns: 20 })
    })
  })
}
