import { isIP } from 'node:net'
import type { Config } from '../../kernel/config/config.ts'
import {
  missingSettings,
  type SettingName,
  settingNames,
  tomlName,
} from '../../kernel/config/config-settings.ts'
import { type SettingPageName, settingPages } from '../../kernel/config/setting-declaration.ts'
import {
  changeableSetting,
  consoleKindOf,
  consoleUseOf,
  isSealed,
  operatorName,
  type StoredSettings,
} from '../../kernel/config/stored-settings.ts'
import { addressClass } from '../../kernel/lib/net/address-class.ts'
import { addressRefusal, type TargetPolicy } from '../webhooks/delivery/target.rules.ts'

/** Change of a setting by its name in `muster.toml`; null removes it, so that the default applies. */
export interface SettingChange {
  readonly name: string
  readonly value: string | null
}

/** Violated requirement of a setting. `message` follows the name of the setting. */
export interface SettingMistake {
  readonly name: string
  readonly message: string
}

/** Settings before and after the changes, or what is wrong with them. */
export interface ChangePlan {
  readonly mistakes: readonly SettingMistake[]
  readonly next: StoredSettings
}

export interface ChangeFacts {
  /** Settings of the operator. */
  readonly operator: Config
  /** Settings that the organization has set. */
  readonly stored: StoredSettings
  readonly policy: TargetPolicy
}

/** Returns the pages of the changed settings. */
export const pagesOf = (changes: readonly SettingChange[]): ReadonlySet<SettingPageName> =>
  new Set(
    changes.flatMap(({ name }) => {
      const known = changeableSetting(name)
      const page = known && consoleUseOf(known)?.page
      return page ? [page] : []
    }),
  )

/** Checks changes and applies them to the stored settings. */
export function planChanges(
  changes: readonly SettingChange[],
  { operator, stored, policy }: ChangeFacts,
): ChangePlan {
  const mistakes: SettingMistake[] = []
  const next = new Map(stored)
  const changed = new Set<SettingName>()
  for (const { name, value } of changes) {
    const known = changeableSetting(name)
    const mistake = known
      ? changeMistake(known, value, operator, changed)
      : 'is not a setting that can be changed in the console'
    if (mistake !== undefined) mistakes.push({ name: name.slice(0, 64), message: mistake })
    if (!known || mistake !== undefined) continue
    changed.add(known)
    if (value === null) next.delete(known)
    else next.set(known, value.trim())
  }
  if (mistakes.length > 0) return { mistakes, next: stored }
  removeSecretsWithoutTarget(next, changed)
  const found = [
    ...secretMistakes(stored, next, changed),
    ...targetMistakes(next, policy),
    ...completenessMistakes(next),
  ]
  return { mistakes: found, next }
}

function changeMistake(
  name: SettingName,
  value: string | null,
  operator: Config,
  changed: ReadonlySet<SettingName>,
): string | undefined {
  if (changed.has(name)) return 'must be changed only once'
  const setBy = operatorName(operator, name)
  if (setBy !== undefined) return `cannot be changed in the console, because the operator has set ${setBy}`
  if (value?.trim() === '') return 'must not be blank'
  const kind = consoleKindOf(name)
  if (value !== null && kind.parse(value.trim(), '/') === undefined) return `must be ${kind.allowed}`
  return undefined
}

const secretsSentTo = (): (readonly [secret: SettingName, target: SettingName])[] =>
  settingNames.flatMap((name) => {
    const target = settingNames.find((other) => other === consoleUseOf(name)?.sentTo)
    return target ? [[name, target] as const] : []
  })

/** A secret is of no use without its server, and must not wait for the next one. */
function removeSecretsWithoutTarget(next: Map<SettingName, string>, changed: ReadonlySet<SettingName>): void {
  for (const [secret, target] of secretsSentTo())
    if (!next.has(target) && !changed.has(secret)) next.delete(secret)
}

