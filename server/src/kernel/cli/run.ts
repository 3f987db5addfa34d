import { visibleText } from '@muster/contract/text/visible-text'
import { type Config, loadConfig } from '../config/config.ts'
import { ConfigError } from '../lib/config-error.ts'
import { didYouMean } from '../lib/nearest.ts'
import { maskSecrets } from '../lib/secrets/redact.ts'
import { type Command, type CommandContext, CommandFailure, type CommandIo, UsageError } from './command.ts'
import { commandHelp, overview, usageLine } from './help.ts'
import { type ParsedCommandLine, parseCommandLine } from './parse.ts'
import { explainSystemError } from './system-errors.ts'

/** Exit codes of the process. */
export const exitCodes = { ok: 0, failure: 1, usage: 2 } as const

/**
 * Runs a command. Never throws: errors are printed to standard error.
 *
 * @param argv arguments after `muster`
 * @returns the exit code: 0 success, 1 failure, 2 invalid arguments or settings
 */
export async function runCli(
  commands: readonly Command[],
  argv: readonly string[],
  io: CommandIo,
): Promise<number> {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  const command = findCommand(commands, words)
  if (command === undefined) return withoutCommand(commands, words, io)
  try {
    const line = parseCommandLine(command, words.slice(command.name.split(' ').length))
    if (line.help) {
      io.stdout.write(`${commandHelp(command)}\n`)
      return exitCodes.ok
    }
    // Loaded on demand: commands without a store start faster.
    const check = command.needsStore ? (await import('./with-store.ts')).checkStoreIsThere : undefined
    return (await command.run(contextFor(line, io, check), line.args)) ?? exitCodes.ok
  } catch (error) {
    return explain(error, command, io)
  }
}

/** Returns the command with the longest name that matches the first words. */
function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const named = commands.filter(({ name }) => name.split(' ').every((part, index) => words[index] === part))
  return named.sort((one, other) => other.name.length - one.name.length)[0]
}

/** @param check validates the settings before the command gets them */
function contextFor(
  line: ParsedCommandLine,
  io: CommandIo,
  check?: (config: Config) => void,
): CommandContext {
  return {
    io,
    signal: io.signal,
    json: line.json,
    config: () => {
      const config = loadConfig({ env: io.env, flags: line.flags, cwd: io.cwd })
      check?.(config)
      return config
    },
    print: (text) => void io.stdout.write(`${visibleText(text)}\n`),
    printJson: (value) => void io.stdout.write(`${visibleText(JSON.stringify(value))}\n`),
    printPart: (text) => new Promise((taken) => io.stdout.write(text, (error) => taken(!error))),
    note: (text) => void io.stderr.write(`${visibleText(text)}\n`),
  }
}

function withoutCommand(commands: readonly Command[], words: readonly string[], io: CommandIo): number {
  const [first = '', second] = words
  if (first === '--help' || first === '-h') {
    io.stdout.write(`${overview(commands)}\n`)
    return exitCodes.ok
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && (second === '--help' || second === '-h')) {
    io.stdout.write(`${overview(group)}\n`)
    return exitCodes.ok
  }
  io.stderr.write(
    `${unknownCommand(commands, group, words)}\n\n${overview(group.length > 0 ? group : commands)}\n`,
  )
  return exitCodes.usage
}

function unknownCommand(
  commands: readonly Command[],
  group: readonly Command[],
  words: readonly string[],
): string {
  const [first = '', second = ''] = words
  if (first === '') return 'Missing command.'
  if (first.startsWith('-')) return `Unexpected option ${first}. Options follow the command.`
  const ofGroup = group.length > 0
  if (ofGroup && (second === '' || second.startsWith('-'))) return 'Missing subcommand.'
  const typed = ofGroup ? `${first} ${second}` : first
  const names = ofGroup
    ? group.map(({ name }) => name)
    : commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? ''])
  return `Unknown command ${JSON.stringify(typed)}.${didYouMean(typed, names)}`
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

function explain(error: unknown, command: Command, io: CommandIo): number {
  const printError = (text: string) => void io.stderr.write(`${visibleText(maskSecrets(text))}\n`)
  if (error instanceof UsageError) {
    printError(
      `${error.message}\nUsage: ${usageLine(command)}\nRun muster ${command.name} --help for details.`,
    )
    return exitCodes.usage
  }
  if (error instanceof ConfigError) {
    printError(['Invalid settings:', ...error.mistakes.map((mistake) => `- ${mistake}`)].join('\n'))
    return exitCodes.usage
  }
  if (io.signal.aborted) printError(`muster ${command.name} was interrupted.`)
  else if (error instanceof CommandFailure) printError(error.message)
  else printError(explainSystemError(error) ?? `muster ${command.name} failed: ${stackOf(error)}`)
  return exitCodes.failure
}
