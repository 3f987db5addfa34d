import { memoryRateLimiter } from '../../../kernel/http/rate-limit/rate-limit.ts'
import { redisRateLimiter } from '../../../kernel/http/rate-limit/rate-limit-redis.ts'
import { systemClock } from '../../../kernel/lib/clock.ts'
import { type DoctorCheck, fail, ok } from '../doctor-check.ts'

const answerWithinMs = 3000

/** Checks that the configured Redis is reachable. */
export const redisCheck: DoctorCheck = {
  name: 'redis',
  run: async ({ config: { redisUrl, rateLimitSustained, rateLimitBurst } }) => {
    if (redisUrl === undefined) return []
    const limits = { sustained: rateLimitSustained, burst: rateLimitBurst }
    const limiter = await redisRateLimiter({
      ...limits,
      url: redisUrl,
      fallback: memoryRateLimiter({ ...limits, clock: systemClock }),
      log: { warn: () => undefined, info: () => undefined },
      responseTimeoutMs: answerWithinMs,
    })
    const isHealthy = limiter.healthy()
    await limiter.close()
    return [
      isHealthy
        ? ok('Redis is reachable.')
        : fail(
            'Redis is not reachable: each process limits requests on its own.',
            'Check that it runs and that MUSTER_REDIS_URL is right.',
          ),
    ]
  },
}
