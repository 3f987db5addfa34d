import { parseArgs } from 'node:util'
import type { JsonSchema } from '@muster/contract/api/json-schema'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/schema'
import type { ConfigFlags } from '../config/config.ts'
import { canonicalizer } from '../http/canonical-texts.ts'
import { schemaMistakes } from '../http/schema-mistakes.ts'
import { nearest } from '../lib/nearest.ts'
import { type Command, type CommandArguments, type OptionValues, UsageError } from './command.ts'
import { type KnownOption, optionsOf } from './option-table.ts'

/** Parsed arguments of a command. */
export interface ParsedCommandLine {
  readonly args: CommandArguments
  readonly flags: ConfigFlags
  readonly json: boolean
  readonly help: boolean
}

type Given = Map<string, string[]>
type OptionValue = string | number | boolean | readonly string[] | undefined

/**
 * Parses the arguments of a command. With `--help`, nothing is checked.
 *
 * @throws UsageError that names the invalid or missing argument
 */
export function parseCommandLine(command: Command, argv: readonly string[]): ParsedCommandLine {
  const known = optionsOf(command)
  if (argv.includes('--help') || argv.includes('-h')) {
    return { args: { options: {}, words: [] }, flags: {}, json: false, help: true }
  }
  const { given, words } = tokens(known, argv)
  const values = Object.fromEntries(
    known.filter(({ origin }) => origin === 'own').map((option) => [option.key, readOption(option, given)]),
  )
  return {
    args: { options: values as OptionValues<Command['options']>, words: checkWords(command, words) },
    flags: flagsOf(known, given),
    json: given.has('json'),
    help: false,
  }
}

function tokens(known: readonly KnownOption[], argv: readonly string[]): { given: Given; words: string[] } {
  const types = known.map(
    ({ typed, type }) => [typed, { type: type === 'flag' ? 'boolean' : 'string' } as const] as const,
  )
  const options = Object.fromEntries(types)
  const given: Given = new Map()
  const words: string[] = []
  // Not strict: the errors of parseArgs do not suggest a correction.
  for (const token of parseArgs({ args: withBareValues(known, argv), options, strict: false, tokens: true })
    .tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const option = known.find(({ typed }) => typed === token.name)
    if (option === undefined) throw new UsageError(unknownOption(token.rawName, known))
    take(option, token.value, token.inlineValue === true, given)
  }
  return { given, words }
}

/** Adds the value to options that are used without one. Otherwise parseArgs would take the next word as the value. */
function withBareValues(known: readonly KnownOption[], argv: readonly string[]): string[] {
  return argv.map((word, at) => {
    const bare = known.find(({ typed }) => word === `--${typed}`)?.bare
    const next = argv[at + 1]
    return bare !== undefined && (next === undefined || next.startsWith('--')) ? `${word}=${bare}` : word
  })
}

function take(option: KnownOption, value: string | undefined, inline: boolean, given: Given): void {
  const name = `--${option.typed}`
  const before = given.get(option.typed)
  if (before !== undefined && option.type !== 'list') throw new UsageError(`${name} was given twice.`)
  if (option.type === 'flag') {
    if (value !== undefined) throw new UsageError(`${name} takes no value. Remove ${JSON.stringify(value)}.`)
    given.set(option.typed, ['true'])
    return
  }
  if (value === undefined || (!inline && value.startsWith('--'))) {
    throw new UsageError(`${name} requires a value: ${name} ${option.placeholder ?? 'VALUE'}.`)
  }
  if (option.origin !== 'own' && value.trim() === '') throw new UsageError(`${name} must not be empty.`)
  given.set(option.typed, [...(before ?? []), value])
}

function unknownOption(rawName: string, known: readonly KnownOption[]): string {
  const meant = nearest(
    rawName.replace(/^-+/, ''),
    known.map(({ typed }) => typed),
  )
  return `Unknown option ${rawName}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`
}

function readOption(option: KnownOption, given: Given): OptionValue {
  const typed = given.get(option.typed) ?? (option.fallback === undefined ? [] : [option.fallback])
  for (const text of typed) checkText(option, text)
  const texts = typed.map((text) => bySchema(`--${option.typed}`, option.schema, text))
  if (option.type === 'flag') return texts.length > 0
  if (option.type === 'list') return texts
  const [text] = texts
  if (text === undefined && option.required === true) {
    throw new UsageError(`--${option.typed} is missing: ${option.help}.`)
  }
  return option.type === 'number' && text !== undefined ? Number(text) : text
}

function checkText(option: KnownOption, text: string): void {
  const wrong = `--${option.typed} is ${JSON.stringify(text)}, but must be`
  if (option.choices !== undefined && !option.choices.includes(text)) {
    throw new UsageError(`${wrong} one of ${option.choices.join(', ')}.`)
  }
  if (option.type === 'text' && text.trim() === '')
    throw new UsageError(`--${option.typed} must not be empty.`)
  if (option.type !== 'number') return
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = option
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= minimum && value <= maximum)) {
    const range = option.maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
    throw new UsageError(`${wrong} a whole number ${range}.`)
  }
}

/** Returns the text in the canonical form of its schema. @throws UsageError if it does not match the schema */
function bySchema(name: string, schema: TSchema | undefined, text: string): string {
  if (schema === undefined) return text
  const value = canonicalizer(schema as JsonSchema)(text)
  const [mistake] = schemaMistakes(schema, Errors(schema, value)[1])
  if (mistake) throw new UsageError(`${name} is ${JSON.stringify(text)}, but ${mistake.message}.`)
  return String(value)
}

function checkWords(command: Command, words: readonly string[]): readonly string[] {
  const positionals = command.positionals ?? []
  const missing = positionals.find(({ required }, index) => required === true && index >= words.length)
  if (missing !== undefined) throw new UsageError(`${missing.name} is missing: ${missing.help}.`)
  const extra = words[positionals.length]
  if (extra !== undefined && positionals.at(-1)?.many !== true) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(extra)}.`)
  }
  return words.map((word, index) => {
    const positional = positionals[index] ?? positionals.at(-1)
    return bySchema(positional?.name ?? '', positional?.schema, word)
  })
}

function flagsOf(known: readonly KnownOption[], given: Given): ConfigFlags {
  const entries = known
    .filter(({ origin, key }) => origin === 'setting' || key === 'config')
    .flatMap(({ key, typed }) => (given.has(typed) ? [[key, given.get(typed)?.[0]]] : []))
  return Object.fromEntries(entries)
}
