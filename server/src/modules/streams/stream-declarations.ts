import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { type StreamKind, streamKinds } from '@muster/contract/events/stream-kinds'
import type { Config } from '../../kernel/config/config.ts'
import { isPemText } from '../../kernel/config/config-kinds.ts'
import { type SettingName, tomlName } from '../../kernel/config/config-settings.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import { maskUrlPassword } from '../../kernel/lib/secrets/redact.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { datadogSink } from './sinks/datadog-sink.ts'
import { elasticSink } from './sinks/elastic-sink.ts'
import type { SinkConnection } from './sinks/http-post.ts'
import { type HttpSink, httpTarget } from './sinks/http-sink.ts'
import { linesSink } from './sinks/lines-sink.ts'
import { redisTarget } from './sinks/redis-sink.ts'
import { sentinelSink } from './sinks/sentinel-sink.ts'
import { splunkSink } from './sinks/splunk-sink.ts'
import { fileStream } from './stream-file.ts'
import { syslogStream } from './stream-syslog.ts'
import type { StreamTarget } from './stream-target.ts'

type EventSetting = Extract<SettingName, `events${string}`>

/** Settings of the event streams. */
export type StreamSettings = Pick<
  Config,
  | 'eventsFile'
  | 'eventsFileMaxMib'
  | 'eventsFileKeep'
  | 'eventsSyslogUrl'
  | 'eventsSyslogCa'
  | 'eventsFormat'
  | 'eventsCategories'
  | 'eventsObjects'
> &
  Partial<Pick<Config, EventSetting>>

export interface TargetOptions {
  /** Host name in syslog messages. */
  readonly hostname: string
  readonly timeoutMs?: number | undefined
  /** Checks the address of a receiver that an owner has set in the console. */
  readonly guard?: AddressGuard | undefined
  /** True for a test, which does not wait until the receiver confirms that it has stored the event. */
  readonly isTrial?: boolean | undefined
}

/** A kind of stream. To add one, add it to the contract's `streamKinds` and here. */
export interface StreamDeclaration {
  readonly kind: StreamKind
  /** Setting with the target, which turns the stream on. */
  readonly setting: EventSetting
  /** Name in messages, to follow "the". */
  readonly title: string
  /** @throws ConfigError if a setting is missing or a file cannot be read */
  create(settings: StreamSettings, options: TargetOptions): StreamTarget
}

const bytesPerMib = 1024 * 1024
const syslogPorts: Readonly<Record<string, number>> = { 'tcp:': 514, 'tls:': 6514 }

type Declarations = { readonly [Kind in StreamKind]: Omit<StreamDeclaration, 'kind'> }

const declarations: Declarations = {
  FILE: {
    setting: 'eventsFile',
    title: 'events file',
    create: (settings) => {
      const { eventsFile: path, eventsFormat: format, eventsFileKeep: keep } = need(settings, 'eventsFile')
      return fileStream({ path, format, maxBytes: settings.eventsFileMaxMib * bytesPerMib, keep })
    },
  },
  SYSLOG: { setting: 'eventsSyslogUrl', title: 'syslog receiver', create: syslogTarget },
  SPLUNK: {
    setting: 'eventsSplunkUrl',
    title: 'Splunk HTTP Event Collector',
    create: http((settings, connection, post) => {
      const { eventsSplunkIndex } = settings
      const given = need(settings, 'eventsSplunkUrl', 'eventsSplunkToken')
      return splunkSink({ ...given, eventsSplunkIndex }, post, connection)
    }),
  },
  ELASTIC: {
    setting: 'eventsElasticUrl',
    title: 'Elasticsearch or OpenSearch server',
    create: http((settings) => {
      const { eventsElasticUser, eventsElasticSecret } = settings
      const given = need(settings, 'eventsElasticUrl', 'eventsElasticIndex')
      return elasticSink({ ...given, eventsElasticUser, eventsElasticSecret })
    }),
  },
  SENTINEL: {
    setting: 'eventsSentinelUrl',
    title: 'logs ingestion endpoint of Microsoft Sentinel',
    create: http((settings, _, post) =>
      sentinelSink(
        need(
          settings,
          'eventsSentinelUrl',
          'eventsSentinelRule',
          'eventsSentinelStream',
          'eventsSentinelTenant',
          'eventsSentinelClientId',
          'eventsSentinelClientSecret',
          'eventsSentinelLogin',
        ),
        post,
      ),
    ),
  },
  DATADOG: {
    setting: 'eventsDatadogUrl',
    title: 'log intake of Datadog',
    create: http((settings) => datadogSink(need(settings, 'eventsDatadogUrl', 'eventsDatadogKey'))),
  },
  HTTP: {
    setting: 'eventsHttpUrl',
    title: 'HTTP receiver',
    create: http((settings) => {
      const { eventsHttpAuthorization } = settings
      return linesSink({ ...need(settings, 'eventsHttpUrl'), eventsHttpAuthorization })
    }),
  },
  REDIS: {
    setting: 'eventsRedisUrl',
    title: 'Redis server',
    create: (settings, options) =>
      redisTarget(
        need(settings, 'eventsRedisUrl', 'eventsRedisStream', 'eventsRedisMaxLength'),
        connectionOf(settings, options),
      ),
  },
}

