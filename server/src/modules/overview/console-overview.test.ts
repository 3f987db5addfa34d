import type { Overview } from '@muster/contract/console/console-overview'
import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { browsers } from '@muster/contract/records/browser'
import { detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { consoleBrowser, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  aBrowser,
  aDetection,
  aFinding,
  anAccount,
  anApp,
  anEmployee,
  put,
} from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { weekBounds } from './compute-overview.ts'

const week = 7 * 86_400
const nothing = Array<number>(12).fill(0)
const inWeek = (at: number, count: number) => nothing.with(at, count)

test('weeks start on Monday at midnight UTC, and the last one is the current week', () => {
  const bounds = weekBounds(Date.UTC(2026, 10, 18, 15) / 1000, 12).map((at) => new Date(at * 1000))
  expect(bounds).toHaveLength(13)
  expect(bounds.every((at) => at.getUTCDay() === 1)).toBe(true)
  expect(bounds.at(-2)?.toISOString()).toBe('2026-11-16T00:00:00.000Z')
  expect(weekBounds(Date.UTC(2026, 10, 16) / 1000, 1)[0]).toBe(Date.UTC(2026, 10, 16) / 1000)
})

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let reader: SignedIn
    let stranger: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'))
      const now = unixSeconds(h.clock)
      const open = { type: 'WEAK_PASSWORD', state: 'OPEN' } as const
      await put(h, org, findings, [
        aFinding({ ...open, creationTimestamp: now }),
        aFinding({ ...open, creationTimestamp: now - week }),
        aFinding({ ...open, state: 'RESOLVED', creationTimestamp: now - week }),
        aFinding({ ...open, creationTimestamp: now - 50 * week }),
      ])
      const high = { severity: 'HIGH', archived: false, creationTimestamp: now } as const
      await put(h, org, detections, [aDetection(high), aDetection({ ...high, archived: true })])
      await put(h, org, apps, [anApp({ creationTimestamp: now })])
      const [covered, bare, free] = [true, true, false].map((licensed) => anEmployee({ licensed }))
      await put(
        h,
        org,
        employees,
        [covered, bare, free].flatMap((one) => one ?? []),
      )
      await put(h, org, browsers, [
        aBrowser({ employeeId: covered?.id ?? '', isActive: true }),
        aBrowser({ employeeId: covered?.id ?? '', isActive: true }),
        aBrowser({ employeeId: bare?.id ?? '', isActive: false }),
        aBrowser({ employeeId: free?.id ?? '', isActive: true }),
      ])
      const mfa = [true, true, false, null].map((mfaRegistered) =>
        anAccount({ mfaRegistered, passwordId: mfaRegistered ? 'p' : null }),
      )
      await put(h, org, accounts, [...mfa, anAccount({ lastUsedTimestamp: null, passwordId: null })])
    })

    const read = async (who = reader) => (await who.call<Overview>('GET', 'overview')).body

    test('counts the existing records', async () => {
      const overview = await read()
      expect(overview.asOfTimestamp).toBe(unixSeconds(h.clock))
      expect(overview.totals).toMatchObject({ employees: 3, accounts: 5, apps: 1, activeBrowsers: 3 })
      expect(overview.findings.find(({ type }) => type === 'WEAK_PASSWORD')).toEqual({
        type: 'WEAK_PASSWORD',
        open: 3,
        opened: inWeek(10, 2).with(11, 1),
      })
      expect(overview.detections.map(({ severity }) => severity)).toEqual([
        'CRITICAL',
        'HIGH',
        'MEDIUM',
        'LOW',
      ])
      expect(overview.detections[1]).toEqual({ severity: 'HIGH', waiting: 1, happened: inWeek(11, 2) })
      expect(overview.discovered).toEqual({ apps: inWeek(11, 1), appsOther: nothing })
      expect(overview.coverage).toEqual({ licensed: 2, covered: 1 })
      expect(overview.passwords).toEqual({ accounts: 2 })
      expect(overview.mfa).toEqual({ registered: 3, missing: 1, unknown: 1 })
    })

    test('counts nothing of another organization', async () => {
      const overview = await read(stranger)
      const all = [
        ...Object.values(overview.totals),
        ...overview.findings.flatMap(({ open, opened }) => [open, ...opened]),
        ...overview.detections.flatMap(({ waiting, happened }) => [waiting, ...happened]),
        ...overview.discovered.apps,
        ...Object.values(overview.coverage),
        ...Object.values(overview.passwords),
        ...Object.values(overview.mfa),
      ]
      expect(all.every((count) => count === 0)).toBe(true)
    })

    test('serves the previous overview with its time while recomputing it after a minute', async () => {
      const first = await read()
      await put(h, reader.org, apps, [anApp({ creationTimestamp: unixSeconds(h.clock) })])
      expect(await read()).toEqual(first)
      h.clock.advanceMs(61_000)
      expect(await read()).toEqual(first)
      await until('newer overview', async () => (await read()).totals.apps === 2)
      expect((await read()).asOfTimestamp).toBe(first.asOfTimestamp + 61)
    })

    test('recomputes after a minute also if the clock was set back', async () => {
      const first = await read()
      h.clock.advanceMs(-3_600_000)
      await put(h, reader.org, apps, [anApp({ creationTimestamp: unixSeconds(h.clock) })])
      h.clock.advanceMs(61_000)
      await read()
      const counted = await until(
        'newer overview',
        async () => (await read()).totals.apps > first.totals.apps,
      )
      expect(counted).toBe(true)
    })

    test('does not serve an overview that is too old', async () => {
      await put(h, reader.org, apps, [anApp({ creationTimestamp: unixSeconds(h.clock) })])
      h.clock.advanceMs(6 * 60 * 60_000 + 1)
      expect((await read(await signedIn(h, reader.org, 'READ_ONLY'))).totals.apps).toBe(4)
    })

    test('requires a session', async () => {
      expectProblem(await consoleBrowser(h).call('GET', 'overview'), 'signed_out')
    })
  })
}
