import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { createKey, type MusterProcess, type Settings, startMuster } from '../support/muster-process.ts'
import { freePort, startPrivateServer } from '../support/private-server.ts'
import { until } from '../support/until.ts'

const names = ['one', 'two', 'three'] as const
const clients = 16
/** In seconds. The health check below detects a server that is not ready within one second. */
const drainSeconds = 2

/** Configuration of docs/guide/operating.md, with more frequent checks. */
const configurationOf = (folder: string, port: number, ports: readonly number[]): string => `
global
  stats socket ${folder}/haproxy.sock
defaults
  mode http
  timeout connect 5s
  timeout client 75s
  timeout server 75s
frontend muster
  bind 127.0.0.1:${port}
  default_backend muster
backend muster
  balance roundrobin
  option redispatch
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host muster
  http-check expect status 200
  default-server check inter 200ms fall 2 rise 1 ssl verify none
${ports.map((each, at) => `  server ${names[at]} 127.0.0.1:${each}`).join('\n')}
`

/** Result of a rolling restart under load. */
export interface RollingRestart {
  /** Number of requests. */
  readonly requests: number
  /** Number of restarts; each of the three processes is restarted at least once. */
  readonly restarts: number
  /** Outcomes of requests without status 200. */
  readonly lost: readonly string[]
  /** Number of acknowledged and of stored employees. */
  readonly created: number
  readonly stored: number
  readonly seconds: number
}

/**
 * Repeatedly restarts three processes behind HAProxy one after the other, while clients read and write.
 *
 * @param databaseUrl an empty PostgreSQL database
 * @param least minimum number of requests
 */
export async function rollingRestart(databaseUrl: string, least: number): Promise<RollingRestart> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-rolling-'))
  const [port, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const settingsOf = (at: number): Settings => ({
    MUSTER_DATA: join(folder, String(at)),
    MUSTER_PLAIN_HTTP: 'false',
    MUSTER_PORT: `${ports[at]}`,
    MUSTER_DATABASE_URL: databaseUrl,
    MUSTER_SECRET_KEY: secretKey,
    MUSTER_RATE_LIMIT_SUSTAINED: '1000000',
    MUSTER_DRAIN_SECONDS: `${drainSeconds}`,
  })
  const secretKey = randomBytes(32).toString('base64url')
  const servers: MusterProcess[] = []
  for (const at of names.keys()) servers.push(await startMuster(settingsOf(at)))
  const { key } = await createKey(settingsOf(0), 'ada@example.com')
  // HAProxy removes its folder when it stops.
  const proxyFolder = mkdtempSync(join(tmpdir(), 'muster-haproxy-'))
  const configuration = join(proxyFolder, 'haproxy.cfg')
  writeFileSync(configuration, configurationOf(proxyFolder, port, ports))
  const proxy = await startPrivateServer({
    command: [programs.haproxy.find() ?? 'haproxy', '-db', '-f', configuration],
    folder: proxyFolder,
    stopSignal: 'TERM',
  })
  try {
    const isUp = (at: number) => until(`server ${names[at]}`, () => stateOf(proxyFolder, `${names[at]}`))
    for (const at of names.keys()) await isUp(at)
    const load = startLoad(port, key)
    const startMs = performance.now()
    let restarts = 0
    do {
      for (const at of names.keys()) {
        await servers[at]?.stop()
        servers[at] = await startMuster(settingsOf(at))
        await isUp(at)
        restarts += 1
      }
    } while (load.requests() < least)
    const seconds = Math.round((performance.now() - startMs) / 1000)
    const { lost, created } = await load.stop()
    const stored = await countEmployees(port, key)
    return { requests: load.requests(), restarts, lost, created, stored, seconds }
  } finally {
    await proxy.stop()
    for (const server of servers) await server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns true if HAProxy's statistics show a server as up. */
async function stateOf(folder: string, server: string): Promise<boolean> {
  const socket = connect(join(folder, 'haproxy.sock'))
  socket.write('show stat\n')
  const table = await text(socket)
  return table.split('\n').some((line) => line.startsWith(`muster,${server},`) && line.includes(',UP,'))
}

interface Answer {
  status: number
  body: string
}

function ask(port: number, agent: Agent, key: string, path: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-api-key': key,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const options = {
      agent,
      port,
      path,
      headers,
      host: '127.0.0.1',
      method: body === undefined ? 'GET' : 'POST',
    }
    const asked = request(options, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Starts clients that send requests over persistent connections; every fourth request creates an employee. */
function startLoad(port: number, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const lost: string[] = []
  let requests = 0
  let created = 0
  let goesOn = true
  const client = async (): Promise<void> => {
    while (goesOn) {
      requests += 1
      const writes = requests % 4 === 0
      const path = writes ? '/v1/employees' : '/v1/employees?limit=1'
      const body = writes ? JSON.stringify({ email: `${randomUUID()}@example.com` }) : undefined
      const what = `${writes ? 'POST' : 'GET'} ${requests}`
      await ask(port, agent, key, path, body).then(
        (answer) => {
          if (answer.status !== 200) lost.push(`${what}: ${answer.status} ${answer.body.slice(0, 200)}`)
          else if (writes) created += 1
        },
        (error: Error) => lost.push(`${what}: ${error.message}`),
      )
    }
  }
  const running = Array.from({ length: clients }, client)
  return {
    requests: () => requests,
    stop: async () => {
      goesOn = false
      await Promise.all(running)
      agent.destroy()
      return { lost, created }
    },
  }
}

async function countEmployees(port: number, key: string): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  let count = 0
  for (let token = ''; ; ) {
    const { body } = await ask(port, agent, key, `/v1/employees?limit=1000&nextToken=${token}`)
    const page = JSON.parse(body)
    count += page['the service'].length
    if (!page.paging.moreResults) break
    token = encodeURIComponent(page.paging.nextToken)
  }
  agent.destroy()
  return count
}
