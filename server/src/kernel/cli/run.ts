import { visibleText } from '@muster/contract/visible-text'
import { type Config, loadConfig } from '../config/config.ts'
import { ConfigError } from '../lib/config-error.ts'
import { didYouMean } from '../lib/nearest.ts'
import { maskSecrets } from '../lib/secrets/redact.ts'
import { type Command, type CommandContext, CommandFailure, type CommandIo, UsageError } from './command.ts'
import { commandHelp, overview, usageLine } from './help.ts'
import { type ParsedCommandLine, parseCommandLine } from './parse.ts'
import { explainSystemError } from './system-errors.ts'

/** What a process tells the shell. */
export const exitCodes = { ok: 0, failure: 1, usage: 2 } as const

/**
 * Runs the command that the words name. Never throws: whatever goes wrong is explained on standard error.
 *
 * @param argv the words behind `muster`
 * @returns the exit code: 0 done, 1 failed, 2 wrong arguments or settings
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
    // Not loaded by commands without a store, which start sooner so.
    const check = command.needsStore ? (await import('./with-store.ts')).checkStoreIsThere : undefined
    return (await command.run(contextFor(line, io, check), line.args)) ?? exitCodes.ok
  } catch (error) {
    return explain(error, command, io)
  }
}

/** The command with the longest name that the words begin with. */
function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const named = commands.filter(({ name }) => name.split(' ').every((part, index) => words[index] === part))
  return named.sort((one, other) => other.name.length - one.name.length)[0]
}

/** @param check looks at the settings before the command gets them */
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
  if (first === '') return 'Which command?'
  if (first.startsWith('-')) return `${first} stands before the command: options follow it.`
  const ofGroup = group.length > 0
  if (ofGroup && (second === '' || second.startsWith('-'))) return `muster ${first} does what?`
  const typed = ofGroup ? `${first} ${second}` : first
  const names = ofGroup
    ? group.map(({ name }) => name)
    : commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? ''])
  return `There is no command ${JSON.stringify(typed)}.${didYouMean(typed, names)}`
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

function explain(error: unknown, command: Command, io: CommandIo): number {
  const tell = (text: string) => void io.stderr.write(`${visibleText(maskSecrets(text))}\n`)
  if (error instanceof UsageError) {
    tell(`${error.message}\nUsage: ${usageLine(command)}\nmuster ${command.name} --help tells more.`)
    return exitCodes.usage
  }
  if (error instanceof ConfigError) {
    tell(['The settings are not right:', ...error.mistakes.map((mistake) => `- ${mistake}`)].join('\n'))
    return exitCodes.usage
  }
  if (io.signal.aborted) tell(`muster ${command.name} was interrupted.`)
  else if (error instanceof CommandFailure) tell(error.message)
  else tell(explainSystemError(error) ?? `muster ${command.name} failed: ${stackOf(error)}`)
  return exitCodes.failure
}
