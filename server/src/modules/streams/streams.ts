import type { Config } from '../../kernel/config/config.ts'
import { applyStreams, type StreamPlan } from '../../kernel/events/stream-endpoints.ts'
import type { Store } from '../../kernel/events/unit-of-work.ts'
import { type BackgroundJob, jobSet } from '../../kernel/jobs/background-jobs.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { type StreamDeclaration, type StreamSettings, shownTarget, streamsOf } from './stream-declarations.ts'
import { type StreamLog, type StreamObserver, startStream } from './stream-queue.ts'
import type { StreamTarget } from './stream-target.ts'

/** Streams that an organization has set in the console. */
export interface OwnStreams {
  /** The only organization that has them. */
  readonly org: number
  readonly sources: Config['sources']
  /** Settings of the operator, which apply to all other streams. */
  readonly operator: StreamSettings
  /** Checks the addresses of their receivers. */
  readonly guard: AddressGuard
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
  readonly own?: OwnStreams | undefined
}

export interface Streams extends BackgroundJob {
  /** Reopens the file after it was moved; undefined without a file. */
  readonly reopen: (() => void) | undefined
}

/**
 * Creates the configured streams in every organization, starts to deliver to them and deletes streams that are no longer
 * configured.
 *
 * @throws ConfigError if the file cannot be written or the certificates cannot be read. An unavailable receiver is not an
 *   error: its events wait
 */
export async function startStreams(options: StreamOptions): Promise<Streams> {
  const { db, clock, log, hostname, own } = options
  const plans: StreamPlan[] = []
  const targets: StreamTarget[] = []
  for (const stream of streamsOf(options.settings)) {
    const isOwn = own?.sources[stream.setting] === 'console'
    const settings = isOwn || !own ? options.settings : own.operator
    plans.push(planOf(stream, settings, isOwn ? own?.org : undefined))
    try {
      const target = stream.create(settings, { hostname, guard: isOwn ? own?.guard : undefined })
      if (stream.kind === 'FILE') await assertWritable(target)
      targets.push(target)
    } catch (error) {
      // Settings of an owner must not prevent the start of the server, for example a secret that cannot be decrypted.
      if (!isOwn) throw error
      log.warn(
        { err: error, stream: stream.kind },
        'Event stream: the settings from the console cannot be used',
      )
    }
  }
  await db.inTransaction((tx) => applyStreams(tx, plans, unixSeconds(clock)))
  const queues = jobSet(options.log)
  for (const target of targets) queues.add(startStream({ ...options, target, onSignal: db.onEvents }))
  const reopen = targets.find((target) => target.reopen)?.reopen
  return { reopen, stop: queues.stop }
}

function planOf(
  stream: StreamDeclaration,
  settings: StreamSettings,
  onlyOrg: number | undefined,
): StreamPlan {
  const { eventsCategories: categories = [], eventsObjects: objects = [] } = settings
  return { kind: stream.kind, url: shownTarget(stream, settings), categories, objects, onlyOrg }
}

async function assertWritable(target: StreamTarget): Promise<void> {
  try {
    await target.deliver([])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`MUSTER_EVENTS_FILE must be a writable file: ${reason}.`])
  }
}
