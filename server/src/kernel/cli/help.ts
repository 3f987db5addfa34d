import type { Command, PositionalSpec } from './command.ts'
import { type KnownOption, optionsOf } from './option-table.ts'

/** Returns the usage line of a command. */
export function usageLine(command: Command): string {
  const required = optionsOf(command).filter((option) => option.required === true)
  const words = (command.positionals ?? []).map(positionalText)
  return ['muster', command.name, ...words, ...required.map(optionText), '[options]'].join(' ')
}

/** Returns the output of `muster <command> --help`. */
export function commandHelp(command: Command): string {
  const positionals = (command.positionals ?? []).map(({ name, help }) => [name, help] as const)
  const options = optionsOf(command).map((option) => [optionText(option), optionHelp(option)] as const)
  const parts = [`${command.summary}.`, `Usage: ${usageLine(command)}`, table([...positionals, ...options])]
  return [...parts, ...(command.details === undefined ? [] : [command.details])].join('\n\n')
}

/** Returns the output of `muster --help`, or of `muster keys --help` for the commands of a group. */
export function overview(commands: readonly Command[]): string {
  return [
    'Usage: muster <command> [options]',
    table(commands.map(({ name, summary }) => [name, summary] as const)),
    'Run muster <command> --help for details.',
  ].join('\n\n')
}

function positionalText({ name, required, many }: PositionalSpec): string {
  const text = many === true ? `${name}…` : name
  return required === true ? text : `[${text}]`
}

function optionText({ typed, type, choices, placeholder }: KnownOption): string {
  if (type === 'flag') return `--${typed}`
  return `--${typed} ${choices?.join('|') ?? placeholder ?? (type === 'number' ? 'N' : 'VALUE')}`
}

function optionHelp({ help, type, fallback }: KnownOption): string {
  const notes = [
    ...(type === 'list' ? ['may be repeated'] : []),
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
  ]
  return notes.length === 0 ? help : `${help} (${notes.join('; ')})`
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)))
  return rows
    .map(([left, right]) =>
      left.length > width
        ? `  ${left}\n  ${''.padEnd(width)}  ${right}`
        : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n')
}
