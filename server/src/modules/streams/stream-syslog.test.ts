import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { blockProcess } from '../../../../test/support/block-process.ts'
import { freePort } from '../../../../test/support/private-server.ts'
import { type Rsyslog, rsyslog } from '../../../../test/support/rsyslog.ts'
import { sampleEventId, sampleEvents, sampleIdsIn } from '../../../../test/support/sample-events.ts'
import { until } from '../../../../test/support/until.ts'
import { type StreamFormat, streamMessage } from './formats/stream-line.ts'
import { type SyslogStreamOptions, syslogStream } from './stream-syslog.ts'

const to = (port: number, more: Partial<SyslogStreamOptions> = {}): SyslogStreamOptions => ({
  host: '127.0.0.1',
  port,
  tls: false,
  format: 'json',
  hostname: 'muster.example.com',
  ...more,
})

for (const transport of ['tcp', 'tls'] as const) {
  describe(`to rsyslogd over ${transport}`, () => {
    let receiver: Rsyslog
    let options: SyslogStreamOptions
    beforeAll(async () => {
      receiver = await rsyslog(transport)
      await receiver.start()
      options = to(receiver.port, { tls: transport === 'tls', ca: receiver.certificate })
    })
    afterAll(() => receiver.close())

    test.each<StreamFormat>(['json', 'cef', 'ocsf'])(
      'every event arrives once, in order, as %s',
      async (format) => {
        const target = syslogStream({ ...options, format })
        const before = receiver.messages().length
        const events = [...sampleEvents(0, 120), ...sampleEvents(0, 1).map(accented)]
        await target.deliver(events.slice(0, 60))
        await target.deliver(events.slice(60))
        const expected = events.map((event) => streamMessage(event, format, 'muster.example.com').toString())
        await until('messages', () => receiver.messages().length === before + events.length)
        expect(receiver.messages().slice(before)).toEqual(expected)
      },
    )

    test('loses nothing when the receiver restarts in the middle', async () => {
      const target = syslogStream(options)
      const leastSent = 60
      let batch = 0
      let failures = 0
      const sending = (async () => {
        for (; batch < leastSent || failures === 0; batch += 1) {
          const events = sampleEvents(batch * 20, 20)
          const isDelivered = () =>
            target.deliver(events).then(
              () => true,
              () => {
                failures += 1
                return false
              },
            )
          await until('delivery', isDelivered)
        }
      })()
      const count = () => new Set(sampleIdsIn(receiver.messages())).size
      await until('first messages', () => count() > 200)
      await receiver.stop()
      await until('failed delivery', () => failures > 0)
      await receiver.start()
      await sending
      const wanted = Array.from({ length: batch * 20 }, (_, number) => sampleEventId(number))
      await until('all messages', () => count() >= wanted.length)
      const received = new Set(sampleIdsIn(receiver.messages()))
      expect(wanted.filter((id) => !received.has(id))).toEqual([])
    })
  })
}

const accented = ({ body, organizationId }: { body: string; organizationId: string }) => ({
  body: JSON.stringify({ ...JSON.parse(body), description: 'Zoë | 日本 = \\ “x”' }),
  organizationId,
})

describe('a receiver', () => {
  /** Runs a receiver with custom behavior per connection. */
  async function behaving<T>(
    behavior: (socket: Socket) => void,
    use: (port: number) => Promise<T>,
  ): Promise<T> {
    const sockets = new Set<Socket>()
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      behavior(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      return await use((server.address() as AddressInfo).port)
    } finally {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }

  const soonMs = 500

  test.each<[string, (socket: Socket) => void, RegExp, number?]>([
    ['that closes before it has read', (socket) => socket.end(), /closed the connection before/],
    [
      'that resets the connection',
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
      /ECONNRESET|lost/,
    ],
    ['that reads and never closes', (socket) => socket.resume(), /did not close|too slow/, soonMs],
    ['that never reads', (socket) => socket.pause(), /did not close|too slow/, soonMs],
  ])('%s makes the delivery fail', async (_, behavior, reason, timeoutMs) => {
    await behaving(behavior, async (port) => {
      const target = syslogStream(to(port, { timeoutMs }))
      await expect(target.deliver(sampleEvents(0, 50))).rejects.toThrow(reason)
    })
  })

  test('that closes early makes the delivery fail, even if this process was too busy to notice in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const behavior = (socket: Socket) => socket.end(() => blockProcess(1000))
    try {
      await behaving(behavior, async (port) => {
        await expect(syslogStream(to(port)).deliver(sampleEvents(0, 50))).rejects.toThrow(
          /closed the connection before/,
        )
      })
    } finally {
      vi.useRealTimers()
    }
  })

  test('that is unreachable makes the delivery fail', async () => {
    await expect(syslogStream(to(await freePort())).deliver(sampleEvents(0, 1))).rejects.toThrow(
      'ECONNREFUSED',
    )
  })

  test('that requires a client certificate accepts only a trusted one', async () => {
    const receiver = await rsyslog('mutual tls')
    await receiver.start()
    const { certificate: ca, trusted } = receiver
    const known = syslogStream(to(receiver.port, { tls: true, ca, ...trusted }))
    await known.deliver(sampleEvents(0, 10))
    const stranger = syslogStream(to(receiver.port, { tls: true, ca }))
    await expect(stranger.deliver(sampleEvents(10, 10))).rejects.toThrow()
    await until('messages', () => receiver.messages().length >= 10)
    expect(sampleIdsIn(receiver.messages())).toEqual(sampleIdsIn(sampleEvents(0, 10).map(({ body }) => body)))
    await receiver.close()
  })

  test('with an untrusted certificate receives nothing', async () => {
    const receiver = await rsyslog('tls')
    await receiver.start()
    const target = syslogStream(to(receiver.port, { tls: true }))
    await expect(target.deliver(sampleEvents(0, 1))).rejects.toThrow(/self-signed|certificate/)
    expect(receiver.messages()).toEqual([])
    await receiver.close()
  })
})
