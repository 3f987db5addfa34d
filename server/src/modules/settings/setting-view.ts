import {
  type PageSetting,
  type SettingPage,
  settingPageNames,
} from '@muster/contract/console/console-settings'
import type { Config } from '../../kernel/config/config.ts'
import {
  environmentName,
  type SettingName,
  settingOf,
  tomlName,
} from '../../kernel/config/config-settings.ts'
import {
  consoleKindOf,
  consoleUseOf,
  isSealed,
  operatorName,
  settingsOnPage,
  shownText,
} from '../../kernel/config/stored-settings.ts'
import { isForFirstOnly } from './setting-changes.ts'

/**
 * Returns the pages of settings as an owner sees them.
 *
 * @param operator settings of the operator
 * @param inEffect settings in effect for the organization
 */
export const settingPagesView = (operator: Config, inEffect: Config, isFirst: boolean): SettingPage[] =>
  settingPageNames.map((page) => {
    const otherOrganization = isForFirstOnly(page) && !isFirst
    return {
      page,
      otherOrganization,
      settings: settingsOnPage(page).map((name) => settingView(name, operator, inEffect, !otherOrganization)),
    }
  })

function settingView(name: SettingName, operator: Config, inEffect: Config, mayChange: boolean): PageSetting {
  const { help, fallback } = settingOf(name)
  const use = consoleUseOf(name)
  const { allowed, choices = [], many = false, lines = false } = consoleKindOf(name)
  const secret = isSealed(name)
  const setBy = operatorName(operator, name) ?? null
  const text = shownText(inEffect, name)
  return {
    name: tomlName(name),
    environment: environmentName(name),
    label: use?.label ?? tomlName(name),
    help,
    allowed,
    value: secret ? null : (text ?? null),
    fallback: fallback ?? null,
    isSet: text !== undefined && inEffect.sources[name] !== 'default',
    secret,
    source: inEffect.sources[name],
    setBy,
    changeable: mayChange && setBy === null && use?.changeable !== false,
    choices: [...choices],
    many,
    lines,
  }
}
