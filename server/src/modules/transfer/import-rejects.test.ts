import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { runInShell } from '../../../../test/support/muster-process.ts'

describe('import --rejects', () => {
  const cli = useCommandLine('sqlite')
  const textOf = (name: string) => readFileSync(join(cli.folder, name), 'utf8')

  describe('a file that the import reads', () => {
    const spellings: readonly [string, string, (folder: string) => void][] = [
      ['itself', 'import in/employees.jsonl --rejects in/employees.jsonl', () => undefined],
      ['in a directory', 'import in --rejects ./in/../in/employees.jsonl', () => undefined],
      [
        'by a symbolic link',
        'import in --rejects link.jsonl',
        (folder) => symlinkSync(join(folder, 'in/employees.jsonl'), join(folder, 'link.jsonl')),
      ],
      [
        'by a second name',
        'import in --rejects link.jsonl',
        (folder) => linkSync(join(folder, 'in/employees.jsonl'), join(folder, 'link.jsonl')),
      ],
    ]
    test.each(spellings)('is refused and stays unchanged: %s', async (_, words, prepare) => {
      for (const lines of [[anEmployee()], []]) {
        cli.file('in/employees.jsonl', lines)
        if (lines.length > 0) prepare(cli.folder)
        const before = textOf('in/employees.jsonl')
        const { code, stderr } = await cli.run(words)
        expect({ code, after: textOf('in/employees.jsonl') }).toEqual({ code: 2, after: before })
        expect(stderr).toMatch(/--rejects .* is a file that the import reads\. Name another one\./)
      }
    })
  })

  test('a file with content is refused before anything is imported, and stays unchanged', async () => {
    cli.file('employees.jsonl', [anEmployee()])
    cli.file('notes.txt', ['mine'])
    const { code, stderr } = await cli.run('import employees.jsonl --rejects notes.txt')
    expect({ code, text: textOf('notes.txt') }).toEqual({ code: 1, text: 'mine\n' })
    expect(stderr).toMatch(/--rejects .*notes\.txt" already exists\. Name another file\./)
    expect((await cli.json('import employees.jsonl')).total.added).toBe(1)
  })

  test('an empty file is accepted, for example that of an import without rejects', async () => {
    cli.file('employees.jsonl', [anEmployee()])
    for (const code of [0, 0])
      expect((await cli.run('import employees.jsonl --rejects rejects.jsonl')).code).toBe(code)
    cli.file('employees.jsonl', ['x'])
    expect((await cli.run('import employees.jsonl --rejects rejects.jsonl')).code).toBe(1)
    expect(JSON.parse(textOf('rejects.jsonl'))).toMatchObject({ line: 1, record: 'x' })
  })

  test('a full disk ends the import without claiming the record was saved', async () => {
    const mib = 1024 * 1024
    cli.file(
      'employees.jsonl',
      ['a', 'b', 'c'].map((letter) => letter.repeat(6 * mib)),
    )
    const inFolder = (name: string) => join(cli.folder, name)
    // Blocks of 512 bytes.
    const script = `ulimit -f ${(16 * mib) / 512}; "$@"`
    const args = ['import', inFolder('employees.jsonl'), '--rejects', inFolder('rejects.jsonl')]
    const { code, stderr } = await runInShell(script, args, cli.settings)
    expect(stderr).toMatch(/rejects\.jsonl exceeds the maximum file size/)
    expect(stderr).not.toMatch(/They are in| {4}at /)
    expect(code).toBe(1)
  })

  test('the key file of a pull is refused', async () => {
    cli.file('key.txt', [])
    const words = 'import --from https://localhost:1 --key-file key.txt --rejects key.txt'
    const { code, stderr } = await cli.run(words)
    expect(code).toBe(2)
    expect(stderr).toContain('is a file that the import reads')
  })

  describe('unreadable lines are saved as far as they can be represented', () => {
    const importRaw = async (...parts: (string | Buffer)[]) => {
      writeFileSync(join(cli.folder, 'apps.jsonl'), Buffer.concat(parts.map((part) => Buffer.from(part))))
      await cli.run('import apps.jsonl --rejects rejects.jsonl')
      const [first = ''] = textOf('rejects.jsonl').split('\n')
      return JSON.parse(first)
    }

    test('in an encoding other than UTF-8', async () => {
      const line = Buffer.from('{"id":"1","notes":"caf\xe9"}', 'latin1')
      expect(await importRaw('\n', line, '\n')).toMatchObject({
        line: 2,
        reason: 'is not valid UTF-8',
        record: '{"id":"1","notes":"caf\uFFFD"}',
      })
    })

    test('truncated if they are too long', async () => {
      const { line, reason, record } = await importRaw('{"id":"1', 'x'.repeat(33 * 1024 * 1024), '\n')
      expect({ line, reason }).toEqual({ line: 1, reason: 'is longer than 33554432 bytes' })
      expect(record).toBe(`{"id":"1${'x'.repeat(992)}…`)
    })
  })
})
