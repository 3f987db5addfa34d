import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { aPassword, eventMaker, report } from '../../../../test/support/agent-events.ts'
import { addLicensed, enrollBrowser } from '../../../../test/support/agents.ts'
import { expectProblem, recordsOf } from '../../../../test/support/answers.ts'
import { stateOf } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { rawEventWeeks } from './raw-events.service.ts'

const dayMs = 24 * 60 * 60 * 1000

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const make = () => eventMaker(h.clock)
    let caller: Caller
    let credential: string
    let browserId: string
    let employeeId: string
    beforeEach(async () => {
      caller = await h.addCaller()
      employeeId = (await addLicensed(h, caller)).id
      ;({ credential, browserId } = await enrollBrowser(h, caller, employeeId))
    })
    const send = (events: readonly unknown[]) => report(h, credential, events)
    const list = async (path: string) => recordsOf(await h.call(caller, 'GET', `/v1/${path}`))
    const keptEvents = async () => {
      const rows: { event: string }[] = []
      for (const week of await rawEventWeeks(h.db))
        rows.push(
          ...(await h.db.all<{ event: string }>(
            `SELECT event FROM raw_events_${week} WHERE org = ? ORDER BY batch, place`,
            [caller.org],
          )),
        )
      return rows.map(({ event }) => JSON.parse(event))
    }

    test('accepts and stores a batch, and returns the policy version', async () => {
      const events = [make().heartbeat(), make().visit(), make().login()]
      const { status, body } = await send(events)
      expect(status).toBe(200)
      expect(body).toEqual({
        accepted: 3,
        duplicates: 0,
        rejected: [],
        policyVersion: expect.stringMatching(/^\d+-[0-9a-f]{16}$/),
      })
      expect(await keptEvents()).toEqual(events)
    })

    test('ignores repeated events, also within a batch', async () => {
      const events = [make().login(), make().visit(), make().blockedUrl()]
      expect((await send([...events, events[0]])).body).toMatchObject({ accepted: 3, duplicates: 1 })
      const browser = (await list('browsers'))[0]
      const before = await stateOf(h, caller.org)
      const stored = await keptEvents()
      expect((await send(events)).body).toMatchObject({ accepted: 0, duplicates: 3, rejected: [] })
      expect(await keptEvents()).toEqual(stored)
      const without = (rows: string[]) => rows.filter((row) => !row.startsWith('browsers '))
      expect(without(await stateOf(h, caller.org))).toEqual(without(before))
      expect((await list('browsers'))[0]).toEqual({ ...browser, lastOnlineTimestamp: expect.any(Number) })
    })

    test('counts eight concurrent copies of a batch once', async () => {
      const events = Array.from({ length: 20 }, (_, at) => make().login({ email: `user-${at}@example.com` }))
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => report(h, credential, events, { still: true })),
      )
      expect(answers.map(({ body }) => body.accepted).sort((one, other) => one - other)).toEqual([
        ...Array(7).fill(0),
        20,
      ])
      expect(await list('accounts')).toHaveLength(20)
      expect(await keptEvents()).toHaveLength(20)
    })

    test('rejects invalid events one by one, with the expected values', async () => {
      const good = make().visit()
      const { body } = await send([
        { ...make().visit(), host: 1 },
        good,
        { ...make().visit(), kind: 'SELFIE' },
        'text',
        { ...make().login(), loginType: 'MAGIC', extra: 1 },
        { ...make().login(), loginUrl: 'javascript:alert(1)' },
        { ...make().visit(), host: 'a host' },
        { ...make().login(), email: 'a\u2028b' },
        { ...make().visit(), id: 'x' },
        { ...make().login(), email: '  ' },
      ])
      expect(body).toMatchObject({ accepted: 1, duplicates: 0 })
      expect(body.rejected).toEqual([
        { index: 0, code: 'invalid_event', message: 'host must be a text' },
        {
          index: 2,
          code: 'unknown_kind',
          message:
            'kind must be one of HEARTBEAT, EXTENSIONS, LOGIN, VISIT, BLOCKED_URL_VISITED, PAGE_THREAT, EXTENSION_THREAT, APP_BANNER',
        },
        { index: 3, code: 'invalid_event', message: 'an event must be an object' },
        {
          index: 4,
          code: 'invalid_event',
          message: expect.stringMatching(
            /loginType must be one of PASSWORD_LOGIN, .*extra is not a member|extra is not a member.*loginType must be one of/,
          ),
        },
        { index: 5, code: 'invalid_event', message: 'loginUrl must be an absolute http or https URL' },
        { index: 6, code: 'invalid_event', message: 'host must be a host name or IP address without a port' },
        { index: 7, code: 'invalid_event', message: 'email must not be empty and must be a single line' },
        { index: 8, code: 'invalid_event', message: expect.stringContaining('id must') },
        { index: 9, code: 'invalid_event', message: 'email must not be empty and must be a single line' },
      ])
      expect(await keptEvents()).toEqual([good])
    })

    test('rejects events beyond the retention or more than a day in the future', async () => {
      const at = (ms: number) => ({ ...make().visit(), id: newIdAt(h.clock.nowMs() + ms) })
      const { body } = await send([
        at(-90 * dayMs - 60_000),
        at(dayMs + 60_000),
        at(-89 * dayMs),
        at(dayMs - 60_000),
      ])
      expect(body).toMatchObject({
        accepted: 2,
        rejected: [
          { index: 0, code: 'too_old' },
          { index: 1, code: 'in_the_future' },
        ],
      })
    })

    test('replaces a time in the future by the time of receipt', async () => {
      await send([make().login({ timestamp: unixSeconds(h.clock) + 3600 })])
      expect((await list('accounts'))[0]).toMatchObject({ lastUsedTimestamp: unixSeconds(h.clock) - 1 })
    })

    test('stores URLs without user, query and fragment', async () => {
      await send([
        make().login({ loginUrl: 'https://ada:secret@zapier.com/app/login?token=secret#secret' }),
        make().blockedUrl({ url: 'https://bad.example/p?q=secret', referrerUrl: 'about:secret' }),
      ])
      const [detection] = await list('detections')
      expect(detection).toMatchObject({ url: 'https://bad.example/p', referrerUrl: null })
      const stored = await keptEvents()
      expect(stored[0].loginUrl).toBe('https://zapier.com/app/login')
      expect(JSON.stringify([stored, await stateOf(h, caller.org)])).not.toContain('secret')
    })

    test('marks the browser as online for any batch', async () => {
      await h.db.inTransaction(async (tx) => {
        await tx.run('UPDATE browsers SET is_active = 0 WHERE id = ?', [browserId])
      })
      await send([{}])
      const [browser] = await list('browsers')
      expect(browser).toMatchObject({ isActive: true, lastOnlineTimestamp: unixSeconds(h.clock) - 1 })
    })

    test('returns dormant for unlicensed and merged employees, and changes nothing', async () => {
      await h.call(caller, 'PATCH', `/v1/employees/${employeeId}`, { body: { licensed: false } })
      const before = await stateOf(h, caller.org)
      const event = make().login()
      expect((await send([event])).body).toEqual({ dormant: true })
      expect(await stateOf(h, caller.org)).toEqual(before)
      expect(await keptEvents()).toEqual([])
      await h.call(caller, 'PATCH', `/v1/employees/${employeeId}`, { body: { licensed: true } })
      expect((await send([event])).body).toMatchObject({ accepted: 1 })
      const primary = await addLicensed(h, caller)
      await h.call(caller, 'POST', `/v1/employees/${primary.id}/merge`, {
        body: { employeeIds: [employeeId] },
      })
      expect((await send([make().login()])).body).toEqual({ dormant: true })
    })

    test('returns 401 for a browser without a record', async () => {
      await h.db.inTransaction((tx) => tx.run('DELETE FROM browsers WHERE id = ?', [browserId]))
      expectProblem(await send([make().visit()]), 'unauthenticated')
    })

    test('treats the same IDs of another browser as other events', async () => {
      const other = await addLicensed(h, caller)
      const second = await enrollBrowser(h, caller, other.id)
      const events = [make().visit(), make().login()]
      expect((await send(events)).body).toMatchObject({ accepted: 2 })
      expect((await report(h, second.credential, events)).body).toMatchObject({ accepted: 2, duplicates: 0 })
    })

    test('creates an app and account once for concurrent browsers', async () => {
      const other = await addLicensed(h, caller)
      const second = await enrollBrowser(h, caller, other.id)
      const events = () =>
        Array.from({ length: 10 }, (_, at) =>
          make().login({
            loginUrl: at % 2 === 0 ? 'https://zapier.com/login' : 'https://intranet.example.org/login',
            email: `shared-${at}@example.com`,
            password: aPassword(),
          }),
        )
      const answers = await Promise.all(
        [credential, second.credential].map((one) => report(h, one, events(), { still: true })),
      )
      expect(answers.map(({ body }) => body.accepted)).toEqual([10, 10])
      expect((await list('apps')).map(({ type }) => type)).toEqual(['ZAPIER'])
      expect((await list('appsOther')).map(({ domain }) => domain)).toEqual(['example.org'])
      expect(await list('accounts')).toHaveLength(5)
      expect(await list('accountsOther')).toHaveLength(5)
      for (const { id } of await list('accounts'))
        expect((await list(`accounts/${id}/usedBy`)).map((use) => use.employeeId).sort()).toEqual(
          [employeeId, other.id].sort(),
        )
    })

    test('does not touch or find records of another organization', async () => {
      const strangers = await h.addCaller()
      const stranger = await addLicensed(h, strangers)
      const { credential: strange } = await enrollBrowser(h, strangers, stranger.id)
      await send([make().login(), make().pageThreat(), make().visit()])
      const before = await stateOf(h, caller.org)
      await report(h, strange, [make().login(), make().pageThreat(), make().visit()])
      expect(await stateOf(h, caller.org)).toEqual(before)
      expect(recordsOf(await h.call(strangers, 'GET', '/v1/accounts'))).toHaveLength(1)
    })
  })
}

/** Returns an event ID as created by an agent at a time, which may be before that of the last ID. */
function newIdAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