/** All kinds of streams. */
export const streamDeclarations: readonly StreamDeclaration[] = streamKinds.map((kind) => ({
  kind,
  ...declarations[kind],
}))

/** Returns the kinds of streams that are turned on. */
export const streamsOf = (settings: StreamSettings): readonly StreamDeclaration[] =>
  streamDeclarations.filter(({ setting }) => settings[setting] !== undefined)

/** Returns the target of a stream as it is shown, without secrets. */
export function shownTarget({ kind, setting }: StreamDeclaration, settings: StreamSettings): string {
  const text = String(settings[setting])
  if (kind === 'FILE') return `file://${text}`
  const masked = maskUrlPassword(text)
  // Masking normalizes the URL, too.
  return masked === new URL(text).href ? text : masked
}

type Needed<Name extends EventSetting> = StreamSettings & {
  readonly [N in Name]: NonNullable<StreamSettings[N]>
}

/** @throws ConfigError if a setting has no value */
function need<Name extends EventSetting>(settings: StreamSettings, ...names: readonly Name[]): Needed<Name> {
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length > 0) throw new ConfigError(missing.map((name) => `${tomlName(name)} is not set.`))
  return settings as Needed<Name>
}

function connectionOf({ eventsCa }: StreamSettings, options: TargetOptions): SinkConnection {
  const { timeoutMs, guard, isTrial } = options
  const ca = readPem('MUSTER_EVENTS_CA', eventsCa, 'CERTIFICATE')
  return {
    timeoutMs,
    guard,
    isTrial,
    ca: ca === undefined ? undefined : [...getCACertificates('default'), ca],
  }
}

function http(
  make: (
    settings: StreamSettings,
    connection: SinkConnection,
    post: Parameters<Parameters<typeof httpTarget>[0]>[0],
  ) => HttpSink,
): StreamDeclaration['create'] {
  return (settings, options) => {
    const connection = connectionOf(settings, options)
    return httpTarget((post) => make(settings, connection, post), connection)
  }
}

function syslogTarget(settings: StreamSettings, options: TargetOptions): StreamTarget {
  const { eventsSyslogUrl, eventsSyslogCa, eventsSyslogCert, eventsSyslogKey } = need(
    settings,
    'eventsSyslogUrl',
  )
  const { protocol, hostname: host, port } = new URL(eventsSyslogUrl)
  const { hostname, timeoutMs, guard } = options
  return syslogStream({
    host: host.replace(/^\[|\]$/g, ''),
    port: port === '' ? (syslogPorts[protocol] ?? 0) : Number(port),
    tls: protocol === 'tls:',
    ca: readPem('MUSTER_EVENTS_SYSLOG_CA', eventsSyslogCa, 'CERTIFICATE'),
    cert: readPem('MUSTER_EVENTS_SYSLOG_CERT', eventsSyslogCert, 'CERTIFICATE'),
    key: readPem('MUSTER_EVENTS_SYSLOG_KEY', eventsSyslogKey, 'PRIVATE KEY'),
    format: settings.eventsFormat,
    hostname,
    timeoutMs,
    guard,
  })
}

/** Reads a PEM file, or returns a PEM text. `label` is the end of the PEM label that it must contain. */
function readPem(
  setting: string,
  path: string | undefined,
  label: 'CERTIFICATE' | 'PRIVATE KEY',
): string | undefined {
  if (path === undefined || isPemText(path)) return path
  const expected = `${setting} must be a PEM file that contains a ${label}; ${path}`
  let text: string
  try {
    text = readFileSync(path, 'utf8')
    // Throws if it is not a certificate.
    if (label === 'CERTIFICATE' && text.includes(`${label}-----`)) void new X509Certificate(text)
  } catch (cause) {
    throw new ConfigError([`${expected} cannot be read: ${(cause as Error).message}`], { cause })
  }
  if (text.includes(`${label}-----`)) return text
  throw new ConfigError([`${expected} does not.`])
}
