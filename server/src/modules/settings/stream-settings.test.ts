import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { type Rsyslog, rsyslog } from '../../../../test/support/rsyslog.ts'
import { changeSettings, seenSetting } from '../../../../test/support/settings.ts'
import { linesBehavior, startSinkReceiver } from '../../../../test/support/sink-receiver.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { followStreams } from '../streams/follow-streams.ts'
import type { Streams } from '../streams/streams.ts'
import { addressGuard } from '../webhooks/delivery/address-guard.ts'
import { hostResolver } from '../webhooks/delivery/resolve-host.ts'

const app = { console: { webhooks: { allowPrivate: true } } }

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store, { app })
    let receiver: Rsyslog
    let owner: SignedIn
    let other: SignedIn
    let callers: readonly [Caller, Caller]
    let streams: Streams
    /** Number of written employees, for their addresses. */
    let sent = 0

    beforeAll(async () => {
      receiver = await rsyslog('tls')
      await receiver.start()
      owner = await signedIn(h, await h.addOrganization('default'))
      other = await signedIn(h, await h.addOrganization('second'))
      callers = [await h.addKey(owner.org), await h.addKey(other.org)]
      streams = await followStreams({
        db: h.db,
        clock: systemClock,
        log: { info: () => undefined, warn: () => undefined },
        hostname: hostname(),
        holder: 'one',
        settings: h.settings,
        guard: addressGuard({ allowPrivate: true }, hostResolver()),
      })
    })
    afterAll(async () => {
      await streams.stop()
      await receiver.close()
    })

    const url = () => `tls://127.0.0.1:${receiver.port}`
    const add = (caller: Caller, email: string) =>
      h.call(caller, 'POST', '/v1/employees', { body: { email } })
    const received = (text: string) => receiver.messages().some((message) => message.includes(text))
    /** Writes until events arrive: a new stream gets those of transactions that begin after it is set up. */
    const untilEventsArrive = (got: (text: string) => boolean) =>
      until('an event', async () => {
        sent += 1
        await add(callers[0], `ours-${sent}@example.com`)
        return got('ours-')
      })

    test('a test event reports the exact error, then arrives', async () => {
      await changeSettings(owner, { events_syslog_url: url() })
      const failed = (await owner.call('POST', 'settings/test-stream', { kind: 'SYSLOG' })).body
      expect(failed).toMatchObject({ target: url(), works: false })
      expect(failed.reason).toMatch(/certificate/)
      await changeSettings(owner, { events_syslog_ca: receiver.certificate ?? '' })
      const arrived = (await owner.call('POST', 'settings/test-stream', { kind: 'SYSLOG' })).body
      expect(arrived).toEqual({ target: url(), works: true, reason: null })
      await until('the test event', () => received('This is a test event'))
    })

    test('events arrive without a restart, only those of the organization that has set the receiver', async () => {
      await untilEventsArrive(received)
      await add(callers[1], 'theirs@example.com')
      const late = await h.addKey(await h.addOrganization('added later'))
      await add(late, 'later@example.com')
      await add(callers[0], 'last@example.com')
      await until('the last event', () => received('last@example.com'))
      expect(received('theirs@example.com')).toBe(false)
      expect(received('later@example.com')).toBe(false)
      expect((await other.call('GET', 'streams')).body.streams).toEqual([])
    })

    test('a new format is in effect at once', async () => {
      await changeSettings(owner, { events_format: 'cef', events_categories: 'ENTITY' })
      await until('an event in the new format', async () => {
        sent += 1
        await add(callers[0], `cef-${sent}@example.com`)
        return received('CEF:0|')
      })
      expect((await owner.call('GET', 'streams')).body.streams).toMatchObject([{ heldUp: false }])
    })

    test('owners of other organizations may not set it', async () => {
      expectProblem(await changeSettings(other, { events_syslog_url: url() }), 'role_too_low')
      expect(await seenSetting(other, 'events_syslog_url')).toMatchObject({ value: null, changeable: false })
    })

    test('certificates need TLS, and a private key is never shown', async () => {
      const refused = await changeSettings(owner, { events_syslog_url: `tcp://127.0.0.1:${receiver.port}` })
      expect(refused.body.errors).toMatchObject([{ name: 'events_syslog_ca' }])
      const label = 'PRIVATE KEY'
      const key = `-----BEGIN ${label}-----\nc2VjcmV0\n-----END ${label}-----`
      const alone = await changeSettings(owner, { events_syslog_key: key })
      expect(alone.body.errors).toMatchObject([{ name: 'events_syslog_cert' }])
      expect(alone.text).not.toContain('c2VjcmV0')
    })

    test('a removed receiver ends the stream', async () => {
      await changeSettings(owner, { events_syslog_url: null, events_syslog_ca: null })
      await until('the end', async () => (await owner.call('GET', 'streams')).body.streams.length === 0)
      const { body } = await owner.call('POST', 'settings/test-stream', { kind: 'SYSLOG' })
      expect(body).toEqual({ target: null, works: false, reason: 'No receiver is set.' })
    })

    test('an HTTP receiver is tested, keeps its secret and gets the events of its organization alone', async () => {
      const there = await startSinkReceiver(linesBehavior({ authorization: 'Bearer t' }))
      const authorization = 'events_http_authorization'
      await changeSettings(owner, { events_http_url: there.url, [authorization]: 'Bearer wrong' })
      const tried = async () => (await owner.call('POST', 'settings/test-stream', { kind: 'HTTP' })).body
      expect(await tried()).toMatchObject({ target: there.url, works: false, reason: 'HTTP status 401' })
      await changeSettings(owner, { [authorization]: 'Bearer t' })
      expect(await tried()).toEqual({ target: there.url, works: true, reason: null })
      expect(await seenSetting(owner, authorization)).toMatchObject({
        value: null,
        isSet: true,
        secret: true,
      })
      const moved = await changeSettings(owner, { events_http_url: 'https://elsewhere.example.com/' })
      expect(moved.body.errors).toMatchObject([{ name: authorization }])
      const got = (text: string) => there.requests.some((request) => request.text.includes(text))
      await untilEventsArrive(got)
      await add(callers[1], 'theirs-too@example.com')
      await add(callers[0], 'ours-too@example.com')
      await until('our event', () => got('ours-too@example.com'))
      expect(got('theirs-too@example.com')).toBe(false)
      const incomplete = await changeSettings(owner, { events_splunk_url: 'https://splunk.example.com:8088' })
      expect(incomplete.body.errors).toMatchObject([{ name: 'events_splunk_token' }])
      await changeSettings(owner, { events_http_url: null })
      expect(await seenSetting(owner, authorization)).toMatchObject({ isSet: false })
      await there.close()
    })
  })
}
