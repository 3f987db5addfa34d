import { gzipSync } from 'node:zlib'
import type { EnrollmentAnswer } from '@muster/contract/agent/agent-enrollment'
import type { AgentEvent, BatchAnswer } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { FleetBrowser } from './fleet-browsers.ts'
import { openConnection } from './http-connection.ts'

export interface FleetCredential {
  readonly credential: string
  readonly policy: AgentPolicy
}

/** A connection that simulated agents share, one request at a time. */
export interface FleetConnection {
  enroll(token: string, browser: FleetBrowser): Promise<FleetCredential>
  /** Sends a packed batch and measures the response time. @throws Error if an event was rejected */
  send(credential: string, batch: Buffer): Promise<{ readonly ms: number; readonly answer: BatchAnswer }>
  close(): void
}

/** Compresses a batch, as agents do. */
export const packedBatch = (events: readonly AgentEvent[]): Buffer =>
  gzipSync(JSON.stringify({ events }), { level: 1 })

/** Delay before a retry after status 429. */
const retryMs = 1000

/** Opens a connection to a server. The certificate is not checked. */
export async function fleetConnection(address: string): Promise<FleetConnection> {
  const { host } = new URL(address)
  const connection = await openConnection(address, { keepBodies: true })

  const ask = async (method: string, path: string, headers: readonly string[], body?: Buffer) => {
    const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`, ...headers]
    if (body) head.push('content-type: application/json', `content-length: ${body.length}`)
    const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)])
    for (;;) {
      const answer = await connection.ask(request)
      if (answer.status === 200) return { ms: answer.ms, body: JSON.parse(answer.body) as unknown }
      if (answer.status !== 429) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
  const bearer = (credential: string) => `authorization: Bearer ${credential}`

  return {
    async enroll(token, browser) {
      const { email } = browser.person
      const request = { token, identity: email, browser: browser.factsOn(0) }
      const userAgent = `user-agent: ${browser.userAgentOn(0)}`
      const enrolled = await ask('POST', '/agent/v1/enrol', [userAgent], Buffer.from(JSON.stringify(request)))
      const { credential } = enrolled.body as EnrollmentAnswer
      const policy = await ask('GET', '/agent/v1/policy', [bearer(credential)])
      return { credential, policy: policy.body as AgentPolicy }
    },
    async send(credential, batch) {
      const { ms, body } = await ask(
        'POST',
        '/agent/v1/events',
        [bearer(credential), 'content-encoding: gzip'],
        batch,
      )
      const answer = body as BatchAnswer
      if (answer.rejected?.length !== 0)
        throw new Error(`events were rejected: ${JSON.stringify(body).slice(0, 300)}`)
      return { ms, answer }
    },
    close: () => connection.close(),
  }
}
