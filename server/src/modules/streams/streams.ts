import { readFileSync } from 'node:fs'
import type { EventCategory } from '@muster/contract/event-envelope'
import type { EventObject } from '@muster/contract/event-objects'
import type { Registry } from 'prom-client'
import { applyStreams, type StreamPlan } from '../../kernel/events/stream-endpoints.ts'
import type { Store } from '../../kernel/events/unit-of-work.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import type { StreamFormat } from './formats/stream-line.ts'
import { type FileStream, fileStream } from './stream-file.ts'
import { type StreamLog, type StreamTarget, streamLoop } from './stream-loop.ts'
import { streamMetrics } from './stream-metrics.ts'
import { syslogStream } from './stream-syslog.ts'

/** The settings of the streams of events, as they come from the operator. */
export interface StreamSettings {
  /** The file to write to. */
  readonly eventsFile: string | undefined
  readonly eventsFileMaxMib: number
  readonly eventsFileKeep: number
  /** The receiver of syslog: `tcp://host:port` or `tls://host:port`. */
  readonly eventsSyslogUrl: string | undefined
  /** A file of certificates that the receiver's must lead to. */
  readonly eventsSyslogCa: string | undefined
  /** What we show to a receiver that asks who we are: a certificate and its key, files in PEM. */
  readonly eventsSyslogCert?: string | undefined
  readonly eventsSyslogKey?: string | undefined
  readonly eventsFormat: StreamFormat
  /** What is streamed; everything if neither is given. */
  readonly eventsCategories: readonly EventCategory[] | undefined
  readonly eventsObjects: readonly EventObject[] | undefined
}

export interface StreamOptions {
  readonly db: Store
  readonly clock: Clock
  readonly log: StreamLog
  readonly settings: StreamSettings
  /** The name of this machine. */
  readonly hostname: string
  /** Names this process among those that share the store. */
  readonly holder: string
  /** Where figures go. */
  readonly registry?: Registry | undefined
}

export interface Streams {
  /** Opens the file again, for whoever has moved it; undefined without a file. */
  readonly reopen: (() => void) | undefined
  stop(): Promise<void>
}

const bytesPerMib = 1024 * 1024
const standardPorts: Readonly<Record<string, number>> = { 'tcp:': 514, 'tls:': 6514 }

/**
 * Sets up the streams that the settings ask for, in every organization, and begins to deliver to them. Streams that are no
 * longer asked for are dropped, also from the store.
 *
 * @throws ConfigError if the file cannot be written or the certificates cannot be read. A receiver that does not answer is
 * no mistake: what it has missed waits for it.
 */
export async function startStreams(options: StreamOptions): Promise<Streams> {
  const { db, clock, settings } = options
  const file = await fileTarget(settings)
  const syslog = syslogTarget(settings, options.hostname)
  const targets: StreamTarget[] = [file, syslog].filter((target) => target !== undefined)
  const plans = targets.map(({ kind }): StreamPlan => {
    const url = kind === 'FILE' ? `file://${settings.eventsFile}` : (settings.eventsSyslogUrl ?? '')
    return { kind, url, categories: settings.eventsCategories ?? [], objects: settings.eventsObjects ?? [] }
  })
  await db.inTransaction((tx) => applyStreams(tx, plans, unixSeconds(clock)))
  const { registry } = options
  const observe = registry && targets.length > 0 ? streamMetrics(registry, db, clock) : undefined
  const loops = targets.map((target) => streamLoop({ ...options, target, observe }))
  const deafen = db.onEvents(() => {
    for (const loop of loops) loop.wake()
  })
  return {
    reopen: file && (() => file.reopen()),
    stop: async () => {
      deafen()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

async function fileTarget(settings: StreamSettings): Promise<FileStream | undefined> {
  const { eventsFile: path, eventsFormat: format, eventsFileMaxMib, eventsFileKeep: keep } = settings
  if (path === undefined) return undefined
  const target = fileStream({ path, format, bytesMaximum: eventsFileMaxMib * bytesPerMib, keep })
  try {
    await target.deliver([])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`MUSTER_EVENTS_FILE must be a file that this process can write: ${reason}.`])
  }
  return target
}

/**
 * The receiver of syslog that the settings name, if they do.
 *
 * @param hostname the name of this machine
 * @param timeoutMs how long a batch may take, if not as long as usual
 * @throws ConfigError if the certificates cannot be read
 */
export function syslogTarget(
  settings: StreamSettings,
  hostname: string,
  timeoutMs?: number,
): StreamTarget | undefined {
  const { eventsSyslogUrl: url, eventsSyslogCa, eventsSyslogCert, eventsSyslogKey } = settings
  if (url === undefined) return undefined
  const { protocol, hostname: host, port } = new URL(url)
  return syslogStream({
    host: host.replace(/^\[|\]$/g, ''),
    port: port === '' ? (standardPorts[protocol] ?? 0) : Number(port),
    tls: protocol === 'tls:',
    ca: readPem('MUSTER_EVENTS_SYSLOG_CA', eventsSyslogCa, 'CERTIFICATE'),
    cert: readPem('MUSTER_EVENTS_SYSLOG_CERT', eventsSyslogCert, 'CERTIFICATE'),
    key: readPem('MUSTER_EVENTS_SYSLOG_KEY', eventsSyslogKey, 'PRIVATE KEY'),
    format: settings.eventsFormat,
    hostname,
    timeoutMs,
  })
}

/** What a file of PEM is to hold; `label` is what stands between its dashes, at the end. */
function readPem(setting: string, path: string | undefined, label: string): string | undefined {
  if (path === undefined) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    if (text.includes(`${label}-----`)) return text
  } catch (cause) {
    throw new ConfigError([`${setting} is ${path}, which cannot be read.`], { cause })
  }
  throw new ConfigError([`${setting} must be a file in PEM that holds a ${label}; ${path} does not.`])
}
