import type { Registry } from 'prom-client'
import type { Config } from '../../kernel/config/config.ts'
import { settingNames } from '../../kernel/config/config-settings.ts'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import type { SettingsWatch } from '../settings/settings-watch.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { streamsOf } from './stream-declarations.ts'
import { streamMetrics } from './stream-metrics.ts'
import type { StreamObserver } from './stream-queue.ts'
import { type StreamOptions, type Streams, startStreams } from './streams.ts'

export interface FollowedStreams extends Omit<StreamOptions, 'settings' | 'own' | 'observe'> {
  readonly settings: Pick<SettingsWatch, 'of' | 'operator' | 'onChange'>
  /** Registry for metrics. */
  readonly registry?: Registry | undefined
  readonly guard: AddressGuard
}

/** Time until settings that could not be used are tried again. */
const retryMs = 5000

const eventSettingNames = settingNames.filter((name) => name.startsWith('events'))

/** Returns the values that need a new start of the streams, as one text. */
const valuesOf = (config: Config): string =>
  JSON.stringify(eventSettingNames.map((name) => [config[name] ?? null, config.sources[name]]))

/**
 * Starts the streams, and again with other settings whenever they change.
 *
 * @throws ConfigError like `startStreams`, at the first start only; later failures are logged
 */
export async function followStreams(options: FollowedStreams): Promise<Streams> {
  const { settings, registry, db, clock, log, guard } = options
  let observe: StreamObserver | undefined
  const start = (config: Config): Promise<Streams> => {
    if (registry && streamsOf(config).length > 0) observe ??= streamMetrics(registry, db, clock)
    const { sources } = config
    const own = { org: firstOrganization, sources, operator: settings.operator, guard }
    return startStreams({ ...options, settings: config, observe, own })
  }
  let values = valuesOf(settings.of(firstOrganization))
  let current: Streams | undefined = await start(settings.of(firstOrganization))
  let isStopped = false
  let turn = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  const follow = async (): Promise<void> => {
    const config = settings.of(firstOrganization)
    if (isStopped || valuesOf(config) === values) return
    values = valuesOf(config)
    await current?.stop()
    current = undefined
    current = await start(config)
    log.info({}, 'Event streams: the settings have changed and are in effect')
  }
  const followInTurn = (): void => {
    turn = turn.then(follow).catch((error) => {
      log.warn({ err: error }, 'Event streams: the new settings cannot be used now; they are tried again')
      values = ''
      retry = setTimeout(followInTurn, retryMs).unref()
    })
  }
  const unsubscribe = settings.onChange(followInTurn)
  return {
    reopen: () => current?.reopen?.(),
    stop: async () => {
      unsubscribe()
      isStopped = true
      clearTimeout(retry)
      await turn
      await current?.stop()
    },
  }
}
