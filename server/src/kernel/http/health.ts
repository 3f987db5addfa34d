import type { FastifyInstance } from 'fastify'
import { setTimeoutAfterIo } from '../lib/timeout-after-io.ts'

/** What /readyz says of a part that the server needs, or would be better with. */
export interface Check {
  name: string
  /** The server cannot answer without it. */
  required: boolean
  /** Returns true if the part is well, else why not, as a sentence that anybody may read; rejects if that is not known. */
  run(): Promise<boolean | string>
}

/** Where probes ask: without a key, and nothing in the answer is anybody's secret. */
export const probePaths: readonly string[] = ['/healthz', '/readyz']

/** A part that takes longer than this to answer is as good as gone; whoever asks would not wait longer either. */
const answerWithinMs = 2_000

const late = (): Promise<false> =>
  new Promise((resolve) => {
    setTimeoutAfterIo(answerWithinMs, () => resolve(false)).unref()
  })

/**
 * `/healthz`: the process answers. `/readyz`: it can do its work; 503 if a required part fails, with
 * the reason as far as it is known. Parts that it gets by without are named as degraded. 503 also while the server drains,
 * whatever the parts do.
 */
export function registerHealth(
  app: FastifyInstance,
  checks: readonly Check[],
  isDraining: () => boolean = () => false,
): void {
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, required, run }) => ({
        name,
        required,
        outcome: await Promise.race([run().catch(() => false), late()]),
      })),
    )
    const failed = results.filter(({ outcome }) => outcome !== true)
    const broken = failed.some(({ required }) => required)
    const degraded = failed.length > 0
    const parts = Object.fromEntries(
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
      .send({ status, checks: parts, ...(Object.keys(reasons).length > 0 ? { reasons } : {}) })
  })
}
