import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { commandsOf } from '../../main/commands.ts'
import { requireServable } from '../../modules/doctor/require-servable.ts'
import { loadConfig } from '../config/config.ts'
import type { Command } from './command.ts'
import { parseCommandLine } from './parse.ts'

const execute = promisify(execFile)

/** Stands in for `muster` in a shell: writes down the words, the environment and the input that it gets. */
const standIn = (notes: string): string => `#!/bin/sh
printf '%s\\0' "$@" > ${notes}/words
env -0 > ${notes}/env
cat > ${notes}/input
`

/** Examples that are parsed and not run: they listen, call other servers, or take minutes. */
const parsedOnly = /^muster (?:serve|demo|mcp|import --from)|muster (?:serve|restore)/

/** Examples in the help of a command. A line that is indented further continues the line above. */
const examplesOf = ({ details = '' }: Command): string[] =>
  (details.split(/Examples?:\n/)[1] ?? '')
    .split(/\n(?= {2}\S)/)
    .map((example) => example.trim())
    .filter((example) => example !== '')

const commands = await commandsOf()
const examples = commands.flatMap(examplesOf)

/** The command that the words begin with. */
const commandOf = (words: readonly string[]): Command | undefined =>
  commands.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))

describe('examples in the help', () => {
  const cli = useCommandLine('sqlite')
  let notes = ''
  beforeAll(() => {
    notes = mkdtempSync(join(tmpdir(), 'muster-examples-'))
    writeFileSync(join(notes, 'muster'), standIn(notes), { mode: 0o755 })
  })
  afterAll(() => rmSync(notes, { recursive: true }))

  /** Takes an example apart as a shell does. Absolute paths lead into the folder of the test. */
  async function typed(example: string) {
    const env = { PATH: `${notes}:${process.env.PATH}`, TOKEN: 'token' }
    await execute('/bin/sh', ['-c', `exec < /dev/null\n${example}`], { cwd: cli.folder, env })
    const read = (name: string) => readFileSync(join(notes, name), 'utf8').split('\0').slice(0, -1)
    const words = read('words').map((word) => word.replace(/^\/(?:srv|var)\//, `${cli.folder}/`))
    return { words, env: Object.fromEntries(read('env').map((line) => line.split(/=(.*)/s))) }
  }

  test('exist for every command with options of its own', () => {
    const without = commands.filter((command) => examplesOf(command).length === 0)
    expect(without.map(({ name }) => name)).toEqual(['config', 'version'])
  })

  test.each(examples)('%s: is well-formed', async (example) => {
    const { words, env } = await typed(example)
    const command = commandOf(words)
    expect(command).toBeDefined()
    const line = command && parseCommandLine(command, words.slice(command.name.split(' ').length))
    const config = loadConfig({ env, flags: { data: cli.dataDir, ...line?.flags }, cwd: cli.folder })
    expect(() => requireServable(config)).not.toThrow()
  })

  test.each(examples.filter((example) => !parsedOnly.test(example)))(
    '%s: runs, or says what is not there',
    async (example) => {
      await cli.run('org add emea')
      const { words } = await typed(example)
      const [first = '', ...more] = words.map((word) => (word === '-' ? join(notes, 'input') : word))
      const { code, stderr } = await cli.run(first, ...more)
      // 2 is for wrong arguments; an unexpected error shows its stack.
      expect({ code, stderr }).toEqual({
        code: expect.toSatisfy((one: number) => one === 0 || one === 1),
        stderr: expect.not.stringMatching(/ failed: |\n {4}at /),
      })
    },
  )
})
