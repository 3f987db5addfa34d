import { flagName, type SettingName, settingOf } from '../config/config-settings.ts'
import type { Command, OptionSpec } from './command.ts'

/** An option as the command line knows it, wherever it was declared. */
export interface KnownOption extends OptionSpec {
  /** As typed, without dashes: `dry-run`. */
  readonly typed: string
  /** Its key: of the command's own options, of the settings, or one of `config`, `json`, `help`. */
  readonly key: string
  readonly origin: 'own' | 'setting' | 'common'
  /** What it stands for without a value; absent: it needs one. */
  readonly bare?: string
}

const everywhere: readonly SettingName[] = ['data', 'databaseUrl']

/** All options of a command, its own first. */
export function optionsOf(command: Command): readonly KnownOption[] {
  const own = Object.entries(command.options).map(([key, spec]): KnownOption => {
    const typed = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return { ...spec, key, typed, origin: 'own' }
  })
  const settings = [...(command.settings ?? []), ...everywhere].map(settingOption)
  const config = common('config', 'text', 'path of muster.toml, if it is not in the data folder', 'FILE')
  const json = common('json', 'flag', 'print JSON, for scripts')
  const help = common('help', 'flag', 'print this')
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

/** What stands for the value of a setting, from what its kind allows: `a whole number …`, `one of trace, debug`. */
function placeholderFor(key: SettingName, allowed: string): string {
  if (key === 'data') return 'DIR'
  if (allowed === 'true or false') return 'true|false'
  if (allowed.startsWith('one of ')) return allowed.slice('one of '.length).replaceAll(', ', '|')
  const [, noun = ''] = allowed.split(' ')
  return { whole: 'N', path: 'FILE', address: 'URL', host: 'HOST', name: 'NAME' }[noun] ?? 'VALUE'
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
