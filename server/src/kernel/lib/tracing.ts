/** Span of a trace (https://www.w3.org/TR/trace-context/). */
export interface Span {
  readonly traceId: string
  /** Value of the header `traceparent` for what is called within the span. */
  readonly traceparent: string
  /** Ends the span. @param error reason of a failure */
  end(attributes?: SpanAttributes, error?: string): void
}

/** Attributes by the names of OpenTelemetry's conventions. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export type SpanKind = 'SERVER' | 'CLIENT' | 'INTERNAL'

/** Traces of this process. Absent unless tracing is configured, so that it costs nothing. */
export interface Tracing {
  /**
   * Starts a span.
   *
   * @param parent value of a header `traceparent`; an invalid one starts a new trace
   */
  startSpan(name: string, kind: SpanKind, parent: string | undefined, attributes?: SpanAttributes): Span
  /** Runs a function within a span, which {@link Tracing.current} returns until its asynchronous work ends. */
  within<T>(span: Span, run: () => T): T
  /** Returns the span of the running request. */
  current(): Span | undefined
  /** Keeps the span of events, to continue its trace when they are delivered. */
  keepTrace(eventIds: readonly string[], span: Span): void
  /** Returns the `traceparent` of an event of this process, if it is still known. */
  traceOfEvent(eventId: string): string | undefined
  /** Sends what is left. */
  close(): Promise<void>
}
