import { mask, maskUrlPassword } from '../lib/secrets/redact.ts'
import type { Config, Source } from './config.ts'
import type { Kind } from './config-kinds.ts'
import {
  environmentName,
  flagName,
  type SettingName,
  settingNames,
  settingOf,
  tomlName,
} from './config-settings.ts'
import { type ConsoleUse, type SettingPageName, settingPages } from './setting-declaration.ts'

/** Settings that an organization has set in the console: texts as the environment would have them, decrypted. */
export type StoredSettings = ReadonlyMap<SettingName, string>

/** Returns the use of a setting in the console; undefined for others. */
export const consoleUseOf = (name: SettingName): ConsoleUse | undefined => settingOf(name).console

/** Returns the names of the settings on a page. */
export const settingsOnPage = (page: SettingPageName): readonly SettingName[] =>
  settingNames.filter((name) => consoleUseOf(name)?.page === page)

/** Finds a setting that the console can change by its name in `muster.toml`. */
export function changeableSetting(name: string): SettingName | undefined {
  const found = settingNames.find((known) => tomlName(known) === name)
  const use = found && consoleUseOf(found)
  return use && use.changeable !== false ? found : undefined
}

/** Returns the allowed values of a setting in the console. */
export const consoleKindOf = (name: SettingName): Kind<unknown> =>
  consoleUseOf(name)?.kind ?? settingOf(name).kind

/** Returns true if values from the console are sealed and never shown. */
export const isSealed = (name: SettingName): boolean =>
  settingOf(name).secret === 'whole' || consoleUseOf(name)?.secret === true

const operatorSources: readonly Source[] = ['flag', 'environment', 'muster.toml']

/** Returns true if the operator has set a setting where the server runs. */
const isFromOperator = ({ sources }: Config, name: SettingName): boolean =>
  operatorSources.includes(sources[name])

/**
 * Returns how the operator has set a setting, or one that comes from the same place: `MUSTER_SMTP_URL`. Undefined if the console
 * may set it.
 */
export function operatorName(config: Config, name: SettingName): string | undefined {
  const use = consoleUseOf(name)
  const fromOnePlace = use && settingPages[use.page].fromOnePlace ? settingsOnPage(use.page) : []
  const found = [name, ...fromOnePlace].find((one) => isFromOperator(config, one))
  if (found === undefined) return undefined
  const source = config.sources[found]
  if (source === 'flag') return flagName(found)
  return source === 'environment' ? environmentName(found) : `${tomlName(found)} in muster.toml`
}

/**
 * Adds the settings from the console to those of the operator, which take precedence. Ignores texts that are not allowed, for
 * example because a newer version has stored them.
 *
 * @param isFirst true for the first organization, the only one that may set the pages of scope `first`
 */
export function withStoredSettings(config: Config, stored: StoredSettings, isFirst: boolean): Config {
  const values: Partial<Record<SettingName, unknown>> = {}
  const sources: Partial<Record<SettingName, Source>> = {}
  for (const [name, text] of stored) {
    const use = consoleUseOf(name)
    if (!use || use.changeable === false || operatorName(config, name) !== undefined) continue
    if (settingPages[use.page].scope === 'first' && !isFirst) continue
    const value = consoleKindOf(name).parse(text, '/')
    if (value === undefined) continue
    values[name] = value
    sources[name] = 'console'
  }
  if (Object.keys(values).length === 0) return config
  return Object.freeze({
    ...config,
    ...values,
    sources: Object.freeze({ ...config.sources, ...sources }),
  }) as Config
}

/** Returns the value of a setting as text without secrets; undefined if it is unset. */
export function shownText(config: Config, name: SettingName): string | undefined {
  const value = config[name]
  if (value === undefined) return undefined
  if (settingOf(name).secret === 'whole') return mask
  if (isSealed(name) && config.sources[name] === 'console') return mask
  if (settingOf(name).secret === 'password') return maskUrlPassword(String(value))
  return Array.isArray(value) ? value.join(',') : String(value)
}
