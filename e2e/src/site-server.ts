import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { CertificatePair } from '../../server/src/kernel/http/self-signed.ts'
import { type RecordedRequest, readBody, recorded } from './recording.ts'
import type { Site, SiteRequest } from './sites/site.ts'

/** Web server for a test's browsers: every host name resolves to it. */
export interface SiteServer {
  readonly port: number
  /** All requests so far, to known and unknown hosts. */
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** Serves the sites by host name; anything else is 404. */
export async function serveSites(certificate: CertificatePair, sites: readonly Site[]): Promise<SiteServer> {
  const requests: RecordedRequest[] = []
  const server = createServer(certificate, (request, response) => {
    void answer(request, response, sites, requests).catch((error: Error) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(error.message)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  sites: readonly Site[],
  requests: RecordedRequest[],
): Promise<void> {
  const bytes = await readBody(request)
  requests.push(recorded(request, bytes))
  const asked = siteRequest(request, bytes.toString('utf8'))
  const found = sites.find(({ hosts }) => hosts.some((host) => isHost(host, asked.host)))?.respond(asked)
  if (found === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Page not found')
    return
  }
  const { status = 200, headers = {}, body = '' } = found
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...(headers as Record<string, string | string[]>),
  })
  response.end(body)
}

const isHost = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** Reads the parts of a request that sites use. */
export function siteRequest(request: IncomingMessage, body: string): SiteRequest {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  const isJson = request.headers['content-type']?.includes('json')
  const fields = isJson ? JSON.parse(body || '{}') : Object.fromEntries(new URLSearchParams(body))
  const cookies = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('=', 2))
  return {
    method: request.method ?? 'GET',
    host,
    url: new URL(request.url ?? '/', `https://${host}`),
    authorization: request.headers.authorization ?? null,
    cookies: Object.fromEntries(cookies),
    fields,
  }
}
