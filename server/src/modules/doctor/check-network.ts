import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createServer, isIPv6 } from 'node:net'
import type { Config } from '../../kernel/config/config.ts'
import { memoryRateLimiter } from '../../kernel/http/rate-limit/rate-limit.ts'
import { redisRateLimiter } from '../../kernel/http/rate-limit/rate-limit-redis.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { isEverywhere } from '../../kernel/lib/net/origin-at.ts'
import { type CheckFinding, fail, messageOf, ok } from './check-finding.ts'

const answerWithinMs = 3000

/** Whether the ports, that of the metrics first, are free or ours already. */
export async function checkPorts({ host, port, metricsPort, plainHttp }: Config): Promise<CheckFinding[]> {
  const refusal = await refusalOf(host, port)
  const isOurs = refusal?.code === 'EADDRINUSE' && (await isMuster(host, port, plainHttp))
  return [...(await metricsFindings(metricsPort, isOurs)), portFinding(host, port, refusal, isOurs)]
}

/** Why the port cannot be listened on; undefined if it can. */
async function refusalOf(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    const server = createServer().listen(port, host)
    await once(server, 'listening')
    server.close()
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

function portFinding(
  host: string,
  port: number,
  refusal: NodeJS.ErrnoException | undefined,
  isOurs: boolean,
): CheckFinding {
  if (isOurs) return ok('port', `A server of Muster answers on port ${port}.`)
  if (refusal === undefined)
    return ok('port', port === 0 ? 'Any free port is taken.' : `Port ${port} is free: no server runs.`)
  if (refusal.code === 'EADDRINUSE') {
    const advice = 'Stop that, or take another port with --port.'
    return fail('port', `Port ${port} is used by another program.`, advice)
  }
  const advice =
    refusal.code === 'EACCES'
      ? 'Take a port above 1023 (--port), or give the process the privilege.'
      : 'Set MUSTER_HOST to an address of this machine, or 0.0.0.0 for all of them.'
  return fail('port', `${host} port ${port} cannot be listened on: ${messageOf(refusal)}.`, advice)
}

/** @param isServed whether a server of ours runs, whose metrics may then be what has the port */
async function metricsFindings(port: number, isServed: boolean): Promise<CheckFinding[]> {
  if (port === 0) return []
  const refusal = await refusalOf('127.0.0.1', port)
  if (refusal === undefined) return [ok('metrics port', `Port ${port} is free for the metrics.`)]
  const isTaken = refusal.code === 'EADDRINUSE'
  if (isTaken && isServed)
    return [ok('metrics port', `Port ${port} of the metrics is in use, as is that of the server.`)]
  const why = isTaken
    ? `Port ${port} of the metrics is used by another program, another server of Muster perhaps.`
    : `Port ${port} of the metrics cannot be listened on: ${messageOf(refusal)}.`
  return [fail('metrics port', why, 'Take another port with --metrics-port, or none at all: 0.')]
}

/** Asks for /healthz; the certificate does not matter here. */
function isMuster(host: string, port: number, plainHttp: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const options = {
      host: isEverywhere(host) ? (isIPv6(host) ? '::1' : '127.0.0.1') : host,
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
  const limiter = await redisRateLimiter({
    ...figures,
    url: redisUrl,
    fallback,
    log: quiet,
    responseTimeoutMs: answerWithinMs,
  })
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
