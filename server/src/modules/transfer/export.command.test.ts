import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CommandLine, useCommandLine } from '../../../../test/support/command-line.ts'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'

const demo = 'demo --employees 120 --days 12 --now 2026-10-01'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    test('an import of an export in another deployment exports the same bytes', async () => {
      await cli.run(demo)
      expect((await cli.run('export first')).code).toBe(0)
      const first = cli.files('first')
      expect(Object.keys(first)).toHaveLength(11)
      expect(Object.entries(first).filter(([, text]) => text === '')).toEqual([])

      await cli.run('org add second')
      const imported = await cli.json('import first --org second')
      expect(imported.warnings).toEqual([])
      expect(imported.total.rejected).toBe(0)
      await cli.run('export second --org second')
      expect(cli.files('second')).toEqual(first)

      for (const other of STORES) {
        const elsewhere: CommandLine = await cli.another(other)
        await elsewhere.run('import first')
        await elsewhere.run(`export third-${other}`)
        expect(cli.files(`third-${other}`)).toEqual(first)
      }
    })

    test('compressed files can be imported', async () => {
      await cli.run(demo)
      await cli.run('export plain')
      await cli.run('export packed --gzip')
      expect(Object.keys(cli.files('packed')).every((name) => name.endsWith('.jsonl.gz'))).toBe(true)
      const elsewhere = await cli.another(store)
      await elsewhere.run('import packed')
      await elsewhere.run('export again')
      expect(cli.files('again')).toEqual(cli.files('plain'))
    })

    test('refuses a directory that is not empty, unless --force is given', async () => {
      cli.file('out/employees.jsonl.gz', ['old'])
      cli.file('out/mine.txt', ['mine'])
      const { code, stderr } = await cli.run('export out')
      expect(code).toBe(1)
      expect(stderr).toContain('out is not empty. Name another directory, or overwrite it with --force.')
      expect(Object.keys(cli.files('out'))).toEqual(['employees.jsonl.gz', 'mine.txt'])
      cli.file('employees.jsonl', [anEmployee()])
      await cli.run('import employees.jsonl')
      expect((await cli.json('export out --force')).records).toMatchObject({ employees: 1, apps: 0 })
      expect(Object.keys(cli.files('out'))).not.toContain('employees.jsonl.gz')
      expect(cli.files('out')['mine.txt']).toBe('mine\n')
    })

    test('with --force an earlier export stays intact until the new one is complete', async () => {
      cli.file('employees.jsonl', [anEmployee()])
      await cli.run('import employees.jsonl')
      await cli.run('export out')
      cli.file('out/apps.jsonl.gz', ['old'])
      const before = cli.files('out')
      expect(await cli.run('export out --force --org nope')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Organization "nope" not found.'),
      })
      expect((await cli.run('export out --force --database-url postgres://127.0.0.1:1/none')).code).toBe(1)
      // Block a file that is written late.
      mkdirSync(join(cli.folder, 'out/findings.jsonl.partial'))
      expect((await cli.run('export out --force')).code).toBe(1)
      rmdirSync(join(cli.folder, 'out/findings.jsonl.partial'))
      expect(cli.files('out')).toEqual(before)
    })

    test('a failed export leaves no directory behind', async () => {
      expect((await cli.run('export out --org nope')).code).toBe(1)
      expect(existsSync(join(cli.folder, 'out'))).toBe(false)
    })
  })
}
