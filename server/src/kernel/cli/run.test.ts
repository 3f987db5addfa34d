import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { capturedStream } from '../../../../test/support/captured-stream.ts'
import { commandsOf } from '../../main/commands.ts'
import { newApiKey } from '../lib/secrets/api-key.ts'
import { type Command, CommandFailure, defineCommand } from './command.ts'
import { optionsOf } from './option-table.ts'
import { runCli } from './run.ts'

let cwd: string
let seen: unknown

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'muster-cli-'))
  seen = undefined
})
afterEach(() => rmSync(cwd, { recursive: true }))

const { key: apiKey } = newApiKey()

const sample: readonly Command[] = [
  defineCommand({
    name: 'keys create',
    summary: 'Make an API key',
    details: 'Example: muster keys create --name CI --permission read-only',
    options: {
      name: { type: 'text', help: 'what the key is for', required: true, placeholder: 'NAME' },
      permission: {
        type: 'text',
        help: 'what it may do',
        choices: ['read-only', 'full-access'],
        required: true,
      },
      days: { type: 'number', help: 'days until it ends', minimum: 1, maximum: 3_650, fallback: '365' },
      allowFrom: { type: 'list', help: 'network it may be used from' },
      dryRun: { type: 'flag', help: 'only say what would be done' },
    },
    json: true,
    async run(context, { options }) {
      const typed: 'read-only' | 'full-access' = options.permission
      const days: number = options.days
      seen = { ...options, typed, days, json: context.json }
    },
  }),
  defineCommand({ name: 'keys list', summary: 'List API keys', options: {}, async run() {} }),
  defineCommand({
    name: 'import',
    summary: 'Import records',
    options: {},
    positionals: [{ name: 'PATH', help: 'file to import', required: true, many: true }],
    async run(_context, { words }) {
      seen = words
    },
  }),
  defineCommand({
    name: 'serve',
    summary: 'Serve',
    options: {},
    settings: ['port', 'plainHttp', 'tlsCert', 'trustProxy'],
    async run(context) {
      seen = context.config()
    },
  }),
  defineCommand({
    name: 'fail',
    summary: 'Fail',
    options: {},
    positionals: [{ name: 'HOW', help: 'how to fail' }],
    async run(_context, { words: [how] }) {
      if (how === 'expected') throw new CommandFailure(`The key ${apiKey} is used up.`)
      if (how === 'bug') throw new TypeError('cannot read')
      return how === undefined ? 1 : 0
    },
  }),
]

async function run(argv: readonly string[], env: Record<string, string> = {}, list = sample) {
  const stdout = capturedStream()
  const stderr = capturedStream()
  const code = await runCli(list, argv, { stdout, stderr, env, cwd, signal: new AbortController().signal })
  return { code, stdout: stdout.taken(), stderr: stderr.taken() }
}

