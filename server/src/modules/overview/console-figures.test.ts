import type { ControlScope, Reach } from '@muster/contract/console/console-controls'
import type { Overview } from '@muster/contract/console/console-overview'
import { type ListLink, overviewFigures, reachFigures } from '@muster/contract/console/figure-links'
import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { approvalStatuses, apps, sensitivityLevels } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections, severities } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { findingStates, findings, findingTypes } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  aBlockedUrl,
  aBrowser,
  aBrowserExtension,
  aDetection,
  aFinding,
  anAccount,
  anAccountOther,
  anApp,
  anAppOther,
  anEmployee,
  put,
} from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'

const week = 7 * 86_400

interface AnyFigure {
  readonly count: number
  readonly more?: boolean
  readonly link: ListLink | undefined
}

/** Returns every figure in a nested value, with its path. */
function figuresIn(value: unknown, path = ''): [string, AnyFigure][] {
  if (typeof value !== 'object' || value === null) return []
  if ('count' in value && 'link' in value) return [[path, value as AnyFigure]]
  return Object.entries(value).flatMap(([name, part]) => figuresIn(part, `${path}.${name}`))
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const random = seededRandom(15)
    const pick = <T>(values: readonly T[]): T => random.pick(values)
    const groups = ['Sales', 'Leads', 'Engineers']
    const types = ['OKTA', 'ZAPIER', 'GITHUB', 'SLACK']
    let reader: SignedIn
    let people: { id: string }[]

    beforeAll(async () => {
      reader = await signedIn(h, await h.addOrganization('default'), 'READ_ONLY')
      const now = unixSeconds(h.clock)
      const many = <T>(count: number, make: (created: { creationTimestamp: number }) => T) =>
        Array.from({ length: count }, () => make({ creationTimestamp: now - random.below(14 * week) }))
      const maybe = () => pick([true, false])
      const first = anEmployee({ licensed: true })
      const made = many(90, (created) =>
        anEmployee({
          ...created,
          licensed: maybe(),
          groups: groups.filter(maybe),
          mergedIntoId: random.below(8) === 0 ? first.id : null,
        }),
      )
      people = [first, ...made].filter(({ mergedIntoId }) => mergedIntoId === null)
      const person = () => pick(people).id
      await put(h, reader.org, employees, [first, ...made])
      await put(
        h,
        reader.org,
        browsers,
        many(120, (created) => aBrowser({ ...created, employeeId: person(), isActive: maybe() })),
      )
      await put(
        h,
        reader.org,
        accounts,
        many(620, (created) =>
          anAccount({
            ...created,
            mfaRegistered: pick([true, false, null]),
            passwordId: pick([null, 'p']),
            lastUsedTimestamp: pick([null, now]),
          }),
        ),
      )
      await put(
        h,
        reader.org,
        accountsOther,
        many(5, (created) => anAccountOther(created)),
      )
      await put(
        h,
        reader.org,
        findings,
        many(200, (created) =>
          aFinding({ ...created, type: pick(findingTypes), state: pick(findingStates) }),
        ),
      )
      await put(
        h,
        reader.org,
        detections,
        many(150, (created) => aDetection({ ...created, severity: pick(severities), archived: maybe() })),
      )
      await put(
        h,
        reader.org,
        apps,
        many(60, (created) =>
          anApp({
            ...created,
            type: pick(types),
            labels: ['GenAI', 'Core'].filter(maybe),
            approvalStatus: pick([null, ...approvalStatuses]),
            sensitivityLevel: pick([null, ...sensitivityLevels]),
          }),
        ),
      )
      await put(
        h,
        reader.org,
        appsOther,
        many(40, (created) => anAppOther({ ...created, hidden: maybe() })),
      )
      await put(
        h,
        reader.org,
        browserExtensions,
        many(30, (created) => aBrowserExtension(created)),
      )
      await put(
        h,
        reader.org,
        blockedUrls,
        many(7, (created) => aBlockedUrl(created)),
      )
    })

    /** Counts the rows of a linked list, page by page, and compares their number with that of the server. */
    async function rowsOf({ list, filters }: ListLink): Promise<number> {
      const query = new URLSearchParams()
      for (const [name, values] of Object.entries(filters))
        for (const value of [values].flat()) query.append(name, value)
      const { body: counted } = await reader.call('GET', `lists/${list}/count?${query}`)
      query.set('limit', '500')
      let rows = 0
      for (;;) {
        const { status, body } = await reader.call('GET', `lists/${list}?${query}`)
        expect(status).toBe(200)
        rows += body.records.length
        if (body.cursor === null) {
          expect(counted).toEqual({ count: rows, more: false })
          return rows
        }
        query.set('cursor', body.cursor)
      }
    }

    const shown = (figures: readonly [string, AnyFigure][]) =>
      figures.map(([path, { count }]) => [path, count])
    const listed = async (figures: readonly [string, AnyFigure][]) => {
      const rows: [string, number | undefined][] = []
      for (const [path, { link }] of figures) rows.push([path, link && (await rowsOf(link))])
      return rows
    }

    test('every number of the overview equals the number of rows in its linked list', async () => {
      const overview = (await reader.call<Overview>('GET', 'overview')).body
      const figures = figuresIn(overviewFigures(overview))
      expect(figures.length).toBeGreaterThan(150)
      expect(await listed(figures)).toEqual(shown(figures))
      const { registered, missing, unknown } = overview.mfa
      expect(registered + missing + unknown).toBe(620)
    })

    test('every number of a reach preview equals the number of rows in its linked list', async () => {
      const scopes: ControlScope[] = [
        {},
        { groups: ['Sales'] },
        { groups: ['Sales', 'Leads'], labels: ['genai', 'core'] },
        { employeeIds: people.slice(0, 9).map(({ id }) => id) },
        { employeeIds: people.slice(0, 20).map(({ id }) => id), groups: ['Engineers'] },
        { appTypes: ['OKTA', 'ZAPIER'], approvalStatuses: ['NOT_APPROVED', 'UNDER_REVIEW'] },
        { sensitivityLevels: ['HIGH'], labels: ['Core'] },
      ]
      for (const scope of scopes) {
        const reach = (await reader.call<Reach>('POST', 'controls/reach', scope)).body
        const figures = figuresIn(reachFigures(scope, reach))
        expect(figures).toHaveLength(4)
        expect(await listed(figures)).toEqual(shown(figures))
      }
    })

    test('a preview with more names than a list accepts has numbers without links', async () => {
      const scope = { employeeIds: people.slice(0, 21).map(({ id }) => id) }
      const reach = (await reader.call<Reach>('POST', 'controls/reach', scope)).body
      const { employees: reached, apps: reachedApps } = reachFigures(scope, reach)
      expect(reached.link).toBeUndefined()
      expect(reachedApps.link).toEqual({ list: 'apps', filters: {} })
    })
  })
}
