import { Redis } from 'ioredis'
import { streamLine } from '../formats/stream-line.ts'
import type { RefusedEvent, StreamTarget } from '../stream-target.ts'
import type { SinkConnection } from './http-post.ts'

export interface RedisSettings {
  readonly eventsRedisUrl: string
  readonly eventsRedisStream: string
  /** Approximate number of events to keep; 0: all. */
  readonly eventsRedisMaxLength: number
}

const defaultTimeoutMs = 30_000

/**
 * Stream of Redis or Valkey. Entries have `id`, `object`, `organizationId` and `event`. The IDs of entries are those of Redis,
 * because they must increase; readers recognize repeated events by `id`. One batch is in flight, which keeps the order.
 */
export function redisTarget(
  settings: RedisSettings,
  { ca, timeoutMs = defaultTimeoutMs }: SinkConnection,
): StreamTarget {
  const { eventsRedisUrl: url, eventsRedisStream: key, eventsRedisMaxLength: maxLength } = settings
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // Connects again for the next batch.
    retryStrategy: () => null,
    ...(url.startsWith('rediss:') && ca ? { tls: { ca: [...ca] } } : {}),
  })
  let lastError: Error | undefined
  redis.on('error', (error: Error) => {
    lastError = error
  })
  const connect = async (): Promise<void> => {
    if (redis.status === 'ready') return
    try {
      await redis.connect()
    } catch (error) {
      throw lastError ?? error
    }
  }
  const trim = maxLength === 0 ? [] : ['MAXLEN', '~', maxLength]
  return {
    kind: 'REDIS',
    limits: { maxEvents: 2000, maxLength: 2_000_000, maxInFlight: 1 },
    deliver: async (events) => {
      await connect()
      // Fails if the key is not a stream, or the user has no access to it.
      if (events.length === 0) await redis.xlen(key)
      const pipeline = redis.pipeline()
      for (const streamed of events) {
        const { id, object } = JSON.parse(streamed.body) as { id: string; object: string }
        const fields = ['id', id, 'object', object, 'organizationId', streamed.organizationId]
        pipeline.call('XADD', key, ...trim, '*', ...fields, 'event', streamLine(streamed, 'json'))
      }
      const results = (await pipeline.exec()) ?? []
      const failed = events.flatMap((_, at): RefusedEvent[] => {
        const [error] = results[at] ?? [new Error('the connection was lost')]
        return error ? [{ at, reason: error.message }] : []
      })
      return failed.length === 0 ? undefined : { rejected: [], failed }
    },
    close: async () => redis.disconnect(),
  }
}
