import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import type { Config } from '../../config.ts'
import { memoryRateLimiter } from '../../http/rate-limit.ts'
import { redisRateLimiter } from '../../http/rate-limit-redis.ts'
import { systemClock } from '../../lib/clock.ts'
import { type CheckFinding, fail, messageOf, ok } from './check-finding.ts'

const answerWithinMs = 3000

/** Whether the port is free, or ours already. */
export async function checkPort({ host, port, plainHttp }: Config): Promise<CheckFinding> {
  if (port === 0) return ok('port', 'Any free port is taken.')
  try {
    const server = createServer().listen(port, host)
    await once(server, 'listening')
    server.close()
    return ok('port', `Port ${port} is free: no server runs.`)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE') return usedPort(host, port, plainHttp)
    const advice =
      code === 'EACCES'
        ? 'Take a port above 1023 (--port), or give the process the privilege.'
        : 'Set MUSTER_HOST to an address of this machine, or 0.0.0.0 for all of them.'
    return fail('port', `${host} port ${port} cannot be listened on: ${messageOf(error)}.`, advice)
  }
}

async function usedPort(host: string, port: number, plainHttp: boolean): Promise<CheckFinding> {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const answers = await isMuster(address, port, plainHttp)
  return answers
    ? ok('port', `A server of Muster answers on port ${port}.`)
    : fail('port', `Port ${port} is used by another program.`, 'Stop that, or take another port with --port.')
}

/** Asks for /healthz; the certificate does not matter here. */
function isMuster(host: string, port: number, plainHttp: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const options = {
      host,
      port,
      path: '/healthz',
      timeout: answerWithinMs,
      rejectUnauthorized: false,
      agent: false,
    }
    const request = (plainHttp ? httpRequest : httpsRequest)(options, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => {
        text += part.toString()
      })
      response.on('end', () => resolve(response.statusCode === 200 && /"status":\s*"ok"/.test(text)))
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', () => resolve(false))
    request.end()
  })
}

/** Whether Redis can be reached, if it is set. */
export async function checkRedis({
  redisUrl,
  rateLimitSustained,
  rateLimitBurst,
}: Config): Promise<CheckFinding[]> {
  if (redisUrl === undefined) return []
  const figures = { sustained: rateLimitSustained, burst: rateLimitBurst }
  const quiet = { warn: () => undefined, info: () => undefined }
  const fallback = memoryRateLimiter({ ...figures, clock: systemClock })
  const limiter = await redisRateLimiter({ ...figures, url: redisUrl, fallback, log: quiet })
  const healthy = limiter.healthy()
  await limiter.close()
  return [
    healthy
      ? ok('redis', 'Redis can be reached.')
      : fail(
          'redis',
          'Redis cannot be reached: each process limits requests by itself.',
          'Check that it runs and that MUSTER_REDIS_URL is right.',
        ),
  ]
}
