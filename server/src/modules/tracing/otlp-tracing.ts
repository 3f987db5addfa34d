import { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { boundedMap } from '../../kernel/lib/bounded-map.ts'
import type { Span, Tracing } from '../../kernel/lib/tracing.ts'
import { version } from '../../kernel/lib/version.ts'
import { parseTraceparent } from './traceparent.rules.ts'

/** Events whose traces are remembered until their delivery. */
const keptEvents = 20_000

/** Time for the last spans at the end of the process. */
const flushMs = 3000

/**
 * Sends traces with OTLP over HTTP. The exporter reads its own settings from the environment (`OTEL_EXPORTER_OTLP_…`).
 *
 * @param sampledRatio share of new traces that are recorded, from 0 to 1. Traces of callers are recorded if theirs are
 */
export function startOtlpTracing(sampledRatio: number, serviceName: string): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('muster', version)
  const spans = new AsyncLocalStorage<Span>()
  const traces = boundedMap<string, string>(keptEvents)

  return {
    startSpan: (name, kind, parent, attributes = {}) => {
      const parentContext = parseTraceparent(parent)
      const context = parentContext
        ? trace.setSpanContext(ROOT_CONTEXT, { ...parentContext, isRemote: true })
        : ROOT_CONTEXT
      const span = tracer.startSpan(name, { kind: SpanKind[kind], attributes }, context)
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceId,
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end: (more = {}, error) => {
          span.setAttributes(more)
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
          span.end()
        },
      }
    },
    within: (span, run) => spans.run(span, run),
    current: () => spans.getStore(),
    keepTrace: (eventIds, { traceparent }) => {
      for (const id of eventIds) traces.set(id, traceparent)
    },
    traceOfEvent: (eventId) => traces.get(eventId),
    close: async () => {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, flushMs).unref())
      // A receiver that is down must not fail the shutdown.
      await Promise.race([provider.shutdown().catch(() => undefined), timeout])
    },
  }
}
