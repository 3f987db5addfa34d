import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { commandsOf } from '../../main/commands.ts'
import type { Command } from './command.ts'
import { optionsOf } from './option-table.ts'

const commands = await commandsOf()

/** Words of commands that look at them before they look for the store. */
const knownWords: Readonly<Record<string, readonly string[]>> = {
  'api deprecate': ['v1', '--on', '2099-01-01'],
  'alerts set': ['x', '--hour', '8'],
  'webhooks replay': ['x'],
}

/** The words that a command cannot do without. */
const wordsOf = (command: Command): string[] => [
  ...command.name.split(' '),
  ...(knownWords[command.name] ??
    (command.positionals ?? []).filter(({ required }) => required).map(() => 'x')),
  ...optionsOf(command)
    .filter(({ required }) => required)
    .flatMap(({ typed, choices }) => [`--${typed}`, choices?.[0] ?? 'x']),
]

describe('a mistyped data folder', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })

  test.each(commands.filter(({ needsStore }) => needsStore).map((command) => [command.name, command]))(
    'is told and not made by muster %s',
    async (_name, command) => {
      const [first = '', ...more] = [...wordsOf(command), '--data', 'typo']
      const { code, stdout, stderr } = await cli.run(first, ...more)
      expect(stderr).toContain(
        `No database found in ${join(cli.folder, 'typo')}. Set the data folder with --data.`,
      )
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(existsSync(join(cli.folder, 'typo'))).toBe(false)
    },
  )

  test('gets a new store only by commands that may run first', () => {
    const firsts = commands.filter(({ needsStore }) => !needsStore).map(({ name }) => name)
    expect(firsts.toSorted()).toEqual([
      'admin invite',
      'alerts add',
      'catalog add',
      'config',
      'controls set',
      'demo',
      'doctor',
      'enrollment-tokens create',
      'import',
      'keys create',
      'org add',
      'range load',
      'restore',
      'serve',
      'version',
      'webhooks add',
    ])
  })
})
