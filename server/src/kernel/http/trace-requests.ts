import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../lib/tracing.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/** Returns the ID of the trace of a request; undefined without tracing. */
export const traceIdOf = (request: FastifyRequest): string | undefined => spans.get(request)?.traceId

/** Makes every request a span that continues the trace of its caller. Queries and IDs in paths are left out. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const parent = request.headers.traceparent
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'client.address': request.ip,
      'muster.request_id': request.id,
    }
    const header = typeof parent === 'string' ? parent : undefined
    spans.set(request, tracing.startSpan(`${request.method} ${route}`, 'SERVER', header, attributes))
    done()
  })
  // After the body was read: the stream of the body would lose the span.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) tracing.within(span, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    const error = statusCode >= 500 ? `status ${statusCode}` : undefined
    spans.get(request)?.end({ 'http.response.status_code': statusCode }, error)
    done()
  })
}
