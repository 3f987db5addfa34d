import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { issuedCertificate } from '../../../../../test/support/issued-certificate.ts'
import { sampleEvents } from '../../../../../test/support/sample-events.ts'
import { newSinkStates, noStreams, type SinkKind, sinkKinds } from '../../../../../test/support/sink-kinds.ts'
import {
  elasticBehavior,
  linesBehavior,
  type SinkBehavior,
  type SinkReceiver,
  splunkBehavior,
  startSinkReceiver,
} from '../../../../../test/support/sink-receiver.ts'
import { until } from '../../../../../test/support/until.ts'
import { ConfigError } from '../../../kernel/lib/config-error.ts'
import { addressGuard, RefusedTargetError } from '../../webhooks/delivery/address-guard.ts'
import { deliverBatch, type PendingEvent } from '../deliver-batch.ts'
import { type StreamSettings, streamsOf, type TargetOptions } from '../stream-declarations.ts'
import type { StreamTarget } from '../stream-target.ts'

const states = newSinkStates()
const { refused, full, documents, expired, issued } = states

const receivers: Readonly<Record<string, SinkKind>> = {
  ...sinkKinds,
  'lines over HTTP': {
    ...sinkKinds['lines over HTTP'],
    behavior: () => linesBehavior({ authorization: 'Bearer t', refused, maxLength: 60_000 }),
  },
}

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
  for (const state of [refused, full, documents, expired]) state.clear()
  issued.length = 0
})

const start = async (behavior: SinkBehavior): Promise<SinkReceiver> => {
  const receiver = await startSinkReceiver(behavior)
  opened.push(receiver)
  return receiver
}
const targetOf = (settings: Partial<StreamSettings>, options: Partial<TargetOptions> = {}): StreamTarget => {
  const all = { ...noStreams, ...settings }
  const [stream] = streamsOf(all)
  if (!stream) throw new Error('no stream')
  const target = stream.create(all, { hostname: 'muster.example.com', ...options })
  opened.push(target)
  return target
}
const pendingEvents = (from: number, count: number): PendingEvent[] =>
  sampleEvents(from, count).map(({ body, organizationId }) => ({
    org: 1,
    organizationId,
    id: (JSON.parse(body) as { id: string }).id,
    body,
  }))
const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id)

