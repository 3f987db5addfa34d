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
    /** Imports a file; gives its counts, and the reasons of its rejected lines by their numbers. */
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
      test('are kept in the form in which the API keeps them; those that it refuses are rejected', async () => {
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

      test('in two spellings are one, in a file and with what is there', async () => {
        const [first, again, later] = ['example.com', 'Example.COM', 'EXAMPLE.com.'].map((url) =>
          aBlockedUrl({ url }),
        )
        expect((await importFile('blockedUrls.jsonl', [first ?? {}, again ?? {}])).total).toEqual(
          counts(1, 0, 1),
        )
        expect((await importFile('blockedUrls.jsonl', [later ?? {}])).total).toEqual(counts(0, 0, 1))
        expect(await stored('blockedUrls')).toEqual([first])
      })

      test('that are long are taken in, and are there already when they come again', async () => {
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

      test('that would become those of another record are rejected, unless that one changes too', async () => {
        const [one, other] = [
          aBlockedUrl({ url: 'one.example', creationTimestamp: 1 }),
          aBlockedUrl({ url: 'other.example', creationTimestamp: 2 }),
        ]
        await importFile('blockedUrls.jsonl', [one, other])
        const { reasons } = await importFile('blockedUrls.jsonl', [{ ...one, url: 'OTHER.example' }])
        expect(reasons).toEqual({ 1: `url other.example is that of the blocked URL ${other.id} already` })
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
      const leadsBack =
        'mergedIntoId leads back to the employee: merged employees are shown under one who stands alone'
      const rounds = {
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
      test.each(Object.entries(rounds))(
        'that go round are rejected where they would close: %s',
        async (_, files) => {
          const outcomes = []
          for (const lines of files) outcomes.push(await importFile('employees.jsonl', lines))
          expect(outcomes.flatMap(({ reasons }) => Object.values(reasons))).toEqual([leadsBack])
          expect(outcomes.at(-1)?.total.rejected).toBe(1)
        },
      )

      test('that are turned round are taken in, whichever line comes first', async () => {
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

    test('groups that an employee has twice are kept once, as POST keeps them', async () => {
      const employee = anEmployee({ groups: ['b', 'a', 'b'] })
      expect((await importFile('employees.jsonl', [employee])).total).toEqual(counts(1))
      expect((await importFile('employees.jsonl', [employee])).total).toEqual(counts(0, 0, 1))
      expect(await stored('employees')).toEqual([{ ...employee, groups: ['b', 'a'] }])
    })

    test('groups and labels are kept as the API keeps them: without blanks, and labels once whatever their case', async () => {
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

      test('are reserved for the primary where the merged employee is not in the file', async () => {
        const primary = primaryWith(old)
        const other = anEmployee({ email: 'OLD@example.com' })
        const { total, reasons } = await importFile('employees.jsonl', [primary, other])
        expect(total).toEqual(counts(1, 0, 0, 1))
        expect(reasons).toEqual({
          2: `email OLD@example.com belongs to the employee ${primary.id} already`,
        })
        expect(await holderOf(old)).toBe(primary.id)
      })

      test('that are the address of somebody else are rejected', async () => {
        const other = anEmployee({ email: 'OLD@example.com' })
        const primary = primaryWith(old)
        const { reasons } = await importFile('employees.jsonl', [other, primary])
        expect(reasons).toEqual({
          2: `secondaryEmails ${old} belongs to the employee ${other.id} already`,
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

      test('belong to the merged employee also when that one comes in another file', async () => {
        const primary = primaryWith(old)
        await importFile('employees.jsonl', [primary])
        const merged = anEmployee({ email: old, mergedIntoId: primary.id })
        expect((await importFile('employees.jsonl', [merged])).total).toEqual(counts(1))
        expect(await holderOf(old)).toBe(merged.id)
        expect((await importFile('employees.jsonl', [merged, primary])).total).toEqual(counts(0, 0, 2))
      })

      test('are free again when the primary has them no more', async () => {
        const primary = primaryWith(old)
        const other = anEmployee({ email: old })
        await importFile('employees.jsonl', [primary])
        // In this order, the address is free only after the second line.
        const lines = [other, { ...primary, secondaryEmails: [] }]
        expect(await importFile('employees.jsonl', lines)).toEqual({ total: counts(1, 1), reasons: {} })
        expect(await holderOf(old)).toBe(other.id)
      })

      test('come with a merge that was made since, however far apart its employees are', async () => {
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
