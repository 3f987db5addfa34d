/** IDs of a caller's span. */
export interface ParentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Reads a `traceparent` header. Returns undefined if it is absent or invalid (Trace Context, section 3.2). */
export function parseTraceparent(header: string | undefined): ParentSpan | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = form.exec(header ?? '') ?? []
  const isValid = version !== '' && version !== 'ff' && (version !== '00' || rest === undefined)
  if (!isValid || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}