describe('arguments', () => {
  test('reach the command with their types', async () => {
    const words =
      'keys create --name CI --permission=read-only --allow-from a --allow-from=b --dry-run --json'
    expect(await run(words.split(' '))).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(seen).toEqual({
      name: 'CI',
      permission: 'read-only',
      typed: 'read-only',
      days: 365,
      allowFrom: ['a', 'b'],
      dryRun: true,
      json: true,
    })
  })

  test('without dashes are positional, also after --', async () => {
    expect((await run(['import', 'a.jsonl', '--', '--odd'])).code).toBe(0)
    expect(seen).toEqual(['a.jsonl', '--odd'])
  })

  const create = ['keys', 'create', '--name', 'CI', '--permission', 'read-only']
  test.each<[string[], string]>([
    [['keys', 'create', '--permission', 'read-only'], '--name is missing: what the key is for.'],
    [['keys', 'create', '--nmae', 'CI'], 'Unknown option --nmae. Did you mean --name?'],
    [[...create, '--color', 'red'], 'Unknown option --color.'],
    [['keys', 'create', '--name', '--json'], '--name requires a value: --name NAME.'],
    [['keys', 'create', '--name'], '--name requires a value: --name NAME.'],
    [['keys', 'create', '--name='], '--name must not be empty.'],
    [[...create, '--name', 'B'], '--name was given twice.'],
    [[...create, '--dry-run=yes'], '--dry-run takes no value. Remove "yes".'],
    [[...create, '--days', '0'], '--days is "0", but must be a whole number from 1 to 3650.'],
    [
      ['keys', 'create', '--name', 'CI', '--permission', 'all'],
      '"all", but must be one of read-only, full-access.',
    ],
    [[...create, 'extra'], 'Unexpected argument "extra".'],
    [['import'], 'PATH is missing: file to import.'],
    [['keys', 'list', '--json'], 'Unknown option --json.'],
    [['keys', 'list', '--data', ''], '--data must not be empty.'],
    [['keys', 'list', '--config= '], '--config must not be empty.'],
    [['keys', 'list', '--database-url='], '--database-url must not be empty.'],
    [['serve', '--port='], '--port must not be empty.'],
  ])('that are invalid are reported with the usage: %j', async (argv, message) => {
    const { code, stdout, stderr } = await run(argv)
    expect(stderr).toContain(message)
    expect(stderr).toContain(`Usage: muster ${argv[0]}`)
    expect({ code, stdout, seen }).toEqual({ code: 2, stdout: '', seen: undefined })
  })
})

describe('settings', () => {
  test.each([
    [['serve', '--trust-proxy'], true],
    [['serve', '--trust-proxy', '--port', '9000'], true],
    [['serve', '--trust-proxy', '192.0.2.1'], ['192.0.2.1']],
  ])('--trust-proxy works with and without a value: %j', async (words, trustProxy) => {
    expect((await run(words)).code).toBe(0)
    expect(seen).toMatchObject({ trustProxy })
  })

  test.each([
    [['serve', '--plain-http'], true],
    [['serve', '--plain-http', '--port', '9000'], true],
    [['serve', '--plain-http=false'], false],
    [['serve', '--plain-http', 'false'], false],
  ])(
    'a switch works without a value, and with false overrides the environment: %j',
    async (words, plainHttp) => {
      expect((await run(words, { MUSTER_PLAIN_HTTP: 'true' })).stderr).toBe('')
      expect(seen).toMatchObject({ plainHttp })
    },
  )

  test('given as flags override the environment', async () => {
    const argv =
      'serve --port 9000 --plain-http --trust-proxy 10.0.0.0/8 --data d --database-url postgres://db/x'.split(
        ' ',
      )
    expect((await run(argv, { MUSTER_PORT: '1' })).stderr).toBe('')
    expect(seen).toMatchObject({
      port: 9000,
      plainHttp: true,
      trustProxy: ['10.0.0.0/8'],
      data: join(cwd, 'd'),
      databaseUrl: 'postgres://db/x',
    })
  })

  test('that are invalid are all reported, by the name that was used', async () => {
    const { code, stderr } = await run(['serve', '--cert', 'c.pem', '--port', 'x'], { MUSTER_HOSTS: 'y' })
    expect(code).toBe(2)
    expect(stderr.split('\n')).toEqual([
      'Invalid settings:',
      '- MUSTER_HOSTS in the environment is not a known setting. Did you mean MUSTER_HOST?',
      '- --port is "x", but must be a whole number from 0 to 65535.',
      '- Set both MUSTER_TLS_CERT and MUSTER_TLS_KEY, or neither.',
      '',
    ])
  })
})

