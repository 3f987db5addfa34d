import type { Collection } from '@muster/contract/api/collection'
import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { type ConsoleListName, consoleLists } from '@muster/contract/console/console-lists'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { put, unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'

/** Text that would run if treated as markup, script or formula, or that would break out of a CSV cell. */
const hostile = [
  `=HYPERLINK("https://evil.example")</script><script>alert(1)</script>`,
  `+1" onerror="alert(1)`,
  `-2+3|cmd`,
  `@SUM(1)\r\n<img src=x onerror=alert(1)>`,
  `\t=1+1\u2028'`,
]

/** True for members with free text that people, pages or extensions provide. */
const isFree = (schema: JsonSchema): boolean =>
  schema.enum === undefined && [schema.type].flat().includes('string') && (schema.maxLength ?? 0) > 64

/** Returns a record with hostile text in every free member. */
function hostileRecord(collection: Collection, text: string): Record<string, unknown> {
  const laced = (schema: JsonSchema): unknown => {
    if (isFree(schema)) return text
    if (schema.items) return isFree(schema.items) ? [text] : [laced(schema.items)]
    const members = Object.entries(schema.properties ?? {})
    if (members.length === 0) return exampleOf(schema)
    return Object.fromEntries(members.map(([name, member]) => [name, laced(member)]))
  }
  const own = {
    id: unknownId(),
    ...('mergedIntoId' in collection.record.properties ? { mergedIntoId: null } : {}),
  }
  return { ...(laced(collection.record as JsonSchema) as object), ...own }
}

/** Splits a CSV file (RFC 4180) into cells. */
const cellsOf = (csv: string): string[] =>
  [...csv.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )

const names = (Object.keys(consoleLists) as ConsoleListName[]).filter((name) => name !== 'extensionGroups')

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let reader: SignedIn
    const kept = new Map<ConsoleListName, Record<string, unknown>[]>()

    beforeAll(async () => {
      reader = await signedIn(h, await h.addOrganization('default'), 'READ_ONLY')
      for (const name of names) {
        const { collection } = consoleLists[name]
        const records = hostile.map((text) => hostileRecord(collection, text))
        kept.set(name, records)
        await put(h, reader.org, collection as Collection, records as never)
      }
    })

    test.each(names)('%s: hostile text is returned as plain data', async (name) => {
      const list = await reader.call('GET', `lists/${name}?sort=creationTimestamp`)
      expect(list.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(list.headers['x-content-type-options']).toBe('nosniff')
      // Some lists add figures to the members of a record.
      expect(list.body.records).toMatchObject(kept.get(name) ?? [])
      const json = await reader.call('GET', `lists/${name}/export?format=json&sort=creationTimestamp`)
      expect(json.headers['content-disposition']).toBe(`attachment; filename="${name}.json"`)
      expect(json.body).toMatchObject(kept.get(name) ?? [])
    })

    test.each(names)('%s: no exported cell starts like a formula', async (name) => {
      const { text, headers } = await reader.call('GET', `lists/${name}/export?format=csv`)
      expect(headers['content-type']).toBe('text/csv; charset=utf-8')
      const cells = cellsOf(text)
      expect(cells.filter((cell) => /^[=+@\t\r]|^-(?!\d+$)/.test(cell))).toEqual([])
      const laced = Object.values(kept.get(name)?.[0] ?? {}).filter((value) => value === hostile[0])
      const escaped = cells.filter((cell) => cell === `'${hostile[0]}`)
      // Name columns may repeat a value.
      expect(escaped.length).toBeGreaterThanOrEqual(laced.length)
    })

    test('grouped extensions are returned as plain data, and no cell starts like a formula', async () => {
      const look = () => reader.call('GET', 'lists/extensionGroups?sort=browsers')
      await look()
      await until('counts of extensions', async () => {
        const { running, countedTimestamp } = (await reader.call('GET', 'extension-counting')).body
        return countedTimestamp !== null && !running
      })
      const shownNames = (await look()).body.records.map(({ name }: { name: string }) => name)
      expect(shownNames.sort()).toEqual([...hostile].sort())
      const csv = await reader.call('GET', 'lists/extensionGroups/export?format=csv')
      expect(cellsOf(csv.text).filter((cell) => /^[=+@\t\r]|^-(?!\d+$)/.test(cell))).toEqual([])
    })

    test('text from a search, filter or path is never echoed as markup', async () => {
      const evil = encodeURIComponent('<script>alert(1)</script>')
      for (const path of [
        `lists/apps?search=${evil}`,
        `lists/apps?${evil}=1`,
        `records/apps/${evil}`,
        evil,
      ]) {
        const { headers } = await reader.call('GET', path)
        expect(headers['content-type']).toMatch(/^application\/(?:problem\+)?json/)
        expect(headers['content-security-policy']).toContain("default-src 'none'")
      }
    })
  })
}
