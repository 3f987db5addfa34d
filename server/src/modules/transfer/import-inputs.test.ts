import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { musterProgram } from '../../../../test/support/muster-process.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    const at = (name: string) => join(cli.folder, name)
    const jsonLines = (records: readonly object[]) =>
      records.map((record) => `${JSON.stringify(record)}\n`).join('')
    const importBroken = async (words: string) => {
      const { code, stdout, stderr } = await cli.run(`import ${words} --json`)
      expect(stderr).not.toMatch(/^\s+at /m)
      return { code, stderr, ...JSON.parse(stdout) }
    }

    test.each(['import -', 'controls set -', 'range load -'])(
      'muster %s ends when it is expected to, also while nothing comes',
      async (words) => {
        await cli.run('org list')
        const [program, ...options] = musterProgram()
        const child = spawn(program, [...options, ...words.split(' ')], {
          env: { PATH: '/usr/bin:/bin', ...cli.settings },
          stdio: ['pipe', 'ignore', 'pipe'],
        })
        const ended = once(child, 'exit')
        let stderr = ''
        child.stderr.on('data', (part) => {
          stderr += part
        })
        // The first chunk is read at once, then the input stays open.
        child.stdin.write('\n'.repeat(4 * 1024 * 1024))
        await once(child.stdin, 'drain')
        child.kill('SIGTERM')
        expect(await ended).toEqual([1, null])
        expect(stderr).toContain(`muster ${words.slice(0, -2)} was interrupted.\n`)
        child.stdin.destroy()
      },
    )

    describe('a file that cannot be read to its end', () => {
      test('is reported with its name and last line, and the other files are imported', async () => {
        const people = Array.from({ length: 8000 }, () =>
          anEmployee({ lastName: randomBytes(187).toString('base64') }),
        )
        cli.file('in/apps.jsonl', [anApp()])
        writeFileSync(at('in/employees.jsonl.gz'), gzipSync(jsonLines(people)))
        truncateSync(at('in/employees.jsonl.gz'), 1_500_000)
        const { code, stderr, total, resources, incomplete } = await importBroken('in')
        expect({ code, apps: resources.apps.added }).toEqual({ code: 1, apps: 1 })
        const [{ file, lines, reason }] = incomplete
        expect({ file, reason }).toEqual({
          file: at('in/employees.jsonl.gz'),
          reason: 'unexpected end of file',
        })
        expect(resources.employees.added).toBe(lines)
        expect(lines).toBeGreaterThan(1000)
        expect(total.rejected).toBe(0)
        expect(stderr).toContain(
          `${file} cannot be read after line ${lines}: unexpected end of file. The rest was not imported.`,
        )
        await cli.run('export out')
        expect(cli.files('out')['employees.jsonl']).toBe(jsonLines(people.slice(0, lines)))
      })

      test('is reported if it is not compressed although its name says so', async () => {
        cli.file('employees.jsonl.gz', [anEmployee()])
        const { code, incomplete } = await importBroken('employees.jsonl.gz')
        expect({ code, incomplete }).toEqual({
          code: 1,
          incomplete: [{ file: at('employees.jsonl.gz'), lines: 0, reason: 'incorrect header check' }],
        })
      })
    })

    test('blank lines are not records, and the progress reaches the total', async () => {
      cli.file('apps.jsonl', [anApp(), '', '\r', anApp(), ''])
      expect((await cli.run('import apps.jsonl')).stderr).toMatch(/apps\.jsonl {2}100 % {2}2 of 2 records/)
    })

    test.each<[string, (path: string) => void]>([
      ['a directory', (path) => mkdirSync(path)],
      ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
    ])('%s named like a file of a directory is reported before anything is imported', async (_, make) => {
      await cli.run('org add Default')
      cli.file('in/employees.jsonl', [anEmployee()])
      make(at('in/usedBy.jsonl'))
      const { code, stderr } = await cli.run('import in')
      expect({ code, stderr }).toEqual({ code: 1, stderr: `${at('in/usedBy.jsonl')} is not a file.\n` })
      await cli.run('export out')
      expect(readFileSync(at('out/employees.jsonl'), 'utf8')).toBe('')
    })
  })
}

describe('options of import', () => {
  const cli = useCommandLine('sqlite')

  test('--skip leaves out a resource of a directory and names its file', async () => {
    cli.file('in/employees.jsonl', [anEmployee()])
    cli.file('in/apps.jsonl', [anApp()])
    const { code, stdout, stderr } = await cli.run('import in --skip employees --json')
    expect({ code, resources: Object.keys(JSON.parse(stdout).resources) }).toEqual({
      code: 0,
      resources: ['apps'],
    })
    expect(stderr).toContain(`Skipped ${join(cli.folder, 'in/employees.jsonl')}: --skip employees.`)
  })

  test.each([
    ['employees.jsonl --skip employees', '--skip applies to directories, but employees.jsonl is a file.'],
    ['in --skip people', '--skip is "people", but must be one of employees'],
    ['in --key k', '--key needs another server. Name it with --from URL.'],
    ['in --key-file k', '--key-file needs another server. Name it with --from URL.'],
    ['in --records-member result', '--records-member needs another server'],
    ['in --ca cert.pem --insecure', '--ca and --insecure need another server. Name it with --from URL.'],
    ['in --restart', '--restart needs another server'],
  ])('refuses options without effect: import %s', async (words, expected) => {
    cli.file('in/employees.jsonl', [anEmployee()])
    cli.file('employees.jsonl', [anEmployee()])
    const { code, stderr } = await cli.run(`import ${words}`)
    expect(code).toBe(2)
    expect(stderr).toContain(expected)
  })

  test('refuses an empty path, which would mean the current directory', async () => {
    const { code, stderr } = await cli.run('import', '')
    expect(code).toBe(2)
    expect(stderr).toContain('A path is empty')
  })
})
