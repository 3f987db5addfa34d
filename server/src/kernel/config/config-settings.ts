import {
  address,
  contactAddress,
  issuerUrl,
  type Kind,
  listenHost,
  mailSender,
  mailServer,
  masterKey,
  memberName,
  oneOf,
  origin,
  path,
  plainText,
  proxyTrust,
  redisServer,
  timeZone,
  trueOrFalse,
  wholeNumber,
} from './config-kinds.ts'
import { eventSettings } from './event-settings.ts'
import type { Setting } from './setting-declaration.ts'

/** Maximum of the days before the expiry of a key at which its holder gets a mail. */
export const keyExpiryAlertDaysMaximum = 90

/**
 * All settings. `publicUrl` is `MUSTER_PUBLIC_URL` in the environment, `public_url` in `muster.toml`, `--public-url` on
 * the command line.
 */
const settings = {
  data: { kind: path, fallback: 'data', help: 'folder for the database, the certificate and the master key' },
  port: { kind: wholeNumber(0, 65_535), fallback: '8443', help: 'port to listen on; 0: any free port' },
  host: {
    kind: listenHost,
    fallback: '0.0.0.0',
    help: 'address to listen on; 0.0.0.0: all addresses',
  },
  publicUrl: {
    kind: origin,
    help: 'URL by which browsers and API clients reach the server; default: derived from --host and --port',
  },
  databaseUrl: {
    kind: address('postgres', 'postgresql'),
    help: 'URL of a PostgreSQL database to use instead of the one in the data folder',
    secret: 'password',
  },
  redisUrl: {
    kind: redisServer,
    help: 'URL of a Redis or Valkey server to share the rate limit between processes',
    secret: 'password',
  },
  recordsMember: {
    kind: memberName,
    fallback: 'the service',
    help: 'name of the member that holds the records in list responses',
  },
  rateLimitSustained: {
    kind: wholeNumber(1, 1_000_000),
    fallback: '10',
    help: 'sustained requests per second for each key holder',
  },
  rateLimitBurst: {
    kind: wholeNumber(0, 1_000_000),
    fallback: '10',
    help: 'burst of additional requests for each key holder',
  },
  mcpAllowWrites: {
    kind: trueOrFalse,
    fallback: 'false',
    help: 'let assistants change data at /mcp, with API keys that have full access',
  },
  trustProxy: {
    kind: proxyTrust,
    fallback: 'false',
    help: 'proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted',
  },
  metricsPort: {
    kind: wholeNumber(0, 65_535),
    fallback: '9464',
    help: 'port of the Prometheus metrics; 0: disabled',
  },
  metricsHost: {
    kind: listenHost,
    fallback: '127.0.0.1',
    help: 'address on which the Prometheus metrics are served, without TLS and without a key',
  },
  securityContact: {
    kind: contactAddress,
    help: 'contact for vulnerability reports in /.well-known/security.txt; default: mailto:security@ and the host of the public URL',
  },
  smtpUrl: {
    kind: address('smtp', 'smtps'),
    help: 'URL of the mail server, such as smtps://user@smtp.example.com',
    secret: 'password',
    console: { page: 'MAIL', label: 'Mail server', kind: mailServer },
  },
  smtpPassword: {
    kind: plainText,
    help: 'password at the mail server, if its URL contains only the user',
    secret: 'whole',
    console: { page: 'MAIL', label: 'Password', sentTo: 'smtpUrl' },
  },
  mailFrom: {
    kind: mailSender,
    help: 'sender of e-mails; default: muster@ and the host of the public URL',
    console: { page: 'MAIL', label: 'Sender' },
  },
  oidcIssuer: {
    kind: address('https', 'http'),
    help: 'issuer URL of the OpenID Connect identity provider for administrators',
    console: { page: 'SIGN_ON', label: 'Issuer', kind: issuerUrl },
  },
  oidcClientId: {
    kind: plainText,
    help: 'client ID at the identity provider',
    console: { page: 'SIGN_ON', label: 'Client ID' },
  },
  oidcClientSecret: {
    kind: plainText,
    help: 'client secret at the identity provider',
    secret: 'whole',
    console: { page: 'SIGN_ON', label: 'Client secret', sentTo: 'oidcIssuer' },
  },
  oidcName: {
    kind: plainText,
    fallback: 'single sign-on',
    help: 'name of the identity provider on the sign-in page',
    console: { page: 'SIGN_ON', label: 'Name on the sign-in page' },
  },
  webhooksAllowPrivate: {
    kind: trueOrFalse,
    fallback: 'false',
    help: 'allow private and loopback addresses for webhooks and for servers that are set in the console',
  },
  webhooksCa: {
    kind: path,
    help: 'PEM file of additional certificate authorities to trust for webhooks',
  },
  ...eventSettings,
  rangeUrl: {
    kind: address('https', 'http'),
    help: 'URL of the range service for leaked passwords',
    secret: 'password',
  },
  secretKey: {
    kind: masterKey,
    help: 'master key; default: generated and kept in the data folder',
    secret: 'whole',
  },
  tlsCert: { kind: path, help: 'PEM file of the TLS certificate chain; needs the key', flag: 'cert' },
  tlsKey: { kind: path, help: 'PEM file of the private key of the TLS certificate', flag: 'key' },
  plainHttp: {
    kind: trueOrFalse,
    fallback: 'false',
    help: 'serve without TLS; only on loopback or behind a trusted proxy',
  },
  enrollmentLinkDays: {
    kind: wholeNumber(1, 365),
    fallback: '14',
    help: 'lifetime of an enrollment link in days',
  },
  agentHeartbeatSeconds: {
    kind: wholeNumber(5, 3600),
    fallback: '300',
    help: 'seconds between heartbeats of an agent',
  },
  rawEventDays: {
    kind: wholeNumber(1, 3650),
    fallback: '90',
    help: 'retention of raw agent events in days',
    console: { page: 'RETENTION', label: 'Raw events of browsers, in days', changeable: false },
  },
  unusedAccountDays: {
    kind: wholeNumber(0, 3650),
    fallback: '0',
    help: 'days without use after which accounts are deleted; 0 keeps them',
    console: { page: 'RETENTION', label: 'Unused accounts, in days' },
  },
  silentBrowserDays: {
    kind: wholeNumber(31, 3650),
    fallback: '90',
    help: 'days without contact after which browsers are removed',
    console: { page: 'RETENTION', label: 'Silent browsers, in days' },
  },
  webhookAlerts: {
    kind: oneOf('all', 'owners', 'none'),
    fallback: 'all',
    help: 'administrators who get a mail when a webhook is disabled because its deliveries failed',
    console: { page: 'ALERTS', label: 'Webhook disabled' },
  },
  keyExpiryAlertDays: {
    kind: wholeNumber(0, keyExpiryAlertDaysMaximum),
    fallback: '14',
    help: 'days before the expiry of an API key at which its holder gets a mail; 0: no mail',
    console: { page: 'ALERTS', label: 'API key expires, days before' },
  },
  timeZone: {
    kind: timeZone,
    fallback: 'UTC',
    help: 'time zone of the organization, in which digests of alerts are sent',
    console: { page: 'ALERTS', label: 'Time zone' },
  },
  backupFolder: { kind: path, help: 'folder for scheduled backups; default: none are made' },
  backupEveryHours: {
    kind: wholeNumber(1, 744),
    fallback: '24',
    help: 'hours between scheduled backups; 24: at midnight UTC',
  },
  backupKeep: { kind: wholeNumber(1, 1000), fallback: '7', help: 'number of scheduled backups to keep' },
  backupWithoutKey: {
    kind: trueOrFalse,
    fallback: 'false',
    help: 'leave the master key out of scheduled backups; store it elsewhere',
  },
  drainSeconds: {
    kind: wholeNumber(0, 3600),
    fallback: '5',
    help: 'seconds between SIGTERM and the shutdown, during which /readyz returns 503',
  },
  logLevel: {
    kind: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    fallback: 'info',
    help: 'minimum level of log lines',
  },
  logRequests: { kind: trueOrFalse, fallback: 'false', help: 'log one line per request' },
} as const satisfies Record<string, Setting>

