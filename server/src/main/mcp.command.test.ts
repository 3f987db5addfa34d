import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useCommandLine } from '../../../test/support/command-line.ts'
import { connectAssistant, protocolModes } from '../../../test/support/mcp-client.ts'
import { musterProgram } from '../../../test/support/muster-process.ts'
import { STORES } from '../../../test/support/stores.ts'

for (const store of STORES) {
  describe(`muster mcp, ${store}`, () => {
    const cli = useCommandLine(store)

    const assistant = async (words: string, mode: (typeof protocolModes)[number]) => {
      const [command, ...program] = musterProgram()
      const args = [...program, 'mcp', ...words.split(' ').filter(Boolean)]
      const env = { PATH: '/usr/bin:/bin', NO_COLOR: '1', ...cli.settings }
      const transport = new StdioClientTransport({ command, args, env, cwd: cli.folder, stderr: 'inherit' })
      const connected = await connectAssistant(transport, mode)
      onTestFinished(() => connected.client.close())
      return connected
    }

    const keyFile = async (permission: 'read-only' | 'full-access') => {
      const made = await cli.json(
        `keys create --name bot --holder ada@example.com --permission ${permission}`,
      )
      return { id: made.id as string, file: cli.file(`${permission}.key`, [made.key]) }
    }

    // The transport does not depend on the store.
    const modes = store === 'sqlite' ? protocolModes : (['legacy'] as const)
    test.each(modes)('reads without a key and changes nothing, with mode %s', async (mode) => {
      await cli.run('org add default')
      const { client, call } = await assistant('', mode)
      const { tools } = await client.listTools()
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
      expect((await call('search_employees')).data).toEqual({ records: [], nextCursor: null })
      expect((await call('current_figures')).data.totals).toMatchObject({ employees: 0 })
      expect((await call('block_url', { url: 'evil.example' })).text).toMatch(
        /Start muster mcp with --key-file and --allow-writes/,
      )
    })

    test('with a key and --allow-writes changes are audited, until the key is revoked', async () => {
      const { id, file } = await keyFile('full-access')
      const { call } = await assistant(`--key-file ${file} --allow-writes`, 'legacy')
      expect((await call('block_url', { url: 'evil.example' })).data).toMatchObject({ url: 'evil.example' })
      const { stdout } = await cli.run('audit list --json')
      for (const fact of ['"source":"API"', '"apiKeyName":"bot"', '"userAgent":"muster mcp"'])
        expect(stdout).toContain(fact)
      await cli.run(`keys revoke ${id}`)
      // A revocation takes effect within a second.
      await expect
        .poll(async () => (await call('search_apps')).text, { timeout: 20_000 })
        .toMatch(/was revoked/)
    })

    test('a message that is too long ends the command with a reason', async () => {
      await cli.run('org add default')
      const [command, ...program] = musterProgram()
      const env = { PATH: '/usr/bin:/bin', NO_COLOR: '1', ...cli.settings }
      const child = spawn(command, [...program, 'mcp'], { env, cwd: cli.folder })
      onTestFinished(() => void child.kill('SIGKILL'))
      child.stdin.write(
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(300 * 1024)}"}}\n`,
      )
      const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)])
      expect([code, stderr]).toEqual([1, 'A message of the assistant has more than 256 KiB.\n'])
    })

    test('--allow-writes needs a key with full access, and the file a valid key', async () => {
      expect(await cli.run('mcp --allow-writes')).toMatchObject({ code: 1 })
      const { file } = await keyFile('read-only')
      const refused = await cli.run(`mcp --allow-writes --key-file ${file}`)
      expect(refused.stderr).toMatch(/--allow-writes needs --key-file with an API key that has full access/)
      const wrong = await cli.run(`mcp --key-file ${cli.file('wrong.key', ['mstr_x'])}`)
      expect(wrong.stderr).toMatch(/must contain one valid API key/)
      expect((await cli.run('mcp --key-file missing.key')).stderr).toMatch(/missing\.key cannot be read/)
    })
  })
}
