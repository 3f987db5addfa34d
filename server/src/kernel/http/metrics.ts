import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from '../lib/version.ts'

/** Creates the Prometheus metrics of this process. */
export function makeMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1. The label is the version of Muster.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  const requests = new Counter({
    name: 'muster_http_requests_total',
    help: 'HTTP responses by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from the request to the end of the response, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  const observe = (method: string, route: string, status: number, ms: number): void => {
    requests.inc({ method, route, status })
    durations.observe({ route }, ms / 1000)
  }
  const notices = new Counter({
    name: 'muster_notices_total',
    help: 'Attempts to send a notice, by kind and resulting state.',
    labelNames: ['kind', 'state'],
    registers: [registry],
  })
  const observeNotice = (kind: string, state: string): void => notices.inc({ kind, state })
  return { registry, observe, observeNotice }
}

/** Serves the metrics on the loopback address only, because they reveal how the server is used. */
export function serveMetrics(registry: Registry, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
