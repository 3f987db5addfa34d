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
      'muster %s ends when it is told to, also while nothing comes',
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
        // It is taken in as soon as it is asked for, and then nothing more comes.
        child.stdin.write('\n'.repeat(4 * 1024 * 1024))
        await once(child.stdin, 'drain')
        child.kill('SIGTERM')
        expect(await ended).toEqual([1, null])
        expect(stderr).toContain(`muster ${words.slice(0, -2)} was interrupted.\n`)
        child.stdin.destroy()
      },
    )

    describe('a file that cannot be read to its end', () => {
      test('is told with its name and how far it came, and the others are imported', async () => {
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
          `${file} cannot be read beyond line ${lines}: unexpected end of file. What follows there was not imported.`,
        )
        await cli.run('export out')
        expect(cli.files('out')['employees.jsonl']).toBe(jsonLines(people.slice(0, lines)))
      })

      test('is told when it is not packed at all, though its name says so', async () => {
        cli.file('employees.jsonl.gz', [anEmployee()])
        const { code, incomplete } = await importBroken('employees.jsonl.gz')
        expect({ code, incomplete }).toEqual({
          code: 1,
          incomplete: [{ file: at('employees.jsonl.gz'), lines: 0, reason: 'incorrect header check' }],
        })
      })
    })

    test('blank lines are no records, and the progress ends with all of them', async () => {
      cli.file('apps.jsonl', [anApp(), '', '\r', anApp(), ''])
      expect((await cli.run('import apps.jsonl')).stderr).toMatch(/apps\.jsonl {2}100 % {2}2 of 2 records/)
    })

    test.each<[string, (path: string) => void]>([
      ['a directory', (path) => mkdirSync(path)],
      ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
    ])('%s that is named like a file of a directory is told before anything is imported', async (_, make) => {
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

  test('--skip leaves a resource of a directory out, and names its file', async () => {
    cli.file('in/employees.jsonl', [anEmployee()])
    cli.file('in/apps.jsonl', [anApp()])
    const { code, stdout, stderr } = await cli.run('import in --skip employees --json')
    expect({ code, resources: Object.keys(JSON.parse(stdout).resources) }).toEqual({
      code: 0,
      resources: ['apps'],
    })
    expect(stderr).toContain(`${join(cli.folder, 'in/employees.jsonl')} is left out: --skip employees.`)
  })

  test.each([
    [
      'employees.jsonl --skip employees',
      '--skip leaves files of a directory out, but employees.jsonl is none.',
    ],
    ['in --skip people', '--skip is "people", but must be one of employees'],
    ['in --key k', '--key is about another server: name it with --from URL.'],
    ['in --key-file k', '--key-file is about another server: name it with --from URL.'],
    ['in --records-member result', '--records-member is about another server'],
    ['in --ca cert.pem --insecure', '--ca and --insecure are about another server: name it with --from URL.'],
    ['in --restart', '--restart is about another server'],
  ])('that would do nothing are refused: import %s', async (words, told) => {
    cli.file('in/employees.jsonl', [anEmployee()])
    cli.file('employees.jsonl', [anEmployee()])
    const { code, stderr } = await cli.run(`import ${words}`)
    expect(code).toBe(2)
    expect(stderr).toContain(told)
  })

  test('an empty path is refused: it would be the current directory', async () => {
    const { code, stderr } = await cli.run('import', '')
    expect(code).toBe(2)
    expect(stderr).toContain('A path is empty')
  })
})
