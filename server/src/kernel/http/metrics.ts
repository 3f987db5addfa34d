import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** The figures of this process, for Prometheus. */
export function makeMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'muster_http_requests_total',
    help: 'Answers by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by route.',
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
    help: 'Attempts to send a notice, by what it is about and what came of it.',
    labelNames: ['kind', 'state'],
    registers: [registry],
  })
  const observeNotice = (kind: string, state: string): void => notices.inc({ kind, state })
  return { registry, observe, observeNotice }
}

/** Serves the figures on the loopback address only: they tell of the use of the server. */
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
