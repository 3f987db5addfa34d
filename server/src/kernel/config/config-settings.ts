import { eventCategories } from '@muster/contract/event-envelope'
import { eventObjects } from '@muster/contract/event-objects'
import {
  address,
  contactAddress,
  type Kind,
  listenHost,
  mailSender,
  masterKey,
  memberName,
  namesOf,
  oneOf,
  origin,
  path,
  plainText,
  proxyTrust,
  syslogReceiver,
  trueOrFalse,
  wholeNumber,
} from './config-kinds.ts'

/** One setting. Its name in the table is its name in the code; the other names follow from it. */
export interface Setting<Value = unknown> {
  readonly kind: Kind<Value>
  /** The text that counts when nothing is given; absent: the setting may stay unset. */
  readonly fallback?: string
  readonly help: string
  /** Its name on the command line without the dashes, where that is not simply its name. */
  readonly flag?: string
  /** `whole`: never shown. `password`: an address that is shown without its password. */
  readonly secret?: 'whole' | 'password'
}

/**
 * All settings. `publicUrl` is `MUSTER_PUBLIC_URL` in the environment, `public_url` in `muster.toml`, `--public-url` on
 * the command line.
 */
export const settings = {
  data: { kind: path, fallback: 'data', help: 'folder of the database, the certificate and the secret key' },
  port: { kind: wholeNumber(0, 65_535), fallback: '8443', help: 'port of the server; 0: any free one' },
  host: {
    kind: listenHost,
    fallback: '0.0.0.0',
    help: 'address to listen on; 0.0.0.0: every one of this machine',
  },
  publicUrl: {
    kind: origin,
    help: 'address by which browsers reach the server; if unset that of --host and --port, localhost for every address',
  },
  databaseUrl: {
    kind: address('postgres', 'postgresql'),
    help: 'PostgreSQL to use instead of the database in the data folder',
    secret: 'password',
  },
  redisUrl: {
    kind: address('redis', 'rediss'),
    help: 'Redis or Valkey that several processes share the rate limit by',
    secret: 'password',
  },
  recordsMember: {
    kind: memberName,
    fallback: 'the service',
    help: 'member of a list answer that holds its records',
  },
  rateLimitSustained: {
    kind: wholeNumber(1, 1_000_000),
    fallback: '10',
    help: 'requests per second that a key holder may make for ever',
  },
  rateLimitBurst: {
    kind: wholeNumber(0, 1_000_000),
    fallback: '10',
    help: 'requests on top of that which may come at once',
  },
  trustProxy: {
    kind: proxyTrust,
    fallback: 'false',
    help: 'proxies whose X-Forwarded-For and X-Forwarded-Proto are believed',
  },
  metricsPort: {
    kind: wholeNumber(0, 65_535),
    fallback: '9464',
    help: 'port of the metrics, on 127.0.0.1 only; 0: none',
  },
  securityContact: {
    kind: contactAddress,
    help: 'address for reports of vulnerabilities, shown at /.well-known/security.txt; mailto:security@ and the host of the public address if unset',
  },
  smtpUrl: { kind: address('smtp', 'smtps'), help: 'mail server for notices', secret: 'password' },
  mailFrom: {
    kind: mailSender,
    help: 'sender of mails; muster@ and the host of the public address if unset',
  },
  oidcIssuer: {
    kind: address('https', 'http'),
    help: 'identity provider by which administrators may sign in (OpenID Connect)',
  },
  oidcClientId: { kind: plainText, help: 'what the identity provider knows this server as' },
  oidcClientSecret: {
    kind: plainText,
    help: 'secret by which this server proves itself to the identity provider',
    secret: 'whole',
  },
  oidcName: { kind: plainText, fallback: 'single sign-on', help: 'what people call the identity provider' },
  webhooksAllowPrivate: {
    kind: trueOrFalse,
    fallback: 'false',
    help: 'whether webhooks may go to private and loopback addresses',
  },
  webhooksCa: {
    kind: path,
    help: 'certificates (PEM) of authorities of your own that endpoints of webhooks may have theirs from',
  },
  eventsFile: { kind: path, help: 'file that events are written to, one a line' },
  eventsFileMaxMib: {
    kind: wholeNumber(1, 100_000),
    fallback: '100',
    help: 'MiB after which that file is put aside',
  },
  eventsFileKeep: {
    kind: wholeNumber(1, 1000),
    fallback: '10',
    help: 'how many files that were put aside are kept',
  },
  eventsSyslogUrl: { kind: syslogReceiver, help: 'receiver of syslog that events are sent to' },
  eventsSyslogCa: {
    kind: path,
    help: 'certificates (PEM) that its own must lead to, in place of the usual ones',
  },
  eventsSyslogCert: {
    kind: path,
    help: 'certificate (PEM) to show to it, if it asks for one; needs its key',
  },
  eventsSyslogKey: { kind: path, help: 'private key of that certificate, PEM' },
  eventsFormat: {
    kind: oneOf('json', 'cef', 'ocsf'),
    fallback: 'json',
    help: 'what events are written as, in the file and by syslog',
  },
  eventsCategories: {
    kind: namesOf('categories', eventCategories),
    help: 'categories of the events that are written and sent so; all if neither these nor objects are given',
  },
  eventsObjects: {
    kind: namesOf('objects of events', eventObjects),
    help: 'objects of the events that are written and sent so, besides those of the categories',
  },
  rangeUrl: {
    kind: address('https', 'http'),
    help: 'service for look-ups of leaked passwords by range',
    secret: 'password',
  },
  secretKey: {
    kind: masterKey,
    help: 'master key; without it one is made and kept in the data folder',
    secret: 'whole',
  },
  tlsCert: { kind: path, help: 'certificate (chain) to serve with, PEM; needs its key', flag: 'cert' },
  tlsKey: { kind: path, help: 'private key of the certificate, PEM', flag: 'key' },
  plainHttp: {
    kind: trueOrFalse,
    fallback: 'false',
    help: 'serve without TLS, on loopback or behind a trusted proxy',
  },
  enrollmentLinkDays: {
    kind: wholeNumber(1, 365),
    fallback: '14',
    help: 'days for which an enrollment link works',
  },
  agentHeartbeatSeconds: {
    kind: wholeNumber(5, 3600),
    fallback: '300',
    help: 'seconds between two reports of a browser that it is there',
  },
  rawEventDays: {
    kind: wholeNumber(1, 3650),
    fallback: '90',
    help: 'days for which the events of agents are kept as they came',
  },
  drainSeconds: {
    kind: wholeNumber(0, 3600),
    fallback: '5',
    help: 'seconds from SIGTERM until the server stops listening, in which /readyz answers 503',
  },
  logLevel: {
    kind: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    fallback: 'info',
    help: 'least important lines that are logged',
  },
  logRequests: { kind: trueOrFalse, fallback: 'false', help: 'log one line per request' },
} as const satisfies Record<string, Setting>

/** The name of a setting. */
export type SettingName = keyof typeof settings

type ValueOf<Entry> = Entry extends { kind: Kind<infer Value> }
  ? Entry extends { fallback: string }
    ? Value
    : Value | undefined
  : never

/** The value of every setting; undefined where it is unset. */
export type SettingValues = {
  readonly [Name in Exclude<SettingName, 'publicUrl'>]: ValueOf<(typeof settings)[Name]>
} & {
  readonly publicUrl: string
}

/** The names of all settings, in the order of the table. */
export const settingNames = Object.keys(settings) as readonly SettingName[]

/** The setting as a line of the table, whatever its type. */
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
