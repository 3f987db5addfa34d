import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** Request as sent over the wire. */
export interface SoakRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string | undefined
}

/** Outcome of a request; status 0 if there was no answer. */
export interface SoakAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** True if nothing was received for {@link hangMs}. */
  readonly isHung: boolean
}

/** Time without data after which a request counts as hung. */
export const hangMs = 30_000
/** Number of stored bytes of a response; the rest is only counted. */
const textMaximum = 4096

/** Creates a client that sends requests over persistent connections. */
export function soakClient(address: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(address)
  const send = ({ method, path, headers, body }: SoakRequest): Promise<SoakAnswer> =>
    new Promise((resolve) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const target = { host: hostname, port, agent, method, path, timeout: hangMs }
      const none = { status: 0, headers: {}, text: '' }
      const sent = request({ ...target, headers: { ...length, ...headers } })
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          if (text.length < textMaximum) text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, isHung: false }),
        )
        response.on('error', () => resolve({ ...none, isHung: false }))
      })
      sent.on('timeout', () => {
        resolve({ ...none, isHung: true })
        sent.destroy()
      })
      // The server may close the connection while it receives a body that it refuses.
      sent.on('error', () => resolve({ ...none, isHung: false }))
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

export type SoakClient = ReturnType<typeof soakClient>