/** Otherwise an owner could read a stored secret by sending it to a server of their own. */
function secretMistakes(
  stored: StoredSettings,
  next: StoredSettings,
  changed: ReadonlySet<SettingName>,
): SettingMistake[] {
  return secretsSentTo().flatMap(([secret, target]) => {
    const isKept = next.has(secret) && !changed.has(secret)
    if (!isKept || stored.get(target) === next.get(target)) return []
    const message = `must be entered again, because ${tomlName(target)} changes`
    return [{ name: tomlName(secret), message }]
  })
}

const targets: readonly SettingName[] = [
  'smtpUrl',
  'oidcIssuer',
  'eventsSyslogUrl',
  'eventsSplunkUrl',
  'eventsElasticUrl',
  'eventsSentinelUrl',
  'eventsDatadogUrl',
  'eventsHttpUrl',
]

/** Checks hosts that are IP addresses. The addresses of names are checked at each connection. */
function targetMistakes(next: StoredSettings, policy: TargetPolicy): SettingMistake[] {
  return targets.flatMap((name) => {
    const text = next.get(name)
    if (text === undefined) return []
    const { hostname, protocol } = new URL(text)
    const host = hostname.replace(/^\[|\]$/g, '')
    const found = isIP(host) === 0 ? undefined : addressClass(host)
    const refusal = found && addressRefusal(found, true, policy)
    if (refusal !== undefined) return [{ name: tomlName(name), message: `is not allowed: ${refusal}` }]
    const isLocal = host === 'localhost' || found === 'LOOPBACK'
    if (protocol === 'http:' && !isLocal)
      return [{ name: tomlName(name), message: 'must start with https://' }]
    return []
  })
}

function completenessMistakes(next: StoredSettings): SettingMistake[] {
  const has = (name: SettingName) => next.has(name)
  const mistakes: SettingMistake[] = []
  const say = (name: SettingName, message: string) => mistakes.push({ name: tomlName(name), message })
  const smtpUrl = next.get('smtpUrl')
  if (has('smtpPassword') && smtpUrl === undefined) say('smtpUrl', 'must be set, too, for the password')
  if (has('smtpPassword') && smtpUrl !== undefined && new URL(smtpUrl).username === '')
    say(
      'smtpUrl',
      'must contain the user of the password before the host, such as smtp://muster@mail.example.com',
    )
  const provider: readonly SettingName[] = ['oidcIssuer', 'oidcClientId', 'oidcClientSecret']
  if (provider.some(has))
    for (const name of provider)
      if (!has(name)) say(name, 'must be set, too: issuer, client ID and client secret belong together')
  const isSecured = next.get('eventsSyslogUrl')?.startsWith('tls://') === true
  for (const name of ['eventsSyslogCa', 'eventsSyslogCert', 'eventsSyslogKey'] as const)
    if (has(name) && !isSecured) say(name, 'requires a syslog receiver that starts with tls://')
  if (has('eventsSyslogCert') && !has('eventsSyslogKey'))
    say('eventsSyslogKey', 'must be set, too, for the client certificate')
  if (has('eventsSyslogKey') && !has('eventsSyslogCert'))
    say('eventsSyslogCert', 'must be set, too, for the private key')
  for (const { name, missing } of missingSettings(has))
    say(missing, `must be set, too, for ${tomlName(name)}`)
  return mistakes
}

/**
 * Returns the settings of a page by name for the audit trail. Secrets are replaced by words.
 *
 * @param before the settings before the change; undefined for the state before
 */
export function auditedValues(
  page: SettingPageName,
  settings: StoredSettings,
  before?: StoredSettings,
): Record<string, string | null> {
  const names = settingNames.filter((name) => consoleUseOf(name)?.page === page)
  return Object.fromEntries(
    names.map((name) => {
      const text = settings.get(name) ?? null
      if (text === null || !isSealed(name)) return [tomlName(name), text]
      const isReplaced = before?.has(name) === true && before.get(name) !== text
      return [tomlName(name), isReplaced ? 'replaced' : 'set']
    }),
  )
}

/** Returns true if only the first organization may set the page. */
export const isForFirstOnly = (page: SettingPageName): boolean => settingPages[page].scope === 'first'
