import { flagName, type SettingName, settingOf } from '../config/config-settings.ts'
import type { Command, OptionSpec } from './command.ts'

/** Option of the command line: of a command, of a setting, or common to all commands. */
export interface KnownOption extends OptionSpec {
  /** Name without dashes: `dry-run`. */
  readonly typed: string
  /** Key of the command's option or of the setting; or `config`, `json`, `help`. */
  readonly key: string
  readonly origin: 'own' | 'setting' | 'common'
  /** Value of the option without a value; absent if it needs one. */
  readonly bare?: string
}

const settingsOfAllCommands: readonly SettingName[] = ['data', 'databaseUrl']

/** Returns all options of a command, its own first. */
export function optionsOf(command: Command): readonly KnownOption[] {
  const own = Object.entries(command.options).map(([key, spec]): KnownOption => {
    const typed = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return { ...spec, key, typed, origin: 'own' }
  })
  const settings = [...(command.settings ?? []), ...settingsOfAllCommands].map(settingOption)
  const config = common('config', 'text', 'path of muster.toml; default: in the data folder', 'FILE')
  const json = common('json', 'flag', 'print JSON')
  const help = common('help', 'flag', 'print this help')
  return [...own, ...settings, config, ...(command.json === true ? [json] : []), help]
}

function settingOption(key: SettingName): KnownOption {
  const { help, kind, fallback } = settingOf(key)
  const placeholder = placeholderFor(key, kind.allowed)
  return {
    type: 'text',
    help,
    placeholder: kind.bare === undefined ? placeholder : `[${placeholder}]`,
    key,
    typed: flagName(key).slice(2),
    origin: 'setting',
    ...(fallback === undefined || kind.bare !== undefined ? {} : { fallback }),
    ...(kind.bare === undefined ? {} : { bare: kind.bare }),
  }
}

/** Derives the placeholder of a setting from the description of its values: `a whole number …`, `one of trace, debug`. */
function placeholderFor(key: SettingName, allowed: string): string {
  if (key === 'data') return 'DIR'
  if (allowed === 'true or false') return 'true|false'
  if (allowed.startsWith('one of ')) return allowed.slice('one of '.length).replaceAll(', ', '|')
  const [, noun = ''] = allowed.split(' ')
  return { whole: 'N', path: 'FILE', URL: 'URL', host: 'HOST', name: 'NAME' }[noun] ?? 'VALUE'
}

function common(key: string, type: 'text' | 'flag', help: string, placeholder?: string): KnownOption {
  return {
    key,
    typed: key,
    type,
    help,
    origin: 'common',
    ...(placeholder === undefined ? {} : { placeholder }),
  }
}
