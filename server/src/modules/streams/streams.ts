import { readFileSync } from 'node:fs'
import type { EventCategory } from '@muster/contract/events/event-envelope'
import type { EventObject } from '@muster/contract/events/event-objects'
import { isPemText } from '../../kernel/config/config-kinds.ts'
import { applyStreams, type StreamPlan } from '../../kernel/events/stream-endpoints.ts'
import type { Store } from '../../kernel/events/unit-of-work.ts'
import { type BackgroundJob, jobSet } from '../../kernel/jobs/background-jobs.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import type { StreamFormat } from './formats/stream-line.ts'
import { type FileStream, fileStream } from './stream-file.ts'
import { type StreamLog, type StreamObserver, type StreamTarget, startStream } from './stream-queue.ts'
import { type SyslogStreamOptions, syslogStream } from './stream-syslog.ts'

/** Settings of the event streams. */
export interface StreamSettings {
  /** File to write to. */
  readonly eventsFile: string | undefined
  readonly eventsFileMaxMib: number
  readonly eventsFileKeep: number
  /** Syslog receiver: `tcp://host:port` or `tls://host:port`. */
  readonly eventsSyslogUrl: string | undefined
  /** PEM file of the authorities that the receiver's certificate must be signed by. */
  readonly eventsSyslogCa: string | undefined
  /** PEM files of the client certificate and its key. */
  readonly eventsSyslogCert?: string | undefined
  readonly eventsSyslogKey?: string | undefined
  readonly eventsFormat: StreamFormat
  /** Streamed events; all if neither is set. */
  readonly eventsCategories: readonly EventCategory[] | undefined
  readonly eventsObjects: readonly EventObject[] | undefined
}

export interface StreamOptions {
  readonly db: Store
  readonly clock: Clock
  readonly log: StreamLog
  readonly settings: StreamSettings
  /** Host name in syslog messages. */
  readonly hostname: string
  /** ID of this process in leases. */
  readonly holder: string
  /** Called for every batch, for metrics. */
  readonly observe?: StreamObserver | undefined
  /** Organization that alone has set the syslog stream in the console. */
  readonly onlyOrg?: number | undefined
  /** Checks the address of a receiver that was set in the console. */
  readonly guard?: AddressGuard | undefined
}

export interface Streams extends BackgroundJob {
  /** Reopens the file after it was moved; undefined without a file. */
  readonly reopen: (() => void) | undefined
}

const bytesPerMib = 1024 * 1024
const defaultPorts: Readonly<Record<string, number>> = { 'tcp:': 514, 'tls:': 6514 }

/**
 * Creates the configured streams in every organization, starts to deliver to them and deletes streams that are no longer
 * configured.
 *
 * @throws ConfigError if the file cannot be written or the certificates cannot be read. An unavailable receiver is not an
 *   error: its events wait
 */
export async function startStreams(options: StreamOptions): Promise<Streams> {
  const { db, clock, settings } = options
  const file = await fileTarget(settings)
  const syslog = syslogTarget(settings, { hostname: options.hostname, guard: options.guard })
  const targets: StreamTarget[] = [file, syslog].filter((target) => target !== undefined)
  const plans = targets.map(({ kind }): StreamPlan => {
    const url = kind === 'FILE' ? `file://${settings.eventsFile}` : (settings.eventsSyslogUrl ?? '')
    const { eventsCategories: categories = [], eventsObjects: objects = [] } = settings
    return { kind, url, categories, objects, onlyOrg: options.onlyOrg }
  })
  await db.inTransaction((tx) => applyStreams(tx, plans, unixSeconds(clock)))
  const queues = jobSet(options.log)
  for (const target of targets) queues.add(startStream({ ...options, target, onSignal: db.onEvents }))
  return { reopen: file && (() => file.reopen()), stop: queues.stop }
}

async function fileTarget(settings: StreamSettings): Promise<FileStream | undefined> {
  const { eventsFile: path, eventsFormat: format, eventsFileMaxMib, eventsFileKeep: keep } = settings
  if (path === undefined) return undefined
  const target = fileStream({ path, format, maxBytes: eventsFileMaxMib * bytesPerMib, keep })
  try {
    await target.deliver([])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`MUSTER_EVENTS_FILE must be a writable file: ${reason}.`])
  }
  return target
}

/**
 * Creates the target of the configured syslog receiver, if there is one.
 *
 * @throws ConfigError if the certificates cannot be read
 */
export function syslogTarget(
  settings: StreamSettings,
  options: Pick<SyslogStreamOptions, 'hostname' | 'timeoutMs' | 'guard'>,
): StreamTarget | undefined {
  const { eventsSyslogUrl: url, eventsSyslogCa, eventsSyslogCert, eventsSyslogKey } = settings
  if (url === undefined) return undefined
  const { protocol, hostname: host, port } = new URL(url)
  return syslogStream({
    host: host.replace(/^\[|\]$/g, ''),
    port: port === '' ? (defaultPorts[protocol] ?? 0) : Number(port),
    tls: protocol === 'tls:',
    ca: readPem('MUSTER_EVENTS_SYSLOG_CA', eventsSyslogCa, 'CERTIFICATE'),
    cert: readPem('MUSTER_EVENTS_SYSLOG_CERT', eventsSyslogCert, 'CERTIFICATE'),
    key: readPem('MUSTER_EVENTS_SYSLOG_KEY', eventsSyslogKey, 'PRIVATE KEY'),
    format: settings.eventsFormat,
    ...options,
  })
}

/** Reads a PEM file, or returns a PEM text. `label` is the end of the PEM label that it must contain. */
function readPem(setting: string, path: string | undefined, label: string): string | undefined {
  if (path === undefined || isPemText(path)) return path
  try {
    const text = readFileSync(path, 'utf8')
    if (text.includes(`${label}-----`)) return text
  } catch (cause) {
    throw new ConfigError([`${setting}: ${path} cannot be read.`], { cause })
  }
  throw new ConfigError([`${setting} must be a PEM file that contains a ${label}; ${path} does not.`])
}
