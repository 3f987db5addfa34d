import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { signedIn } from '../../../../test/support/console-browser.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { type Rsyslog, rsyslog } from '../../../../test/support/rsyslog.ts'
import { noStreams } from '../../../../test/support/sink-kinds.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import type { StreamFormat } from './formats/stream-line.ts'
import type { StreamSettings } from './stream-declarations.ts'
import { type Streams, startStreams } from './streams.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let receiver: Rsyslog
    let caller: Caller
    let folder: string
    let path: string
    let running: Streams[] = []
    let people = 0

    beforeAll(async () => {
      receiver = await rsyslog('tcp')
      await receiver.start()
      caller = await h.addCaller()
    })
    afterAll(() => receiver.close())
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'muster-test-'))
      path = join(folder, 'events.jsonl')
    })
    afterEach(async () => {
      await Promise.all(running.map((streams) => streams.stop()))
      running = []
      await (await start({})).stop()
      rmSync(folder, { recursive: true })
    })

    const start = async (settings: Partial<StreamSettings>, holder = 'one'): Promise<Streams> => {
      const log = { info: () => undefined, warn: () => undefined }
      const options = { db: h.db, clock: systemClock, log, hostname: 'muster.example.com', holder }
      const streams = await startStreams({ ...options, settings: { ...noStreams, ...settings } })
      running.push(streams)
      return streams
    }
    const stopAll = async () => {
      await Promise.all(running.splice(0).map((streams) => streams.stop()))
    }
    const add = async (count: number, by = caller): Promise<string[]> => {
      const emails = Array.from({ length: count }, (_, index) => `p${people + index}@example.com`)
      people += count
      for (const email of emails) {
        const { status } = await h.call(by, 'POST', '/v1/employees', { body: { email } })
        expect(status).toBe(200)
      }
      return emails
    }
    const events = () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    const emailsIn = (lines: readonly { object: string; new: { email: string } }[]) =>
      lines.filter(({ object }) => object === 'EMPLOYEE').map((event) => event.new.email)
    const emailsOf = (prefix: string, messages: readonly string[]) =>
      messages.flatMap((message) =>
        message.includes(prefix) ? (/p\d+@example\.com/.exec(message)?.[0] ?? []) : [],
      )
    const waiting = async () =>
      (await h.db.get<{ count: number }>('SELECT count(*) AS count FROM webhook_deliveries'))?.count

    test('writes changes by the API to the file once, in order, with their organization', async () => {
      await start({ eventsFile: path })
      const emails = await add(20)
      await until('events', () => emailsIn(events()).length === emails.length)
      expect(emailsIn(events())).toEqual(emails)
      const organization = await h.db.get<{ id: string }>('SELECT id FROM organizations WHERE no = ?', [
        caller.org,
      ])
      expect(new Set(events().map((event) => event.organizationId))).toEqual(new Set([organization?.id]))
      await until('end of deliveries', async () => Number(await waiting()) === 0)
    })

    test('keeps the order when the clock steps back, across objects and audit events', async () => {
      await start({ eventsFile: path, eventsObjects: ['EMPLOYEE', 'EMPLOYEE_ADDED'] })
      await stopAll()
      const emails = await add(2)
      h.clock.advanceMs(-2000)
      emails.push(...(await add(2)))
      h.clock.advanceMs(2500)
      emails.push(...(await add(2)))
      await start({ eventsFile: path, eventsObjects: ['EMPLOYEE', 'EMPLOYEE_ADDED'] })
      await until('events', () => events().length === 2 * emails.length)
      expect(events().map((event) => event.new.email ?? event.new.employeeEmail)).toEqual(
        emails.flatMap((email) => [email, email]),
      )
    })

    test('includes events of organizations that are added later', async () => {
      await start({ eventsFile: path, eventsObjects: ['EMPLOYEE'] })
      const other = await h.addCaller()
      const emails = [...(await add(2)), ...(await add(2, other))]
      await until('events', () => events().length === emails.length)
      expect(emailsIn(events()).sort()).toEqual([...emails].sort())
      expect(new Set(events().map((event) => event.organizationId)).size).toBe(2)
    })

    test('writes only the configured categories and objects', async () => {
      await start({ eventsFile: path, eventsCategories: ['AUDIT'], eventsObjects: ['ACCOUNT'] })
      await add(3)
      await until('events', () => events().length === 3)
      await stopAll()
      expect(new Set(events().map((event) => event.category))).toEqual(new Set(['AUDIT']))
    })

    test.each<[StreamFormat, string]>([
      ['json', '"object":"EMPLOYEE"'],
      ['cef', '|EMPLOYEE|Employee|'],
      ['ocsf', '"event_code":"EMPLOYEE"'],
    ])(
      'a receiver that was down gets all events as %s, and the file does not wait for it',
      async (format, mark) => {
        await receiver.stop()
        const eventsSyslogUrl = `tcp://127.0.0.1:${receiver.port}`
        await start({ eventsFile: path, eventsSyslogUrl, eventsFormat: format, eventsObjects: ['EMPLOYEE'] })
        const emails = await add(5)
        const written = () => emailsOf(mark, readFileSync(path, 'utf8').split('\n'))
        await until('events in the file', () => written().length === emails.length)
        await receiver.start()
        const received = () => emailsOf(mark, receiver.messages()).slice(-emails.length)
        await until('messages', () => received().join() === emails.join())
        expect(written()).toEqual(emails)
      },
    )

    test('shows owners the target, pending events and error of a stream', async () => {
      await receiver.stop()
      const target = `tcp://127.0.0.1:${receiver.port}`
      const owner = await signedIn(h, caller.org, 'OWNER')
      const shown = async (kind: string) => {
        const { body } = await owner.call('GET', 'streams')
        return body.streams.find((stream: { kind: string }) => stream.kind === kind)
      }
      expect((await owner.call('GET', 'streams')).body).toEqual({ streams: [] })
      await start({ eventsFile: path, eventsSyslogUrl: target, eventsObjects: ['EMPLOYEE'] })
      await add(3)
      const held = await until('failure', async () => {
        const stream = await shown('SYSLOG')
        return stream.heldUp && stream.pending === 3 ? stream : undefined
      })
      expect(held).toMatchObject({ target, deliveredTimestamp: null })
      expect(held.lastError).toContain('ECONNREFUSED')
      expect(held.oldestPendingTimestamp).toBeGreaterThan(0)
      expect(held.lastErrorTimestamp).toBeGreaterThan(0)
      await until('file', async () => (await shown('FILE')).pending === 0)
      expect(await shown('FILE')).toMatchObject({
        target: `file://${path}`,
        heldUp: false,
        lastError: null,
        oldestPendingTimestamp: null,
        deliveredTimestamp: expect.any(Number),
      })
      await receiver.start()
      await until('delivery', async () => (await shown('SYSLOG')).pending === 0)
      expect(await shown('SYSLOG')).toMatchObject({ heldUp: false, lastError: held.lastError })
      const manager = await signedIn(h, caller.org, 'FULL_ACCESS')
      expectProblem(await manager.call('GET', 'streams'), 'role_too_low')
    })

    test('keeps pending events while the stream is configured and deletes them with it', async () => {
      const eventsSyslogUrl = 'tcp://127.0.0.1:9'
      await start({ eventsSyslogUrl, eventsObjects: ['EMPLOYEE'] })
      await add(3)
      await stopAll()
      await start({ eventsSyslogUrl, eventsObjects: ['EMPLOYEE', 'APP'] })
      await stopAll()
      expect(Number(await waiting())).toBe(3)
      await start({})
      await add(1)
      expect(Number(await waiting())).toBe(0)
      expect(await h.db.all('SELECT id FROM webhooks')).toEqual([])
    })

    test('fails to start if a file cannot be written or read', async () => {
      await expect(start({ eventsFile: folder })).rejects.toThrow(ConfigError)
      await expect(start({ eventsSyslogUrl: 'tls://127.0.0.1:9', eventsSyslogCa: path })).rejects.toThrow(
        'cannot be read',
      )
    })
  })
}
