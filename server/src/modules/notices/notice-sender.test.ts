import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { type MailServer, startMailServer } from '../../../../test/support/mail-server.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { type FakeClock, fakeClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { addOrganization } from '../../kernel/organizations/organizations.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { insertApiKey } from '../api-keys/api-keys.service.ts'
import {
  deprecateVersion,
  notifyHolderOfDeprecations,
  withdrawDeprecation,
} from '../api-versions/deprecate-version.ts'
import { mailer } from './mail.ts'
import { type NoticeSenderOptions, resetStuckNotices, startNoticeSender } from './notice-sender.ts'
import { leaseNotices, listNoticeRows, markSending, retryNotice } from './notices.service.ts'
import { queueKeyExpiryNotices, queueWebhookDisabledNotices } from './queue-notices.ts'

const daySeconds = 86_400
const minuteMs = 60_000

for (const store of STORES) {
  describe(store, () => {
    let dataDir: string
    let database: FreshDatabase | undefined
    let clock: FakeClock
    let db: Db
    let mails: MailServer
    let org: number

    const open = () => openStore({ dataDir, databaseUrl: database?.url, connections: 3 }, unixSeconds(clock))
    beforeAll(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'muster-notices-'))
      database = store === 'postgres' ? await freshDatabase() : undefined
      clock = fakeClock()
      db = await open()
    })
    afterAll(async () => {
      await db.close()
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    beforeEach(async () => {
      clock = fakeClock()
      mails = await startMailServer()
      org = await organization(newId(clock.nowMs()))
    })
    afterEach(async () => {
      await mails.close()
      await db.inTransaction(async (tx) => {
        for (const table of ['notices', 'api_deprecations', 'api_keys', 'administrators'])
          await tx.run(`DELETE FROM ${table}`)
      })
    })

    const organization = async (name: string) =>
      (await db.inTransaction((tx) => addOrganization(tx, newId(clock.nowMs()), name, unixSeconds(clock)))).no
    const addKey = (holder: string, facts: { name?: string; expiryTimestamp?: number; in?: number } = {}) => {
      const id = newId(clock.nowMs())
      const key = {
        org: facts.in ?? org,
        id,
        holder,
        name: facts.name ?? 'siem',
        start: `mstr_${id.slice(-4)}`,
        ...({ hash: id, permission: 'READ_ONLY', creationTimestamp: unixSeconds(clock) } as const),
        expiryTimestamp: facts.expiryTimestamp ?? null,
        lastUsedTimestamp: null,
        revokedTimestamp: null,
        replacedBy: null,
      }
      return db.inTransaction((tx) => insertApiKey(tx, key))
    }
    const deprecate = (days = 100, sunsetTimestamp: number | null = null) => {
      const deprecationTimestamp = unixSeconds(clock) + days * daySeconds
      const plan = {
        version: 'v1',
        noticeId: newId(clock.nowMs()),
        deprecationTimestamp,
        sunsetTimestamp,
      } as const
      return db.inTransaction((tx) => deprecateVersion(tx, plan, clock.nowMs()))
    }
    const withdraw = () => db.inTransaction((tx) => withdrawDeprecation(tx, 'v1', clock.nowMs()))
    const optionsOf = (smtpUrl: string | null, on: Db): NoticeSenderOptions => {
      const from = 'Muster <muster@muster.test>'
      const mail = mailer({
        smtpUrl: smtpUrl ?? undefined,
        from,
        dataDir,
        nameOf: () => newId(clock.nowMs()),
      })
      const log = pino({ level: 'silent' })
      return { db: on, clock, mailerOf: () => mail, publicUrl: 'https://muster.test', log, leaseMs: 600 }
    }
    /** Starts a sender, waits until no notice is due and stops it. A URL of null means that mails are written to files. */
    const sendDue = async (smtpUrl: string | null = mails.url, on = db): Promise<void> => {
      const sender = startNoticeSender(optionsOf(smtpUrl, on))
      await sender.idle()
      await sender.stop()
    }
    const lease = (name: string) =>
      db.inTransaction((tx) =>
        leaseNotices(tx, { lease: name, untilMs: clock.nowMs() + 15_000, limit: 1 }, clock.nowMs()),
      )
    const states = async () =>
      Object.fromEntries((await listNoticeRows(db, org, 100)).map(({ address, state }) => [address, state]))
    const subjects = () => mails.taken.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim())
    const recipients = () => mails.taken.map(({ to }) => to).sort()

    test('sends every holder of active keys one complete mail', async () => {
      const expired = { expiryTimestamp: unixSeconds(clock) }
      await addKey('ada@example.com', { name: 'siem <b>&' })
      await addKey('ADA@example.com', { name: 'deploy' })
      await addKey('bob@example.com')
      await addKey('gone@example.com', expired)
      await addKey('ada@example.com', { in: await organization(newId(clock.nowMs())), name: 'theirs' })
      expect(await deprecate(151, unixSeconds(clock) + 516 * daySeconds)).toMatchObject({ notified: 3 })
      await Promise.all([sendDue(), sendDue()])
      expect(recipients().map((to) => to.toLowerCase())).toEqual([
        'ada@example.com',
        'ada@example.com',
        'bob@example.com',
      ])
      const text = mails.taken
        .map(({ raw }) => raw.replaceAll('=\r\n', ''))
        .find((raw) => raw.includes('deploy'))
      expect(text).toContain('Subject: Muster API v1 is deprecated from 1 June 2026')
      expect(text).toContain('Auto-Submitted: auto-generated')
      expect(text).toMatch(/Message-ID: <[0-9a-f-]{36}@muster.test>/)
      expect(text).toContain('- siem <b>& (starts with mstr_')
      expect(text).toContain('<li><bdi>siem &#60;b&#62;&#38; (starts')
      expect(text).toContain('1 June 2027')
      expect(text).not.toContain('theirs')
      expect(text).not.toMatch(/src=|url\(|@import/)
      clock.advanceMs(30 * minuteMs)
      await sendDue()
      expect(mails.taken).toHaveLength(3)
    })

    test('retries after a temporary rejection and gives up after a permanent one', async () => {
      let asked = 0
      mails.behavior.refusal = (to) => {
        asked += 1
        if (to === 'never@example.com') return { code: 550, text: 'no such user' }
        return asked <= 2 ? { code: 450, text: 'graylisted, come again' } : undefined
      }
      await addKey('later@example.com')
      await addKey('never@example.com')
      await deprecate()
      await sendDue()
      expect(await states()).toEqual({ 'later@example.com': 'PENDING', 'never@example.com': 'FAILED' })
      await sendDue()
      expect(asked).toBe(2)
      clock.advanceMs(minuteMs)
      await sendDue()
      expect(await states()).toEqual({ 'later@example.com': 'SENT', 'never@example.com': 'FAILED' })
      const failed = (await listNoticeRows(db, org, 100)).find(({ state }) => state === 'FAILED')
      expect(failed?.lastError).toMatch(/^550 no such user/)
      mails.behavior.refusal = () => undefined
      await db.inTransaction((tx) => retryNotice(tx, org, failed?.id ?? '', clock.nowMs()))
      await sendDue()
      expect(recipients()).toEqual(['later@example.com', 'never@example.com'])
    })

    test('resets due times and leases set while the clock was ahead', async () => {
      const startMs = clock.nowMs()
      await addKey('taken@example.com')
      await addKey('complete@example.com')
      const ahead = async () => {
        clock.advanceMs(30 * daySeconds * 1000)
        await addKey('queued@example.com')
        await deprecate(300)
        await lease('crashed')
        await lease('other')
        const held = "SELECT id FROM notices WHERE lease = 'other'"
        const id = (await db.get<{ id: string }>(held))?.id ?? ''
        await db.inTransaction((tx) => markSending(tx, { org, id, lease: 'other' }, unixSeconds(clock)))
      }
      await ahead()
      clock.advanceMs(startMs - clock.nowMs())
      await resetStuckNotices(db, clock.nowMs())
      await sendDue()
      expect(recipients()).toHaveLength(2)
      expect(Object.values(await states()).sort()).toEqual(['IN_DOUBT', 'SENT', 'SENT'])
    })

    test('sends a pending notice on request, unless it is being sent', async () => {
      mails.behavior.refusal = () => ({ code: 450, text: 'graylisted, come again' })
      await addKey('ada@example.com')
      await deprecate()
      await sendDue()
      const [row] = await listNoticeRows(db, org, 1)
      const retry = () => db.inTransaction((tx) => retryNotice(tx, org, row?.id ?? '', clock.nowMs()))
      expect([row?.state, await retry()]).toEqual(['PENDING', true])
      await lease('other')
      expect(await retry()).toBe(false)
      clock.advanceMs(15_000)
      mails.behavior.refusal = () => undefined
      await sendDue()
      expect(await states()).toEqual({ 'ada@example.com': 'SENT' })
    })

    test('a rejection of the message counts like one of the address', async () => {
      const answers = [
        { code: 451, text: 'try again' },
        { code: 552, text: 'too large' },
      ]
      mails.behavior.verdict = () => answers.shift()
      await addKey('ada@example.com')
      await deprecate()
      await sendDue()
      expect(await listNoticeRows(db, org, 1)).toMatchObject([{ state: 'PENDING', attempts: 1 }])
      clock.advanceMs(minuteMs)
      await sendDue()
      expect(await listNoticeRows(db, org, 1)).toMatchObject([
        { state: 'FAILED', attempts: 2, lastError: expect.stringContaining('552 too large') },
      ])
      expect(mails.taken).toEqual([])
    })

    test('retries if the mail server is unreachable, and holds a notice in doubt if its reply is lost', async () => {
      await addKey('ada@example.com')
      await deprecate()
      await sendDue('smtp://127.0.0.1:1')
      expect(await states()).toEqual({ 'ada@example.com': 'PENDING' })
      mails.behavior.hangUp = true
      clock.advanceMs(minuteMs)
      await sendDue()
      expect(await states()).toEqual({ 'ada@example.com': 'IN_DOUBT' })
      mails.behavior.hangUp = false
      clock.advanceMs(1000 * minuteMs)
      await sendDue()
      expect(recipients()).toEqual(['ada@example.com'])
      const [row] = await listNoticeRows(db, org, 1)
      await db.inTransaction((tx) => retryNotice(tx, org, row?.id ?? '', clock.nowMs()))
      await sendDue()
      const ids = mails.taken.map(({ raw }) => /Message-ID: (\S+)/i.exec(raw)?.[1])
      expect(ids).toHaveLength(2)
      expect(ids[0]).toBe(ids[1])
    })

    test('waits for a slow mail server while other processes skip the leased notice', async () => {
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      mails.behavior.beforeTaking = () => held
      await addKey('ada@example.com')
      await deprecate()
      const sending = sendDue()
      await until('a mail that is being sent', async () => (await states())['ada@example.com'] === 'SENDING')
      const leasedUntilMs = async () =>
        (await db.get<{ ms: number }>('SELECT leased_until_ms AS ms FROM notices'))?.ms ?? 0
      // The lease is renewed: it does not expire while its process runs.
      for (let turn = 0; turn < 3; turn += 1) {
        clock.advanceMs(400)
        await until('longer lease', async () => (await leasedUntilMs()) >= clock.nowMs() + 600)
        await sendDue()
      }
      expect(await states()).toEqual({ 'ada@example.com': 'SENDING' })
      release()
      await sending
      expect(await states()).toEqual({ 'ada@example.com': 'SENT' })
      expect(recipients()).toEqual(['ada@example.com'])
    })

    test('several processes send each mail once', async () => {
      const others = await Promise.all([open(), open()])
      for (let number = 0; number < 25; number += 1) await addKey(`holder-${number}@example.com`)
      await deprecate()
      await Promise.all([db, ...others].map((each) => sendDue(mails.url, each)))
      for (const other of others) await other.close()
      expect(new Set(recipients()).size).toBe(25)
      expect(mails.taken).toHaveLength(25)
    })

    test('a new date is a new notice and deletes unsent mails of the earlier one', async () => {
      await addKey('ada@example.com')
      await addKey('bob@example.com')
      mails.behavior.refusal = (to) => (to === 'bob@example.com' ? { code: 450, text: 'later' } : undefined)
      await deprecate(100)
      await sendDue()
      expect(await deprecate(100)).toMatchObject({ changed: false, notified: 0 })
      mails.behavior.refusal = () => undefined
      expect(await deprecate(200)).toMatchObject({ changed: true, notified: 2 })
      clock.advanceMs(10 * minuteMs)
      await sendDue()
      expect(recipients()).toEqual(['ada@example.com', 'ada@example.com', 'bob@example.com'])
      expect(mails.taken.at(-1)?.raw.replaceAll('=\r\n', '')).toContain('replaces an earlier announcement')
    })

    test('does not retry a notice whose dates were withdrawn while it was being sent', async () => {
      const held = Promise.withResolvers<void>()
      mails.behavior.beforeTaking = () => held.promise
      mails.behavior.verdict = () => ({ code: 451, text: 'try again' })
      await addKey('ada@example.com')
      await deprecate()
      const sending = sendDue()
      await until('a mail that is being sent', async () => (await states())['ada@example.com'] === 'SENDING')
      expect(await withdraw()).toMatchObject({ notified: 1 })
      held.resolve()
      await sending
      expect(mails.taken).toEqual([])
      mails.behavior.verdict = () => undefined
      clock.advanceMs(minuteMs)
      await sendDue()
      expect(subjects()).toEqual([expect.stringContaining('Deprecation of Muster API v1 canceled')])
      expect(await listNoticeRows(db, org, 9)).toMatchObject([{ kind: 'API_DEPRECATION_WITHDRAWN' }])
    })

    test('does not resend a doubtful notice after the dates have changed', async () => {
      mails.behavior.hangUp = true
      await addKey('ada@example.com')
      await deprecate(100)
      await sendDue()
      mails.behavior.hangUp = false
      const [old] = await listNoticeRows(db, org, 1)
      const before = mails.taken.length
      await deprecate(200)
      await db.inTransaction((tx) => retryNotice(tx, org, old?.id ?? '', clock.nowMs()))
      await sendDue()
      expect(mails.taken.slice(before).map(({ raw }) => raw.replaceAll('=\r\n', ''))).toEqual([
        expect.stringContaining('replaces an earlier announcement'),
      ])
    })

    test('does not send a pending withdrawal after new dates were set', async () => {
      await addKey('ada@example.com')
      await deprecate(100)
      await sendDue()
      mails.behavior.refusal = () => ({ code: 450, text: 'later' })
      await withdraw()
      await sendDue()
      await deprecate(200)
      mails.behavior.refusal = () => undefined
      clock.advanceMs(10 * minuteMs)
      await sendDue()
      expect(subjects()).toEqual(Array(2).fill(expect.stringContaining('is deprecated from')))
    })

    test('notifies a holder who gets a key just before the notice would be deleted', async () => {
      await addKey('ada@example.com', { expiryTimestamp: unixSeconds(clock) + 60 })
      await deprecate()
      clock.advanceMs(minuteMs)
      let isAdded = false
      const all: Db['all'] = async (sql, params) => {
        const rows = await db.all(sql, params)
        if (!isAdded && sql.includes('api_keys')) {
          isAdded = true
          await db.inTransaction((tx) =>
            notifyHolderOfDeprecations(tx, org, 'ada@example.com', clock.nowMs()),
          )
          await addKey('ada@example.com')
        }
        return rows as never
      }
      await sendDue(mails.url, { ...db, all })
      expect(isAdded).toBe(true)
      expect(recipients()).toEqual(['ada@example.com'])
    })

    test('notifies holders of keys that expire within 14 days once per key and expiry', async () => {
      const now = unixSeconds(clock)
      await addKey('ada@example.com', { name: 'soon', expiryTimestamp: now + 13 * daySeconds })
      await addKey('bob@example.com', { name: 'later', expiryTimestamp: now + 15 * daySeconds })
      await queueKeyExpiryNotices(db, clock.nowMs())
      await queueKeyExpiryNotices(db, clock.nowMs())
      await sendDue()
      expect(recipients()).toEqual(['ada@example.com'])
      clock.advanceMs(2 * daySeconds * 1000)
      await queueKeyExpiryNotices(db, clock.nowMs())
      await sendDue()
      expect(recipients()).toEqual(['ada@example.com', 'bob@example.com'])
      expect(mails.taken[0]?.raw).toContain('Subject: Your API key soon expires on 14 January 2026')
    })

    test('notifies administrators of a disabled webhook without the secret parts of its URL', async () => {
      const webhook = {
        org,
        id: newId(1),
        name: 'chat',
        url: 'https://hooks.example.com/T0/secret',
        disabledReason: 'FAILURES',
      }
      await db.inTransaction(async (tx) => {
        const columns = ['org', 'id', 'email', 'email_key', 'name', 'role', 'creation_timestamp']
        const rows = ['ada', 'bob'].map((name) => [
          org,
          name,
          `${name}@example.com`,
          `${name}@example.com`,
          name,
          'OWNER',
          1,
        ])
        await tx.insert('administrators', columns, rows)
        await queueWebhookDisabledNotices(tx, webhook, clock.nowMs())
      })
      await sendDue()
      expect(recipients()).toEqual(['ada@example.com', 'bob@example.com'])
      const raw = mails.taken[0]?.raw.replaceAll('=\r\n', '')
      expect(raw).toContain('https://hooks.example.com')
      expect(raw).toContain(`https://muster.test/console/webhooks/${webhook.id}`)
      expect(raw).toContain('Reason: at least 95 % of the attempts in the last 24 hours failed')
      expect(raw).toContain('Events that occur while the webhook is disabled are not sent later')
      expect(raw).not.toMatch(/secret|FAILURES/)
    })

    test('writes one file per mail without a mail server', async () => {
      await addKey('ada@example.com')
      await deprecate()
      await Promise.all([sendDue(null), sendDue(null)])
      const [row] = await listNoticeRows(db, org, 1)
      expect(readdirSync(join(dataDir, 'mail'))).toEqual([`${row?.id}.eml`])
      expect(row).toMatchObject({ state: 'SENT', way: 'FILE' })
    })
  })
}
