import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../../test/support/command-line.ts'
import { runInShell, startMuster } from '../../../../../test/support/muster-process.ts'

describe('the master key', () => {
  const cli = useCommandLine('postgres')

  test('leaves no partial file on a full disk; the next start creates one', async () => {
    const { code, stderr } = await runInShell('ulimit -f 0; "$@"', ['serve'], cli.settings)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/exceeds the maximum file size/)])
    expect(readdirSync(cli.dataDir).filter((name) => name.includes('key'))).toEqual([])
    const server = await startMuster(cli.settings)
    expect(readdirSync(cli.dataDir).filter((name) => name.includes('key'))).toEqual(['muster.key'])
    expect(await server.stop()).toBe(0)
  })
})
