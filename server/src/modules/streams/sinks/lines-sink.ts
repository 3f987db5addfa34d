import { type StreamFormat, streamLine } from '../formats/stream-line.ts'
import type { HttpSink } from './http-sink.ts'

export interface LinesSettings {
  readonly eventsHttpUrl: string
  readonly eventsHttpAuthorization: string | undefined
  readonly eventsFormat: StreamFormat
}

/** Newline-delimited JSON over HTTP, for Vector, Logstash, Fluent Bit, Cribl and own receivers. Any 2xx takes all lines. */
export function linesSink({ eventsHttpUrl, eventsHttpAuthorization, eventsFormat }: LinesSettings): HttpSink {
  const format = eventsFormat === 'ocsf' ? 'ocsf' : 'json'
  return {
    kind: 'HTTP',
    limits: { maxEvents: 1000, maxLength: 900_000, maxInFlight: 16 },
    maxRequestBytes: 5_000_000,
    contentType: 'application/x-ndjson',
    frame: ['', '', ''],
    encode: (event) => `${streamLine(event, format)}\n`,
    url: new URL(eventsHttpUrl),
    headers: async (): Promise<Record<string, string>> =>
      eventsHttpAuthorization === undefined ? {} : { authorization: eventsHttpAuthorization },
  }
}