describe.each(Object.entries(receivers))('%s', (_, { behavior: behaviorWith, settings, wrong }) => {
  const behavior = behaviorWith(states)
  test('takes events of all objects with their IDs, compressed', async () => {
    const receiver = await start(behavior)
    const target = targetOf(settings(receiver.url))
    const events = pendingEvents(0, 120)
    expect(await deliverBatch(target, events)).toMatchObject({ rejected: [], failed: [], error: undefined })
    expect(receiver.ids.toSorted()).toEqual(idsOf(events))
    expect(receiver.requests.some(({ headers }) => headers['content-encoding'] === 'gzip')).toBe(true)
  })

  test('is found to be there without an event', async () => {
    const receiver = await start(behavior)
    await targetOf(settings(receiver.url)).deliver([])
    await expect(targetOf({ ...settings(receiver.url), ...wrong }).deliver([])).rejects.toThrow(/40[13]/)
    expect(receiver.ids).toEqual([])
  })

  test('that refuses the credentials loses no event', async () => {
    const receiver = await start(behavior)
    const events = pendingEvents(0, 10)
    const result = await deliverBatch(targetOf({ ...settings(receiver.url), ...wrong }), events)
    expect(result).toMatchObject({ delivered: [], rejected: [], failed: events })
    expect(result.error).toMatch(/HTTP status 40[13]/)
  })

  test.each([
    ['is overloaded', { status: 429, headers: { 'retry-after': '7' } }, /HTTP status 429/, 7000],
    [
      'is full or restarts',
      { status: 503, body: { text: 'Server is busy', code: 9 } },
      /HTTP status 503: .*busy/,
    ],
    [
      'redirects',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      /redirects are not followed/,
    ],
    ['breaks the connection', 'reset', /ECONNRESET|hang up/],
    ['breaks the connection within the answer', 'cut', /aborted|lost within the response/],
    ['never answers', 'hang', /no response within 0.2 s/],
  ] as const)('that %s gets the events again', async (_case, fault, reason, retryAfterMs?) => {
    const receiver = await start(behavior)
    const target = targetOf(settings(receiver.url), { timeoutMs: 200 })
    const events = pendingEvents(0, 10)
    // A token may be fetched first.
    await target.deliver([])
    receiver.faults.push(fault)
    const failed = await deliverBatch(target, events)
    expect(failed).toMatchObject({ delivered: [], rejected: [], failed: events, retryAfterMs })
    expect(failed.error).toMatch(reason)
    expect((await deliverBatch(target, events)).delivered).toEqual(events)
    expect(receiver.ids.toSorted()).toEqual(idsOf(events))
  })

  test('that is dead loses no event', async () => {
    const receiver = await startSinkReceiver(behavior)
    await receiver.close()
    const events = pendingEvents(0, 3)
    const result = await deliverBatch(targetOf(settings(receiver.url)), events)
    expect(result).toMatchObject({
      delivered: [],
      failed: events,
      error: expect.stringMatching(/ECONNREFUSED/),
    })
  })

  test('that finds a batch too large gets it in parts', async () => {
    const receiver = await start(behavior)
    const target = targetOf(settings(receiver.url))
    await target.deliver([])
    receiver.faults.push({ status: 413 }, { status: 413 })
    const events = pendingEvents(0, 40)
    expect((await deliverBatch(target, events)).delivered.length).toBe(40)
    expect(receiver.ids.toSorted()).toEqual(idsOf(events))
  })

  test('with a certificate of a private authority is trusted by MUSTER_EVENTS_CA', async () => {
    const { authority, ...certificate } = await issuedCertificate()
    const receiver = await startSinkReceiver(behavior, certificate)
    opened.push(receiver)
    const folder = mkdtempSync(join(tmpdir(), 'muster-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const eventsCa = join(folder, 'authority.pem')
    writeFileSync(eventsCa, authority)
    const events = pendingEvents(0, 5)
    const untrusted = await deliverBatch(targetOf(settings(receiver.url)), events)
    expect(untrusted).toMatchObject({ failed: events, error: expect.stringMatching(/certificate/) })
    const elsewhere = settings(receiver.url.replace('localhost', '127.0.0.1'))
    const wrongName = await deliverBatch(targetOf({ ...elsewhere, eventsCa }), events)
    expect(wrongName).toMatchObject({ failed: events, error: expect.stringMatching(/altnames/) })
    expect(receiver.requests).toEqual([])
    const target = targetOf({ ...settings(receiver.url), eventsCa })
    expect((await deliverBatch(target, events)).delivered).toEqual(events)
  })

  test('whose address is not allowed gets no request', async () => {
    const receiver = await start(behavior)
    const guard = addressGuard({ allowPrivate: false }, { resolve: async () => ['127.0.0.1'] })
    const byName = receiver.url.replace('127.0.0.1', 'siem.test')
    for (const url of [receiver.url, byName])
      await expect(targetOf(settings(url), { guard }).deliver(sampleEvents(0, 1))).rejects.toThrow(
        RefusedTargetError,
      )
    expect(receiver.requests).toEqual([])
  })
})

const refusing = Object.entries(receivers).filter(([name]) => name !== 'Microsoft Sentinel')

describe.each(refusing)('%s that refuses events', (_, { behavior: behaviorWith, settings }) => {
  const behavior = behaviorWith(states)
  test('gets all others of the batch', async () => {
    const receiver = await start(behavior)
    const events = pendingEvents(0, 60)
    const bad = [events[7], events[33]].filter((event) => event !== undefined)
    for (const { id } of bad) refused.add(id)
    const result = await deliverBatch(targetOf(settings(receiver.url)), events)
    expect(idsOf(result.rejected)).toEqual(idsOf(bad))
    expect(result).toMatchObject({ failed: [], error: expect.stringMatching(/40[0-9]|42[0-9]/) })
    expect(receiver.ids.toSorted()).toEqual(idsOf(events).filter((id) => !refused.has(id)))
  })

  test('gets the others after some attempts, if the first ones of the batch are refused', async () => {
    const receiver = await start(behavior)
    const target = targetOf(settings(receiver.url))
    const events = pendingEvents(0, 60)
    for (const { id } of events.slice(0, 8)) refused.add(id)
    await until('a delivery', async () => (await deliverBatch(target, events)).delivered.length === 52)
    expect(receiver.ids.toSorted()).toEqual(idsOf(events.slice(8)))
  })

  test('keeps them if it takes no other, after few requests', async () => {
    const receiver = await start(behavior)
    const events = pendingEvents(0, 60)
    for (const { id } of events) refused.add(id)
    const result = await deliverBatch(targetOf(settings(receiver.url)), events)
    expect(result).toMatchObject({ delivered: [], rejected: [] })
    expect(idsOf(result.failed).toSorted()).toEqual(idsOf(events))
    expect(receiver.requests.length).toBeLessThan(20)
  })
})

test('certificate authorities that cannot be read are a mistake of the settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const eventsCa = join(folder, 'authority.pem')
  const mistake = () => {
    try {
      targetOf({ eventsHttpUrl: 'https://127.0.0.1:1/', eventsCa })
    } catch (error) {
      return error instanceof ConfigError ? error.message : undefined
    }
    return undefined
  }
  expect(mistake()).toMatch(/MUSTER_EVENTS_CA must be a PEM file .*authority.pem cannot be read: ENOENT/)
  writeFileSync(eventsCa, 'text')
  expect(mistake()).toMatch(/authority.pem does not\./)
  writeFileSync(eventsCa, '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n')
  expect(mistake()).toMatch(/authority.pem cannot be read: /)
})

test('a receiver of lines is asked with an empty body, which is no event', async () => {
  const receiver = await start(linesBehavior())
  await targetOf({ eventsHttpUrl: receiver.url }).deliver([])
  expect(receiver.requests.map(({ text }) => text)).toEqual([''])
})

test('credentials that a receiver repeats in its answer are masked', async () => {
  const secret = '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9'
  const receiver = await start(({ headers }) => ({ status: 500, body: { headers, secret } }))
  for (const settings of [
    { eventsSplunkUrl: receiver.url, eventsSplunkToken: secret },
    { eventsDatadogUrl: receiver.url, eventsDatadogKey: secret },
    { eventsHttpUrl: receiver.url, eventsHttpAuthorization: `Bearer ${secret}` },
  ]) {
    const { error } = await deliverBatch(targetOf(settings), pendingEvents(0, 1))
    expect(error).toMatch(/HTTP status 500/)
    expect(error).not.toContain(secret)
  }
})

describe('Splunk', () => {
  test('has the events only when it confirms that they are indexed', async () => {
    const receiver = await start(splunkBehavior({ token: 'hec', acks: { after: 2 } }))
    const target = targetOf({
      eventsSplunkUrl: receiver.url,
      eventsSplunkToken: 'hec',
      eventsSplunkIndex: 'main',
    })
    let isDone = false
    const sent = target.deliver(sampleEvents(0, 2)).then(() => {
      isDone = true
    })
    const asked = () => receiver.requests.filter(({ path }) => path.includes('/ack?channel=')).length
    await until('a question', () => asked() >= 2)
    expect(isDone).toBe(false)
    await sent
    expect(asked()).toBe(3)
    const [first] = receiver.requests
    const entry = JSON.parse(first?.text.split('\n')[0] ?? '')
    expect(entry).toMatchObject({
      time: entry.event.timestamp,
      source: 'muster',
      sourcetype: 'muster:event',
      index: 'main',
      event: { version: '1', organizationId: 'org-1' },
    })
  })

  test('that has lost the acknowledgments in a restart confirms later batches only', async () => {
    const lost = new Set<string>()
    const acks = { after: Number.POSITIVE_INFINITY, lost }
    const receiver = await start(splunkBehavior({ token: 'hec', acks }))
    const target = targetOf({ eventsSplunkUrl: receiver.url, eventsSplunkToken: 'hec' })
    let isFirstDone = false
    const end = () => {
      isFirstDone = true
    }
    target.deliver(sampleEvents(0, 1)).then(end, end)
    const questions = () => receiver.requests.filter(({ path }) => path.includes('/ack?')).length
    await until('a question', () => questions() > 0)
    lost.add(String(receiver.requests[0]?.headers['x-splunk-request-channel']))
    receiver.faults.push({ status: 503 })
    const asked = questions()
    await until('a question after the restart', () => questions() > asked + 1)
    acks.after = 0
    await target.deliver(sampleEvents(1, 1))
    expect(receiver.ids).toHaveLength(2)
    expect(isFirstDone).toBe(false)
  })
})

describe('Elasticsearch', () => {
  const { behavior, settings: settingsFor } = sinkKinds.Elasticsearch
  test('stores a repeated event once, and gets again only what it had no room for', async () => {
    const receiver = await start(behavior(states))
    const target = targetOf(settingsFor(receiver.url))
    const events = pendingEvents(0, 20)
    full.add(events[3]?.id ?? '')
    const first = await deliverBatch(target, events)
    expect(idsOf(first.failed)).toEqual([...full])
    expect(first.error).toMatch(/429: es_rejected_execution_exception/)
    full.clear()
    expect((await deliverBatch(target, events)).failed).toEqual([])
    expect(receiver.ids.toSorted()).toEqual(idsOf(events))
  })

  test('gets documents of the Elastic Common Schema', async () => {
    const receiver = await start(behavior(states))
    await targetOf(settingsFor(receiver.url)).deliver(sampleEvents(0, 120))
    expect(receiver.requests[0]?.path).toMatch(/^\/logs-muster-default\/_bulk\?/)
    for (const document of documents.values())
      expect(document).toMatchObject({
        '@timestamp': expect.stringMatching(/^\d{4}-.*Z$/),
        message: expect.any(String),
        ecs: { version: '8.11.0' },
        event: { kind: expect.stringMatching(/^(?:event|alert)$/), original: expect.any(String) },
        organization: { id: 'org-1' },
      })
  })

  test('accepts a user and a password, as OpenSearch does', async () => {
    const authorization = `Basic ${Buffer.from('muster:pass').toString('base64')}`
    const receiver = await start(elasticBehavior({ authorization, documents }))
    const settings = { eventsElasticUrl: receiver.url, eventsElasticIndex: 'muster' }
    const target = targetOf({ ...settings, eventsElasticUser: 'muster', eventsElasticSecret: 'pass' })
    expect(await target.deliver(sampleEvents(0, 5))).toBeUndefined()
    expect(receiver.ids).toHaveLength(5)
  })
})

describe('Microsoft Sentinel', () => {
  const { behavior, settings } = sinkKinds['Microsoft Sentinel']
  test('gets a new token when it does not accept the old one any more', async () => {
    const receiver = await start(behavior(states))
    const target = targetOf(settings(receiver.url))
    await target.deliver(sampleEvents(0, 3))
    await target.deliver(sampleEvents(3, 3))
    expect(issued).toEqual(['token-1'])
    expired.add('token-1')
    await target.deliver(sampleEvents(6, 3))
    expect(issued).toEqual(['token-1', 'token-2'])
    expect(receiver.ids).toHaveLength(9)
  })

  test('gives one new token to all requests in flight', async () => {
    const receiver = await start(behavior(states))
    const target = targetOf(settings(receiver.url))
    await target.deliver(sampleEvents(0, 1))
    expired.add('token-1')
    await Promise.all([1, 2, 3, 4, 5, 6].map((from) => target.deliver(sampleEvents(from, 1))))
    expect(issued).toEqual(['token-1', 'token-2'])
    expect(receiver.ids).toHaveLength(7)
  })

  test('gets at most 1 MB per request', async () => {
    const receiver = await start(behavior(states))
    const target = targetOf(settings(receiver.url))
    const long = pendingEvents(0, 12).map((event) => ({
      ...event,
      body: JSON.stringify({ ...JSON.parse(event.body), description: 'x'.repeat(100_000) }),
    }))
    expect((await deliverBatch(target, long)).delivered).toHaveLength(12)
    expect(receiver.requests.every(({ text }) => text.length <= 1_048_576)).toBe(true)
  })
})