describe('help', () => {
  test.each([
    [['keys', 'create', '--help']],
    [['help', 'keys', 'create']],
    [['keys', 'create', '--wrong', '-h']],
  ])('of a command: %j', async (argv) => {
    const { code, stdout } = await run(argv)
    expect(code).toBe(0)
    expect(stdout).toContain(
      'Usage: muster keys create --name NAME --permission read-only|full-access [options]',
    )
    expect(stdout).toContain('--days N')
    expect(stdout).toContain('days until it ends (default 365)')
    expect(stdout).toContain('--database-url URL')
    expect(stdout).toContain('Example: muster keys create')
  })

  test('shows the default of a setting', async () => {
    const { stdout } = await run(['serve', '--help'])
    expect(stdout).toMatch(/--data DIR .*\(default data\)/)
    expect(stdout).toMatch(/--port N .*\(default 8443\)/)
    expect(stdout).not.toMatch(/--plain-http .*\(default/)
  })

  test('lists every command', async () => {
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const { name, summary } of sample) expect(stdout).toMatch(new RegExp(`  ${name} +${summary}`))
  })

  test('of a group lists its commands only', async () => {
    const { code, stdout } = await run(['keys', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('keys list')
    expect(stdout).not.toContain('import')
  })

  test.each<[string[], string]>([
    [[], 'Missing command.'],
    [['srve'], 'Unknown command "srve". Did you mean serve?'],
    [['keys'], 'Missing subcommand.'],
    [['keys', 'creat'], 'Unknown command "keys creat". Did you mean keys create?'],
    [['--json', 'serve'], 'Unexpected option --json. Options follow the command.'],
  ])('is shown for an unknown command: %j', async (argv, message) => {
    const { code, stdout, stderr } = await run(argv)
    expect(stderr).toContain(message)
    expect(stderr).toContain('Usage: muster <command>')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

describe('failures', () => {
  test('that are expected are reported by message only, without secrets', async () => {
    const { code, stderr } = await run(['fail', 'expected'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: `The key ${apiKey.slice(0, 9)}*** is used up.\n` })
  })

  test('that are unexpected are reported with their stack', async () => {
    const { code, stderr } = await run(['fail', 'bug'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^muster fail failed: TypeError: cannot read\n +at /)
  })

  test('may be reported by exit code only', async () => {
    expect(await run(['fail'])).toEqual({ code: 1, stdout: '', stderr: '' })
  })
})

describe('the commands of this release', async () => {
  const commands = await commandsOf()

  test('are loaded by their first word', async () => {
    for (const word of new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))) {
      const named = commands.filter(({ name }) => name.split(' ')[0] === word)
      expect(await commandsOf(word)).toEqual(named)
    }
  })

  test('have unique names and options', () => {
    const names = commands.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const command of commands) {
      const typed = optionsOf(command).map((option) => option.typed)
      expect([command.name, [...new Set(typed)]]).toEqual([command.name, typed])
    }
  })

  test('all print help', async () => {
    for (const { name } of commands) {
      const { code, stdout } = await run([...name.split(' '), '--help'], {}, commands)
      expect(code).toBe(0)
      expect(stdout).toContain(`Usage: muster ${name}`)
    }
  })

  test('muster config prints the effective settings without secrets', async () => {
    const env = { MUSTER_REDIS_URL: 'redis://:sesame@cache', MUSTER_SECRET_KEY: 'ab'.repeat(32) }
    const text = await run(['config', '--port', '9000'], env, commands)
    expect(text.code).toBe(0)
    expect(text.stdout).toMatch(/^MUSTER_PORT +flag +9000$/m)
    expect(text.stdout).toMatch(/^MUSTER_REDIS_URL +environment +redis:\/\/:\*\*\*@cache$/m)
    const json = await run(['config', '--json'], env, commands)
    expect(JSON.parse(json.stdout)).toMatchObject({ configFile: null })
    expect(text.stdout + json.stdout).not.toMatch(/sesame|abab/)
  })

  test('muster version prints the version', async () => {
    expect((await run(['version'], {}, commands)).stdout).toMatch(
      /^muster \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+\)\n$/,
    )
    expect(JSON.parse((await run(['version', '--json'], {}, commands)).stdout)).toHaveProperty('version')
  })
})