/** Name of a setting. */
export type SettingName = keyof typeof settings

type ValueOf<Entry> = Entry extends { kind: Kind<infer Value> }
  ? Entry extends { fallback: string }
    ? Value
    : Value | undefined
  : never

/** Values of all settings; undefined if unset. */
export type SettingValues = {
  readonly [Name in Exclude<SettingName, 'publicUrl'>]: ValueOf<(typeof settings)[Name]>
} & {
  readonly publicUrl: string
}

/** Names of all settings. */
export const settingNames = Object.keys(settings) as readonly SettingName[]

/** Returns a setting without its specific type. */
export function settingOf(name: SettingName): Setting {
  return settings[name]
}

/** `publicUrl` → `public_url`, as in `muster.toml`. */
export function tomlName(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `publicUrl` → `MUSTER_PUBLIC_URL`. */
export function environmentName(name: SettingName): string {
  return `MUSTER_${tomlName(name).toUpperCase()}`
}

/** `publicUrl` → `--public-url`. */
export function flagName(name: SettingName): string {
  return `--${settingOf(name).flag ?? tomlName(name).replaceAll('_', '-')}`
}

/**
 * Returns the settings that are missing because another one needs them.
 *
 * @param isSet true for settings with a value other than the default
 */
export function missingSettings(
  isSet: (name: SettingName) => boolean,
): { readonly name: SettingName; readonly missing: SettingName }[] {
  return settingNames.filter(isSet).flatMap((name) => {
    const needed = settingOf(name).needs ?? []
    const missing = settingNames.filter((other) => needed.includes(other) && !isSet(other))
    return missing.map((other) => ({ name, missing: other }))
  })
}
