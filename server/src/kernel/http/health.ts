import type { FastifyInstance } from 'fastify'
import { setTimeoutAfterIo } from '../lib/timeout-after-io.ts'
import { version } from '../lib/version.ts'

/** Readiness check of a dependency. */
export interface Check {
  name: string
  /** If a required check fails, the server is not ready. Otherwise it is degraded. */
  required: boolean
  /**
   * Returns true if the dependency works, else the reason as a sentence. The reason is public: `/readyz` needs no key.
   * Rejects if the reason is not known.
   */
  run(): Promise<boolean | string>
}

/** Paths of probes. They need no key, so their responses must not reveal anything confidential. */
export const probePaths: readonly string[] = ['/healthz', '/readyz']

/** Time limit of a check. Load balancers do not wait longer. */
const checkTimeoutMs = 2_000

const timedOut = (): Promise<false> =>
  new Promise((resolve) => {
    setTimeoutAfterIo(checkTimeoutMs, () => resolve(false)).unref()
  })

/**
 * Registers the probes. `/healthz` answers 200 while the process runs. `/readyz` answers 503 while a required check fails
 * or the server drains.
 */
export function registerHealth(
  app: FastifyInstance,
  checks: readonly Check[],
  isDraining: () => boolean = () => false,
): void {
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version }),
  )
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, required, run }) => ({
        name,
        required,
        outcome: await Promise.race([run().catch(() => false), timedOut()]),
      })),
    )
    const failed = results.filter(({ outcome }) => outcome !== true)
    const broken = failed.some(({ required }) => required)
    const degraded = failed.length > 0
    const states = Object.fromEntries(
      results.map(({ name, outcome }) => [name, outcome === true ? 'ok' : 'failed']),
    )
    const reasons = Object.fromEntries(
      failed.flatMap(({ name, outcome }) => (typeof outcome === 'string' ? [[name, outcome]] : [])),
    )
    const draining = isDraining()
    const status = draining ? 'draining' : broken ? 'unavailable' : degraded ? 'degraded' : 'ok'
    return reply
      .code(broken || draining ? 503 : 200)
      .header('cache-control', 'no-store')
      .send({ status, checks: states, ...(Object.keys(reasons).length > 0 ? { reasons } : {}) })
  })
}
