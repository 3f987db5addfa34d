import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { runInShell } from '../../../../test/support/muster-process.ts'

const mib = 1024 * 1024

describe('errors of standard output', () => {
  const cli = useCommandLine('sqlite')
  const shell = (script: string, words: string) => runInShell(script, words.split(' '), cli.settings)

  test('a partial write to a file is reported and fails the command', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) await cli.run(`org add ${name}`)
    const file = join(cli.folder, 'organizations.json')
    writeFileSync(file, '')
    truncateSync(file, 64 * mib - 512)
    // Of all processes that ulimit knows, blocks have 512 bytes.
    const { code, stderr } = await shell(`ulimit -f ${(64 * mib) / 512}; "$@" >> ${file}`, 'org list --json')
    expect(stderr).toMatch(/^standard output exceeds the maximum file size: .*\n$/)
    expect(code).toBe(1)
    expect(
      readFileSync(file)
        .subarray(64 * mib - 512)
        .toString(),
    ).toMatch(/^\[\{"id":/)
  })

  test.each(['org list', 'audit export', '--help'])(
    'because the disk is full is told once, and fails the command: muster %s',
    async (words) => {
      await cli.run('org add emea')
      const { code, stderr } = await shell('"$@" > /dev/full', words)
      expect(stderr).toMatch(/^The disk is full \(standard output\): free some space .*\n$/)
      expect(code).toBe(1)
    },
  )

  test('a closed pipe is not a failure, and does not hide a failure of the command', async () => {
    await cli.run('org add emea')
    // The reader has ended long before there is anything to read.
    const codeOf = async (words: string) =>
      (await shell('{ "$@"; echo "exit code $?" >&2; } | :', words)).stderr
    expect(await codeOf('doctor --port x')).toBe('exit code 1\n')
    expect(await codeOf('audit export')).toBe('exit code 0\n')
    expect(await codeOf('org list')).toBe('exit code 0\n')
  })
})
