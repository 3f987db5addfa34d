import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aBlockedUrl, anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { employeeOfAddress } from '../employees/employee-addresses.service.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    const counts = (added: number, replaced = 0, unchanged = 0, rejected = 0) => ({
      added,
      replaced,
      unchanged,
      rejected,
    })
    /**
     * Imports a file. @returns its counts, and the reasons of rejected lines by line number
     */
    const importFile = async (name: string, lines: readonly object[]) => {
      cli.file(name, lines)
      rmSync(join(cli.folder, 'rejects.jsonl'), { force: true })
      const { stdout } = await cli.run(`import ${name} --rejects rejects.jsonl --json`)
      const rejects = readFileSync(join(cli.folder, 'rejects.jsonl'), 'utf8').split('\n').filter(Boolean)
      const reasons = rejects.map((text) => JSON.parse(text)).map(({ line, reason }) => [line, reason])
      return { total: JSON.parse(stdout).total, reasons: Object.fromEntries(reasons) }
    }
    const stored = async (name: string): Promise<Record<string, unknown>[]> => {
      await cli.run('export out --force')
      const text = readFileSync(join(cli.folder, 'out', `${name}.jsonl`), 'utf8')
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    }

    describe('patterns of blocked URLs', () => {
      test('are normalized as in the API; invalid ones are rejected', async () => {
        const urls = ['HTTPS://Bücher.Example:0443/Ü', '*', 'example.com ']
        const records = urls.map((url, creationTimestamp) => aBlockedUrl({ url, creationTimestamp }))
        const { total, reasons } = await importFile('blockedUrls.jsonl', records)
        expect(total).toEqual(counts(2, 0, 0, 1))
        expect(reasons).toEqual({ 2: expect.stringMatching(/^url must have a host name or an address/) })
        expect((await stored('blockedUrls')).map(({ url }) => url)).toEqual([
          'https://xn--bcher-kva.example:443/Ü',
          'example.com',
        ])
      })

      test('in two spellings are equal, in a file and with existing ones', async () => {
        const [first, again, later] = ['example.com', 'Example.COM', 'EXAMPLE.com.'].map((url) =>
          aBlockedUrl({ url }),
        )
        expect((await importFile('blockedUrls.jsonl', [first ?? {}, again ?? {}])).total).toEqual(
          counts(1, 0, 1),
        )
        expect((await importFile('blockedUrls.jsonl', [later ?? {}])).total).toEqual(counts(0, 0, 1))
        expect(await stored('blockedUrls')).toEqual([first])
      })

      test('that are long are imported, and unchanged when imported again', async () => {
        const [one, other, again] = [0, 5, 0].map((from) => {
          const path = Array.from({ length: 2000 }, (_, at) =>
            String.fromCodePoint(0x20000 + ((at * 7919 + from) % 40_000)),
          )
          return aBlockedUrl({ url: `a.example/${path.join('')}` })
        })
        const lines = [one ?? {}, other ?? {}]
        expect((await importFile('blockedUrls.jsonl', lines)).total).toEqual(counts(2))
        expect((await importFile('blockedUrls.jsonl', [again ?? {}])).total).toEqual(counts(0, 0, 1))
        expect(await stored('blockedUrls')).toEqual(expect.arrayContaining(lines))
      })

      test('that another record has are rejected, unless that record changes, too', async () => {
        const [one, other] = [
          aBlockedUrl({ url: 'one.example', creationTimestamp: 1 }),
          aBlockedUrl({ url: 'other.example', creationTimestamp: 2 }),
        ]
        await importFile('blockedUrls.jsonl', [one, other])
        const { reasons } = await importFile('blockedUrls.jsonl', [{ ...one, url: 'OTHER.example' }])
        expect(reasons).toEqual({ 1: `url other.example is already used by the blocked URL ${other.id}` })
        const swapped = [
          { ...one, url: 'other.example' },
          { ...other, url: 'third.example' },
        ]
        expect((await importFile('blockedUrls.jsonl', swapped)).total).toEqual(counts(0, 2))
        expect((await stored('blockedUrls')).map(({ url }) => url)).toEqual([
          'other.example',
          'third.example',
        ])
      })
    })

    describe('merges', () => {
      const merged = (employee: object, into: { id: string }) => ({ ...employee, mergedIntoId: into.id })
      const [ada, bob, cy] = [anEmployee(), anEmployee(), anEmployee()]
      const mergeCycle =
        'mergedIntoId leads back to the employee: an employee cannot be merged into itself, directly or indirectly'
      const cycles = {
        'of an employee with itself': [[merged(ada, ada)]],
        'of two': [[merged(ada, bob), merged(bob, ada)]],
        'of two, in two files': [[merged(ada, bob)], [merged(bob, ada)]],
        'of two that stood alone': [[ada, bob], [merged(ada, bob)], [merged(bob, ada)]],
        'of three, in three files': [[merged(ada, bob)], [merged(bob, cy)], [merged(cy, ada)]],
        'of three, in one file': [[ada, merged(bob, cy), merged(cy, ada), merged(ada, bob)]],
        'far apart in a file': [
          [merged(ada, bob), ...Array.from({ length: 600 }, () => anEmployee()), merged(bob, ada)],
        ],
      }
      test.each(Object.entries(cycles))('that would form a cycle are rejected: %s', async (_, files) => {
        const outcomes = []
        for (const lines of files) outcomes.push(await importFile('employees.jsonl', lines))
        expect(outcomes.flatMap(({ reasons }) => Object.values(reasons))).toEqual([mergeCycle])
        expect(outcomes.at(-1)?.total.rejected).toBe(1)
      })

      test('in reverse direction are imported in any order of the lines', async () => {
        for (const lines of [
          [merged(ada, bob), bob],
          [merged(bob, ada), ada],
          [bob, merged(ada, bob)],
        ]) {
          const { total, reasons } = await importFile('employees.jsonl', lines)
          expect({ rejected: total.rejected, reasons }).toEqual({ rejected: 0, reasons: {} })
        }
        expect(await stored('employees')).toEqual(expect.arrayContaining([merged(ada, bob), bob]))
      })
    })

    test('repeated groups of an employee are stored once', async () => {
      const employee = anEmployee({ groups: ['b', 'a', 'b'] })
      expect((await importFile('employees.jsonl', [employee])).total).toEqual(counts(1))
      expect((await importFile('employees.jsonl', [employee])).total).toEqual(counts(0, 0, 1))
      expect(await stored('employees')).toEqual([{ ...employee, groups: ['b', 'a'] }])
    })

    test('groups and labels are normalized as in the API: no blanks, and labels ignoring case', async () => {
      const employee = anEmployee({ groups: [' b', 'a', 'b ', 'B', ' '] })
      const app = anApp({ labels: ['GenAI ', ' x', 'genai', '\t'] })
      await importFile('employees.jsonl', [employee])
      await importFile('apps.jsonl', [app])
      expect(await stored('employees')).toEqual([{ ...employee, groups: ['b', 'a', 'B'] }])
      expect(await stored('apps')).toEqual([{ ...app, labels: ['GenAI', 'x'] }])
      expect((await importFile('apps.jsonl', [app])).total).toEqual(counts(0, 0, 1))
    })

    describe('secondary addresses', () => {
      const holderOf = async (address: string) => {
        const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = cli.settings
        const db = await openStore({ dataDir, databaseUrl }, 1)
        try {
          return await employeeOfAddress(db, 1, address)
        } finally {
          await db.close()
        }
      }
      const old = 'Old@example.com'
      const primaryWith = (...secondaryEmails: string[]) => anEmployee({ secondaryEmails })

      test('are reserved for the primary if the merged employee is not in the file', async () => {
        const primary = primaryWith(old)
        const other = anEmployee({ email: 'OLD@example.com' })
        const { total, reasons } = await importFile('employees.jsonl', [primary, other])
        expect(total).toEqual(counts(1, 0, 0, 1))
        expect(reasons).toEqual({
          2: `email OLD@example.com already belongs to the employee ${primary.id}`,
        })
        expect(await holderOf(old)).toBe(primary.id)
      })

      test('that belong to another employee are rejected', async () => {
        const other = anEmployee({ email: 'OLD@example.com' })
        const primary = primaryWith(old)
        const { reasons } = await importFile('employees.jsonl', [other, primary])
        expect(reasons).toEqual({
          2: `secondaryEmails ${old} already belongs to the employee ${other.id}`,
        })
        expect(await stored('employees')).toEqual([other])
      })

      test.each([
        ['before', true],
        ['after', false],
      ])('belong to the merged employee who comes %s the primary', async (_, before) => {
        const primary = primaryWith(old)
        const merged = anEmployee({ email: old, mergedIntoId: primary.id })
        const { total } = await importFile('employees.jsonl', before ? [merged, primary] : [primary, merged])
        expect(total).toEqual(counts(2))
        expect(await holderOf(old)).toBe(merged.id)
      })

      test('belong to the merged employee who comes in another file', async () => {
        const primary = primaryWith(old)
        await importFile('employees.jsonl', [primary])
        const merged = anEmployee({ email: old, mergedIntoId: primary.id })
        expect((await importFile('employees.jsonl', [merged])).total).toEqual(counts(1))
        expect(await holderOf(old)).toBe(merged.id)
        expect((await importFile('employees.jsonl', [merged, primary])).total).toEqual(counts(0, 0, 2))
      })

      test('are free once the primary no longer has them', async () => {
        const primary = primaryWith(old)
        const other = anEmployee({ email: old })
        await importFile('employees.jsonl', [primary])
        // With this order of lines, the address is free only after the second one.
        const lines = [other, { ...primary, secondaryEmails: [] }]
        expect(await importFile('employees.jsonl', lines)).toEqual({ total: counts(1, 1), reasons: {} })
        expect(await holderOf(old)).toBe(other.id)
      })

      test('are imported with a later merge, with any distance between its employees', async () => {
        const [primary, merged] = [anEmployee({ creationTimestamp: 1 }), anEmployee({ email: old })]
        await importFile('employees.jsonl', [primary, merged])
        const others = Array.from({ length: 600 }, () => anEmployee())
        const { total, reasons } = await importFile('employees.jsonl', [
          { ...primary, secondaryEmails: [old] },
          ...others,
          { ...merged, mergedIntoId: primary.id },
        ])
        expect({ total, reasons }).toEqual({ total: counts(600, 2), reasons: {} })
        expect(await holderOf(old)).toBe(merged.id)
      })
    })
  })
}
