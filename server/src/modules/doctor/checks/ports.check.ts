import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createServer, isIPv6 } from 'node:net'
import { isEverywhere } from '../../../kernel/lib/net/origin-at.ts'
import { type DoctorCheck, type Finding, fail, messageOf, named, ok } from '../doctor-check.ts'

const answerWithinMs = 3000

/** Checks that the ports are free or used by our own server. */
export const portsCheck: DoctorCheck = {
  name: 'port',
  run: async ({ config: { host, port, metricsPort, metricsHost, plainHttp } }) => {
    const error = await listenError(host, port)
    const isOurs = error?.code === 'EADDRINUSE' && (await isMuster(host, port, plainHttp))
    const metrics = await metricsFindings(metricsHost, metricsPort, isOurs)
    return [
      ...metrics.map((finding) => named('metrics port', finding)),
      portFinding(host, port, error, isOurs),
    ]
  },
}

/** Returns the error of listening on the port; undefined if it works. */
async function listenError(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
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
  error: NodeJS.ErrnoException | undefined,
  isOurs: boolean,
): Finding {
  if (isOurs) return ok(`A Muster server is running on port ${port}.`)
  if (error === undefined)
    return ok(port === 0 ? 'Any free port is used.' : `Port ${port} is free: no server is running.`)
  if (error.code === 'EADDRINUSE') {
    const advice = 'Stop that program, or choose another port with --port.'
    return fail(`Port ${port} is used by another program.`, advice)
  }
  const advice =
    error.code === 'EACCES'
      ? 'Choose a port above 1023 (--port), or give the process the privilege.'
      : 'Set MUSTER_HOST to an address of this machine, or to 0.0.0.0 for all of them.'
  return fail(`Cannot listen on ${host} port ${port}: ${messageOf(error)}.`, advice)
}

/** @param isServing true if our server is running, whose metrics may be using the port */
async function metricsFindings(host: string, port: number, isServing: boolean): Promise<Finding[]> {
  if (port === 0) return []
  const error = await listenError(host, port)
  if (error === undefined) return [ok(`Port ${port} is free for the metrics.`)]
  const isTaken = error.code === 'EADDRINUSE'
  if (isTaken && isServing) return [ok(`The metrics port ${port} is in use, as is that of the server.`)]
  const problem = isTaken
    ? `The metrics port ${port} is used by another program, possibly another Muster server.`
    : `Cannot listen on the metrics port ${port}: ${messageOf(error)}.`
  return [fail(problem, 'Choose another port with --metrics-port, or 0 for no metrics.')]
}

/** Requests /healthz. Any certificate is accepted. */
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
