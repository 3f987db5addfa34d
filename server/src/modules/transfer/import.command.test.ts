import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import {
  aBlockedUrl,
  aBrowser,
  aBrowserExtension,
  aDetection,
  aFinding,
  anAccount,
  anApp,
  anEmployee,
} from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    /** Returns the records of a resource in an export of the organization. */
    const stored = async (resource: string): Promise<Record<string, unknown>[]> => {
      await cli.run('export out --force')
      const text = readFileSync(join(cli.folder, 'out', `${resource}.jsonl`), 'utf8')
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    }
    const counts = (added: number, replaced = 0, unchanged = 0, rejected = 0) => ({
      added,
      replaced,
      unchanged,
      rejected,
    })
    /**
     * Imports a file. @returns its counts, its rejects and its exit code
     */
    const importFile = async (name: string, lines: readonly (object | string)[]) => {
      cli.file(name, lines)
      rmSync(join(cli.folder, 'rejects.jsonl'), { force: true })
      const { code, stdout, stderr } = await cli.run(`import ${name} --rejects rejects.jsonl --json`)
      const rejects = readFileSync(join(cli.folder, 'rejects.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
      return { code, stderr, ...JSON.parse(stdout), rejects: rejects.map((line) => JSON.parse(line)) }
    }

    describe('records', () => {
      test('are stored unchanged with their IDs, in the order of creation', async () => {
        const [first, second, third] = [10, 20, 30].map((creationTimestamp) =>
          anEmployee({ creationTimestamp }),
        )
        const { code, total } = await importFile('employees.jsonl', [third ?? {}, first ?? {}, second ?? {}])
        expect({ code, total }).toEqual({ code: 0, total: counts(3) })
        expect(await stored('employees')).toEqual([first, second, third])
      })

      test('have the members of the API in its order, and null for missing ones', async () => {
        const { id, email, licensed, chatopsEnabled, groups, secondaryEmails, creationTimestamp } =
          anEmployee()
        const lines = [{ creationTimestamp, secondaryEmails, groups, chatopsEnabled, licensed, email, id }]
        expect((await importFile('employees.jsonl', lines)).code).toBe(0)
        const [employee] = await stored('employees')
        expect(JSON.stringify(employee)).toBe(
          JSON.stringify({
            id,
            email,
            firstName: null,
            lastName: null,
            department: null,
            location: null,
            licensed,
            chatopsEnabled,
            groups,
            secondaryEmails,
            mergedIntoId: null,
            creationTimestamp,
          }),
        )
      })

      test("are found by the API's filters", async () => {
        const lines = [
          aBrowserExtension({ permissions: ['tabs', 'cookies', 'tabs'] }),
          aBrowserExtension({ permissions: ['tabs'] }),
        ]
        expect((await importFile('browserExtensions.jsonl', lines)).total).toEqual(counts(2))
        expect((await importFile('browserExtensions.jsonl', lines)).total).toEqual(counts(0, 0, 2))
        expect(await stored('browserExtensions')).toEqual(lines)
      })

      test('with an existing ID are replaced in their position; equal ones change nothing', async () => {
        const people = [anEmployee(), anEmployee(), anEmployee()] as const
        await importFile('employees.jsonl', people)
        const changed = { ...people[1], department: 'Legal', email: 'new@example.com' }
        const again = await importFile('employees.jsonl', [people[0], changed, people[2]])
        expect(again.total).toEqual(counts(0, 1, 2))
        expect(await stored('employees')).toEqual([people[0], changed, people[2]])
      })

      test('with another creation time move to that position', async () => {
        const [one, two] = [anEmployee({ creationTimestamp: 10 }), anEmployee({ creationTimestamp: 20 })]
        await importFile('employees.jsonl', [one, two])
        const later = { ...one, creationTimestamp: 30 }
        expect((await importFile('employees.jsonl', [later])).total).toEqual(counts(0, 1))
        expect(await stored('employees')).toEqual([two, later])
      })

      test('repeated in a file count as replaced; the last one stays', async () => {
        const app = anApp()
        const { total } = await importFile('apps.jsonl', [app, anApp(), { ...app, notes: 'last' }])
        expect(total).toEqual(counts(2, 1))
        expect(await stored('apps')).toContainEqual({ ...app, notes: 'last' })
      })

      test('keep long and unusual texts', async () => {
        const odd = aBrowserExtension({
          name: '\u202e😀 \u2028 "\\',
          description: 'ü'.repeat(10_000),
          permissions: ['x'.repeat(2048), ''],
          hostPermissions: ['ф'.repeat(4096)],
        })
        expect((await importFile('browserExtensions.jsonl', [odd])).code).toBe(0)
        expect(await stored('browserExtensions')).toEqual([odd])
      })
    })

    describe('invalid lines', () => {
      const good = anEmployee()
      const { licensed: _licensed, ...withoutLicensed } = anEmployee()
      test.each<[string, object | string, RegExp]>([
        ['no JSON', '{"id": ', /^is not JSON/],
        ['no object', '[1]', /^must be a JSON object/],
        ['a member is missing that may not be null', withoutLicensed, /^licensed is required$/],
        ['a member that the API does not have', { ...good, age: 3 }, /^age is not a member/],
        [
          'a wrong type and a text that is too long',
          { ...good, licensed: 'yes', department: 'x'.repeat(300) },
          /department must have at most 256 characters.*licensed must be true or false|licensed must be true or false.*department must have at most 256/,
        ],
        ['a NUL', { ...good, firstName: 'a\u0000b' }, /^firstName must not contain control characters/],
        [
          'an unpaired surrogate',
          { ...good, firstName: 'a\ud800b' },
          /^firstName contains a NUL or an unpaired/,
        ],
        ['a time before 1970', { ...good, creationTimestamp: -1 }, /^creationTimestamp must be at least 0$/],
      ])('are rejected with file, line and reason: %s', async (_, line, reason) => {
        const others = [anEmployee(), anEmployee()] as const
        const { code, total, rejects, stderr } = await importFile('employees.jsonl', [
          others[0],
          line,
          '',
          others[1],
        ])
        expect({ code, total }).toEqual({ code: 1, total: counts(2, 0, 0, 1) })
        const record = typeof line === 'string' ? line : JSON.stringify(line)
        const file = join(cli.folder, 'employees.jsonl')
        expect(rejects).toEqual([{ file, line: 2, reason: expect.stringMatching(reason), record }])
        expect(stderr).toContain(`${file}:2: ${rejects[0].reason}`)
        expect(await stored('employees')).toEqual([...others].sort((a, b) => (a.id < b.id ? -1 : 1)))
      })

      test('in an encoding other than UTF-8 are rejected', async () => {
        writeFileSync(join(cli.folder, 'apps.jsonl'), Buffer.from([0x22, 0xff, 0x22, 0x0a]))
        const { code, stderr } = await cli.run('import apps.jsonl')
        expect(code).toBe(1)
        expect(stderr).toContain('apps.jsonl:1: is not valid UTF-8')
      })

      test('are printed up to a maximum of twenty, and counted', async () => {
        const { total, rejects, stderr } = await importFile(
          'apps.jsonl',
          Array.from({ length: 25 }, () => 'x'),
        )
        expect(total.rejected).toBe(25)
        expect(rejects).toHaveLength(25)
        expect(stderr.match(/apps\.jsonl:\d+: /g)).toHaveLength(20)
        expect(stderr).toContain('Rejected lines: 25. The first 20 are shown above. They are in')
      })

      test('with an address of another employee are rejected, naming the holder', async () => {
        const [ada, other] = [
          anEmployee({ email: 'Ada@example.com' }),
          anEmployee({ email: 'ada@EXAMPLE.com' }),
        ]
        const { total, rejects } = await importFile('employees.jsonl', [ada, other])
        expect(total).toEqual(counts(1, 0, 0, 1))
        expect(rejects[0]).toMatchObject({
          line: 2,
          reason: `email ada@EXAMPLE.com already belongs to the employee ${ada.id}`,
        })
        const moved = { ...ada, email: 'byron@example.com' }
        expect((await importFile('employees.jsonl', [moved, other])).total).toEqual(counts(1, 1))
      })
    })

    describe('dependent data', () => {
      test('an account has its own employee as user, and others as in usedBy', async () => {
        const account = anAccount({ lastUsedTimestamp: 1763712000 })
        await importFile('accounts.jsonl', [account])
        const primary = {
          accountId: account.id,
          employeeId: account.employeeId,
          lastUsedTimestamp: 1763712000,
          passwordManuallyTyped: null,
        }
        expect(await stored('usedBy')).toEqual([primary])
        const typed = { ...primary, passwordManuallyTyped: true }
        const second = { ...primary, employeeId: 'another', lastUsedTimestamp: null }
        expect((await importFile('usedBy.jsonl', [second, typed])).total).toEqual(counts(1, 1))
        await importFile('accounts.jsonl', [{ ...account, mfaRegistered: null }])
        expect(await stored('usedBy')).toEqual([typed, second])
      })

      test('users of missing accounts are stored', async () => {
        const line = { accountId: 'gone', employeeId: 'x', lastUsedTimestamp: 5, passwordManuallyTyped: null }
        expect((await importFile('usedBy.jsonl', [line])).code).toBe(0)
        expect(await stored('usedBy')).toEqual([line])
      })

      test('dangling references are reported with an example, unless resolved by later records', async () => {
        const employee = anEmployee()
        const browser = aBrowser({ employeeId: employee.id })
        const lost = aBrowser({ employeeId: 'nobody' })
        const lines = [browser, lost].map((record) => ({ resource: 'browsers', record }))
        const { code, warnings, stderr } = await importFile('mixed.jsonl', [
          ...lines,
          { resource: 'employees', record: employee },
        ])
        expect(code).toBe(0)
        expect(warnings).toEqual([
          {
            resource: 'browsers',
            member: 'employeeId',
            target: 'employees',
            count: 1,
            example: { id: lost.id, value: 'nobody' },
          },
        ])
        expect(stderr).toContain(
          `Warning: 1 browsers have a employeeId that does not exist in employees, for example nobody in ${lost.id}.`,
        )
      })
    })

    test('missing apps of detections and findings are reported', async () => {
      const app = anApp()
      for (const [resource, build] of [
        ['detections', aDetection],
        ['findings', aFinding],
      ] as const) {
        const [right, lost] = [build({ appId: app.id }), build({ appId: 'gone' })]
        cli.file('apps.jsonl', [app])
        cli.file(`${resource}.jsonl`, [right, lost, build({ appId: null })])
        const { warnings } = await cli.json(`import apps.jsonl ${resource}.jsonl`)
        expect(warnings).toContainEqual({
          resource,
          member: 'appId',
          target: 'apps',
          count: 1,
          example: { id: lost.id, value: 'gone' },
        })
      }
    })

    test('invalid addresses of employees are imported and reported', async () => {
      const [odd, ...others] = ['no address', 'ada', 'ada@example.com'].map((email) => anEmployee({ email }))
      const { code, warnings, stderr } = await importFile('employees.jsonl', [odd ?? {}, ...others])
      expect({ code, warnings }).toEqual({
        code: 0,
        warnings: [
          {
            resource: 'employees',
            member: 'email',
            target: null,
            count: 2,
            example: { id: odd?.id, value: 'no address' },
          },
        ],
      })
      expect(stderr).toContain(
        `Warning: 2 employees have a email that is not an e-mail address, for example no address in ${odd?.id}.`,
      )
    })

    describe('files', () => {
      const people = [anEmployee(), anEmployee()] as const
      beforeEach(() => {
        cli.file('some/employees.jsonl', [people[0]])
        cli.file('some/blockedUrls.jsonl', [aBlockedUrl()])
        cli.file('some/notes.jsonl', ['{}'])
      })

      test('of a directory are those named after a resource; others are reported', async () => {
        const { code, stderr } = await cli.run('import some')
        expect(code).toBe(0)
        expect(stderr).toContain(
          `Skipped ${join(cli.folder, 'some/notes.jsonl')}: it is not named after a resource.`,
        )
        expect(await stored('employees')).toEqual([people[0]])
        expect(await stored('blockedUrls')).toHaveLength(1)
      })

      test('can be compressed', async () => {
        writeFileSync(join(cli.folder, 'employees.jsonl.gz'), gzipSync(JSON.stringify(people[1])))
        expect((await cli.json('import employees.jsonl.gz')).total).toEqual(counts(1))
      })

      test('can start with a byte order mark and end without a line end', async () => {
        writeFileSync(
          join(cli.folder, 'employees.jsonl'),
          `\uFEFF${JSON.stringify(people[0])}\r\n${JSON.stringify(people[1])}`,
        )
        expect((await cli.json('import employees.jsonl')).total).toEqual(counts(2))
      })

      test('with another name have lines that name their resource', async () => {
        const lines = [
          { resource: 'employees', record: people[0] },
          { resource: 'people', record: {} },
          people[1],
        ]
        const { total, rejects } = await importFile('mixed.jsonl', lines)
        expect(total).toEqual(counts(1, 0, 0, 2))
        expect(rejects.map(({ reason }: { reason: string }) => reason)).toEqual([
          expect.stringMatching(/^resource is "people", but must be one of employees, apps, /),
          expect.stringMatching(/^must be { "resource"/),
        ])
      })

      test('are imported only into the named organization', async () => {
        await cli.run('org add emea')
        await cli.run('import some --org emea')
        expect(await stored('employees')).toEqual([])
        await cli.run('export out-emea --org emea')
        expect(cli.files('out-emea')['employees.jsonl']).toBe(`${JSON.stringify(people[0])}\n`)
      })

      test('that are missing are reported before anything is imported', async () => {
        await cli.run('org add emea')
        const { code, stderr } = await cli.run('import some/employees.jsonl missing.jsonl')
        expect(code).toBe(1)
        expect(stderr).toContain('missing.jsonl is neither a file nor a directory.')
        expect(await stored('employees')).toEqual([])
      })

      test('must be named', async () => {
        const { code, stderr } = await cli.run('import')
        expect(code).toBe(2)
        expect(stderr).toContain(
          'Name what to import: files, a directory, - for standard input, or another server with --from.',
        )
      })
    })
  })
}
