import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'
import {
  createKey,
  type MusterProcess,
  runMuster,
  type Settings,
  startMuster,
} from '../support/muster-process.ts'
import { STORES } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const folder = mkdtempSync(join(tmpdir(), 'muster-tracing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const running: MusterProcess[] = []
const receivers: WebhookReceiver[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill()
  for (const receiver of receivers.splice(0)) await receiver.close()
})

const received = async (): Promise<WebhookReceiver> => {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}
const started = async (settings: Settings): Promise<MusterProcess> => {
  const server = await startMuster(settings)
  running.push(server)
  return server
}

/** Span as sent with OTLP in JSON. */
interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[]
}

const spansIn = (receiver: WebhookReceiver): SentSpan[] =>
  receiver.requests
    .map(({ body }) => JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] })
    .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
    .flatMap(({ spans }) => spans)

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const caller = '00f067aa0ba902b7'

describe.each(STORES)('%s', (store) => {
  const cli = useCommandLine(store)

  test('a change is one trace from the caller to the receiver of its webhook', async () => {
    const [traces, siem] = [await received(), await received()]
    const { key } = await createKey(cli.settings, 'ada@example.com')
    const added = await cli.run('webhooks add --webhooks-allow-private --url', siem.url)
    expect(added.code).toBe(0)
    const server = await started({
      ...cli.settings,
      MUSTER_WEBHOOKS_ALLOW_PRIVATE: 'true',
      MUSTER_LOG_REQUESTS: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${traces.port}`,
    })
    const traceparent = `00-${traceId}-${caller}-01`
    const answer = await fetch(`${server.address}/v1/employees`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', traceparent },
      body: JSON.stringify({ email: 'new@example.com' }),
    })
    expect(answer.status).toBe(200)
    const webhook = await until('webhook', () =>
      siem.requests.find(({ body }) => body.includes('new@example')),
    )
    const line = await until('log', () => /\n?(\{.*"msg":"request".*\})\n/.exec(server.stdout())?.[1])
    expect(JSON.parse(line)).toMatchObject({ address: '127.0.0.1', traceId, route: '/v1/employees' })
    await server.stop()

    const spans = spansIn(traces).filter((span) => span.traceId === traceId)
    const named = (name: string) => spans.find((span) => span.name === name)
    const request = named('POST /v1/employees')
    expect(request?.parentSpanId).toBe(caller)
    expect(named('transaction')?.parentSpanId).toBe(request?.spanId)
    // One delivery for each event of the change.
    const deliveries = spans.filter(({ name }) => name === 'POST webhook')
    expect(new Set(deliveries.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request?.spanId]))
    expect(deliveries.map(({ spanId }) => `00-${traceId}-${spanId}-01`)).toContain(
      webhook.headers.traceparent,
    )
    expect(traces.requests.map(({ path }) => path)).toContain('/v1/traces')
    const sent = JSON.stringify(spansIn(traces))
    expect(sent).not.toContain(key)
    expect(sent).not.toContain('new@example.com')
  })
})

test('a receiver that is down changes nothing, and neither does a caller with an invalid trace', async () => {
  const server = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', MUSTER_DATA: folder })
  const answer = await fetch(`${server.address}/healthz`, { headers: { traceparent: 'nonsense' } })
  expect(answer.status).toBe(200)
  expect(await server.stop()).toBe(0)
})

test('a ratio that is none is reported', async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_SAMPLER_ARG: 'all' }
  const { code, stderr } = await runMuster(['serve'], { ...settings, MUSTER_DATA: folder })
  expect(stderr).toContain('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  expect(code).toBe(2)
})
