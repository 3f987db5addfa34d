import { createServer, type Server } from 'node:http'
import type { Registry } from 'prom-client'

/**
 * Serves the metrics on their own port, by default on the loopback address only, because they reveal how the server is used.
 */
export function serveMetrics(registry: Registry, port: number, host: string): Promise<Server> {
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
    server.listen(port, host, () => resolve(server))
  })
}
