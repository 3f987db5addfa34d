import type { Kind } from './config-kinds.ts'

/** Setting. Its names in `muster.toml`, the environment and the command line are derived from its key. */
export interface Setting<Value = unknown> {
  readonly kind: Kind<Value>
  /** Default, as text; absent for a setting that may be unset. */
  readonly fallback?: string
  readonly help: string
  /** Name on the command line without dashes, if it is not derived from the key. */
  readonly flag?: string
  /** `whole`: never shown. `password`: a URL, shown with its password masked. */
  readonly secret?: 'whole' | 'password'
  /** Names of settings that must be set, too. */
  readonly needs?: readonly string[]
  /** Place in the console; absent for settings that only the operator sees and changes. */
  readonly console?: ConsoleUse
}

/**
 * Pages of settings in the console.
 * - `fromOnePlace`: the settings of the page come from one place. If the operator sets one of them, none is changeable.
 * - `scope`: `own` if each organization has its own values; `first` if only the first organization may set them, because there
 *   is only one sign-in page and one event stream. Its values apply to it alone, too.
 */
export const settingPages = {
  MAIL: { fromOnePlace: true, scope: 'own', audited: 'mail' },
  SIGN_ON: { fromOnePlace: true, scope: 'first', audited: 'single sign-on' },
  STREAMS: { fromOnePlace: true, scope: 'first', audited: 'event streams' },
  SPLUNK: { fromOnePlace: true, scope: 'first', audited: 'Splunk' },
  ELASTIC: { fromOnePlace: true, scope: 'first', audited: 'Elasticsearch' },
  SENTINEL: { fromOnePlace: true, scope: 'first', audited: 'Microsoft Sentinel' },
  DATADOG: { fromOnePlace: true, scope: 'first', audited: 'Datadog' },
  HTTP: { fromOnePlace: true, scope: 'first', audited: 'events over HTTP' },
  RETENTION: { fromOnePlace: false, scope: 'own', audited: 'retention' },
  ALERTS: { fromOnePlace: false, scope: 'own', audited: 'alerts' },
} as const

/** Name of a page of settings. */
export type SettingPageName = keyof typeof settingPages

/** Use of a setting in the console. */
export interface ConsoleUse {
  readonly page: SettingPageName
  /** Title of the field. */
  readonly label: string
  /** False if the console only shows it, for example a path on the server. */
  readonly changeable?: false
  /** Allowed values in the console, if they differ from those of the environment. */
  readonly kind?: Kind<unknown>
  /** True if values from the console are secret. Default: true for `secret: 'whole'`. */
  readonly secret?: true
  /** Setting with the server that gets this secret. Another server needs the secret to be entered again. */
  readonly sentTo?: string
}
