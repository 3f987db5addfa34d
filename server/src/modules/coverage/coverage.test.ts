import type { ListLink } from '@muster/contract/console/figure-links'
import { type Coverage, coverageGroupsMaximum } from '@muster/contract/console/rollout/console-coverage'
import { coverageFigures } from '@muster/contract/console/rollout/coverage-figures'
import { browserKinds, browsers } from '@muster/contract/records/browser'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { consoleBrowser, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aBrowser, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { sumVersions } from './coverage.rules.ts'

const day = 86_400

/** Returns every figure in a nested value, with its path. */
function figuresIn(value: unknown, path = ''): [string, { count: number; link: ListLink }][] {
  if (typeof value !== 'object' || value === null) return []
  if ('count' in value && 'link' in value) return [[path, value as { count: number; link: ListLink }]]
  return Object.entries(value).flatMap(([name, part]) => figuresIn(part, `${path}.${name}`))
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const random = seededRandom(21)
    let reader: SignedIn
    let coverage: Coverage

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      reader = await signedIn(h, org, 'READ_ONLY')
      const now = unixSeconds(h.clock)
      const groupNames = Array.from({ length: coverageGroupsMaximum + 5 }, (_, at) => `Group ${at}`)
      const people = Array.from({ length: 120 }, () =>
        anEmployee({
          licensed: random.below(4) > 0,
          groups: random.sample([...groupNames, 'Sales', 'Sales & more'], 4),
        }),
      )
      await put(h, org, employees, people)
      const installed = Array.from({ length: 150 }, () => {
        const age = random.pick([0, 3600, day - 1, day, 3 * day, 7 * day, 12 * day, 30 * day, 60 * day])
        return aBrowser({
          employeeId: random.pick(people).id,
          browser: random.pick(browserKinds),
          version: random.pick(['142', '142.0.7444.60', '142.1', '14.2', '1420.0', '17.4 Beta']),
          extensionVersion: random.pick(['1.4.0', '1.4', '1.3.9']),
          isActive: age < 30 * day,
          lastOnlineTimestamp: now - age,
          creationTimestamp: now - age - random.below(3) * day,
        })
      })
      await put(
        h,
        org,
        browsers,
        installed.toSorted((one, other) => one.creationTimestamp - other.creationTimestamp),
      )
      coverage = (await reader.call('GET', 'enrollment-coverage')).body
    })

    test('each number is the number of rows of the list that it opens', async () => {
      const figures = figuresIn(coverageFigures(coverage))
      expect(figures.length).toBeGreaterThan(100)
      for (const [path, { count, link }] of figures) {
        const query = new URLSearchParams()
        for (const [name, value] of Object.entries(link.filters))
          for (const one of [value].flat()) query.append(name, one)
        const { body } = await reader.call('GET', `lists/${link.list}/count?${query}`)
        expect([path, body]).toEqual([path, { count, more: false }])
      }
    })

    test('the periods contain every browser once, and the versions every active browser', async () => {
      const sum = (counts: readonly { browsers: number }[]) =>
        counts.reduce((all, { browsers: one }) => all + one, 0)
      const active = (await reader.call('GET', 'lists/browsers/count?isActive=true')).body.count
      expect(sum(coverage.contacts)).toBe(150)
      expect(sum(coverage.versions)).toBe(active)
      expect(sum(coverage.agents)).toBe(active)
      expect(coverage.groups).toHaveLength(coverageGroupsMaximum)
      expect(coverage.moreGroups).toBe(true)
    })

    test('only administrators of the organization see it', async () => {
      const stranger = await signedIn(h, await h.addOrganization('other'))
      expect((await stranger.call('GET', 'enrollment-coverage')).body).toMatchObject({
        licensed: 0,
        groups: [],
        versions: [],
      })
      expectProblem(await consoleBrowser(h).call('GET', 'enrollment-coverage'), 'signed_out')
    })
  })
}

test('versions are summed up by kind and major version, the most frequent first', () => {
  const counts = [
    { browser: 'CHROME', version: '142.0', agent: '1.4.0', browsers: 2 },
    { browser: 'CHROME', version: '142.1', agent: '1.3.0', browsers: 1 },
    { browser: 'EDGE', version: '142.1', agent: '1.4.0', browsers: 4 },
  ]
  expect(sumVersions(counts)).toEqual({
    versions: [
      { browser: 'EDGE', version: '142', browsers: 4 },
      { browser: 'CHROME', version: '142', browsers: 3 },
    ],
    agents: [
      { version: '1.4.0', browsers: 6 },
      { version: '1.3.0', browsers: 1 },
    ],
  })
})
