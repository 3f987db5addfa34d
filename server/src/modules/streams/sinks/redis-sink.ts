import { Redis } from 'ioredis'
import { streamLine } from '../formats/stream-line.ts'
import type { StreamTarget } from '../stream-target.ts'
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
  const open = async (): Promise<Redis> => {
    const redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // Needs the right to use INFO. A server that loads its data refuses the batch.
      enableReadyCheck: false,
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
    try {
      await redis.connect()
      // Unlike the selection at the connection, this one fails if there is no such database.
      if (redis.options.db) await redis.select(redis.options.db)
      return redis
    } catch (error) {
      redis.disconnect()
      throw lastError ?? error
    }
  }
  const trim = maxLength === 0 ? [] : ['MAXLEN', '~', maxLength]
  let connection: Redis | undefined
  return {
    kind: 'REDIS',
    limits: { maxEvents: 2000, maxLength: 2_000_000, maxInFlight: 1 },
    deliver: async (events) => {
      const redis = connection?.status === 'ready' ? connection : await open()
      connection = redis
      try {
        // Fails if the key is not a stream, or the user has no access to it.
        if (events.length === 0) return void (await redis.xlen(key))
        // As a transaction: a server that runs out of memory in between takes none, which keeps the order.
        const transaction = redis.multi()
        for (const streamed of events) {
          const { id, object } = JSON.parse(streamed.body) as { id: string; object: string }
          const fields = ['id', id, 'object', object, 'organizationId', streamed.organizationId]
          transaction.call('XADD', key, ...trim, '*', ...fields, 'event', streamLine(streamed, 'json'))
        }
        const failed = (await transaction.exec())?.find(([error]) => error)
        if (failed) throw failed[0]
      } catch (error) {
        // The server may be gone without a word, or be a replica since a failover: the next batch looks for it again.
        redis.disconnect()
        connection = undefined
        const [reason = error] = (error as { previousErrors?: readonly Error[] }).previousErrors ?? []
        throw reason
      }
      return undefined
    },
    close: async () => connection?.disconnect(),
  }
}
