import { apps } from '@muster/contract/records/app'
import { browsers } from '@muster/contract/records/browser'
import { detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addDetection,
  addEmployee,
  addRule,
  alertNow,
  allowsLoopback,
  integrationKey,
  logOf,
  sendAlerts,
  writeAlerts,
} from '../../../../test/support/alert-world.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  aBrowser,
  aDetection,
  aFinding,
  anApp,
  asShownInDetection,
  put,
} from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { type MailServer, startMailServer } from '../../../../test/support/mail-server.ts'
import { changeSettings, proveAgain } from '../../../../test/support/settings.ts'
import { STORES } from '../../../../test/support/stores.ts'
import {
  acknowledge,
  hang,
  refuse,
  reset,
  startReceiver,
  type WebhookReceiver,
} from '../../../../test/support/webhook-receiver.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { getRecordsByIds } from '../../kernel/store/records.ts'
import { erasePerson } from '../employees/erase.ts'
import { streamMetrics } from '../streams/stream-metrics.ts'
import { alertsJob, retryFailedAlerts } from './alerts-job.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const daySeconds = 86_400

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store, { app: { console: { webhooks: allowsLoopback } } })
    let receiver: WebhookReceiver
    let mails: MailServer
    let ada: SignedIn
    let org: number

    beforeAll(async () => {
      receiver = await startReceiver()
      mails = await startMailServer()
    })
    afterAll(async () => {
      await receiver.close()
      await mails.close()
    })
    afterEach(async () => {
      await h.db.inTransaction(async (tx) => {
        for (const table of ['alert_items', 'alert_rules', 'webhook_deliveries', 'webhooks'])
          await tx.run(`DELETE FROM ${table}`)
      })
      receiver.answer = acknowledge
      receiver.requests.splice(0)
      mails.taken.splice(0)
    })
    /** A new organization with a signed-in administrator. */
    const fresh = async () => {
      org = await h.addOrganization(crypto.randomUUID())
      ada = await signedIn(h, org)
    }
    const target = () => ({ url: receiver.url })
    const titles = () => receiver.requests.map(({ body }) => JSON.parse(body).title as string)

    test('a campaign is one message, other incidents are messages of their own', async () => {
      await fresh()
      const rule = await addRule(ada, { target: target() })
      const [cleo, dora] = [await addEmployee(h, org), await addEmployee(h, org)]
      const at = (site: string) => ({ detectionType: 'PHISHING', url: `https://login.${site}/` }) as const
      await addDetection(h, org, cleo, at('evil.example'))
      await addDetection(h, org, dora, at('evil.example'))
      await addDetection(h, org, dora, at('other.example'))
      await alertNow(h)
      expect(titles().toSorted()).toEqual([
        'Phishing on evil.example: 2 people',
        `Phishing on other.example: ${dora.email}`,
      ])
      h.clock.advanceMs(hourMs)
      await addDetection(h, org, await addEmployee(h, org), at('evil.example'))
      await addDetection(h, org, cleo, { detectionType: 'STOLEN_CREDENTIALS', url: 'https://app.example/' })
      await alertNow(h)
      expect(titles().slice(2)).toEqual([`Stolen password used on app.example: ${cleo.email}`])
      // The same person and site again belongs to the incident only within an hour.
      h.clock.advanceMs(2 * hourMs)
      await addDetection(h, org, cleo, { detectionType: 'STOLEN_CREDENTIALS', url: 'https://app.example/' })
      await alertNow(h)
      expect(titles()).toHaveLength(4)
      await proveAgain(ada)
      expect((await logOf(ada, rule)).map(({ state }) => state)).toEqual(Array(4).fill('DELIVERED'))
    })

    test('an organization that cannot be handled does not hold up the others', async () => {
      for (const site of ['broken.example', 'evil.example']) {
        await fresh()
        await addRule(ada, { target: target() })
        await addDetection(h, org, await addEmployee(h, org), { url: `https://${site}/` })
      }
      const working = org
      h.clock.advanceMs(minuteMs)
      const timeZoneOf = (no: number): string => {
        if (no === working) return 'UTC'
        throw new Error('broken')
      }
      const job = alertsJob({ db: h.db, clock: h.clock, publicUrl: 'https://muster.example', timeZoneOf })
      await expect(async () => job.run(new AbortController().signal)).rejects.toThrow('broken')
      await sendAlerts(h)
      expect(titles()).toEqual([expect.stringContaining('evil.example')])
    })

    test('a rule is not counted among the event streams', async () => {
      await fresh()
      await addRule(ada, { target: target() })
      const registry = new Registry()
      streamMetrics(registry, h.db, h.clock)
      expect(await registry.metrics()).not.toContain('stream="alert')
    })

    test('a rule tells only about what it names: type, severity, group, priority', async () => {
      await fresh()
      await addRule(ada, {
        name: 'Finance',
        triggers: ['DETECTION', 'FINDING'],
        detectionTypes: ['MALWARE_DELIVERY'],
        minSeverity: 'HIGH',
        minPriority: 'P2',
        groups: ['Finance'],
        target: target(),
      })
      const finance = await addEmployee(h, org, { groups: ['Finance'] })
      const other = await addEmployee(h, org, { groups: ['Sales'] })
      const malware = (severity: 'HIGH' | 'MEDIUM', site: string) =>
        ({ detectionType: 'MALWARE_DELIVERY', severity, url: `https://${site}/` }) as const
      await addDetection(h, org, finance, malware('HIGH', 'yes.example'))
      await addDetection(h, org, finance, malware('MEDIUM', 'mild.example'))
      await addDetection(h, org, other, malware('HIGH', 'other.example'))
      await addDetection(h, org, finance, { detectionType: 'PHISHING', url: 'https://type.example/' })
      const finding = { employeeId: finance.id, accountId: null, appId: null, state: 'OPEN' } as const
      await put(h, org, findings, [
        aFinding({ ...finding, type: 'STOLEN_CREDENTIALS' }),
        aFinding({ ...finding, type: 'UNUSED_THIRD_PARTY_APP' }),
        aFinding({ ...finding, type: 'STOLEN_CREDENTIALS', employeeId: other.id }),
        aFinding({ ...finding, type: 'STOLEN_CREDENTIALS', state: 'RESOLVED' }),
      ])
      await alertNow(h)
      const messages = receiver.requests.map(({ body }) => JSON.parse(body))
      expect(messages.map(({ count }) => count)).toEqual([1, 1])
      expect(messages.map(({ title }) => title).toSorted()).toEqual([
        `Malware delivery on yes.example: ${finance.email}`,
        `Stolen credentials found on ${finance.email}'s Zapier account.`,
      ])
    })

    test('a detection that becomes severe enough is told, one that is archived or assigned is not', async () => {
      await fresh()
      await addRule(ada, { minSeverity: 'CRITICAL', target: target() })
      const person = await addEmployee(h, org)
      const url = 'https://severe.example/'
      const { id } = await addDetection(h, org, person, { detectionType: 'PHISHING', severity: 'HIGH', url })
      await alertNow(h)
      expect(titles()).toEqual([])
      const sql = 'SELECT body FROM events WHERE org = ?'
      const [event] = await h.db.all<{ body: string }>(sql, [org])
      expect(event?.body).toContain(id)
      await ada.call('PATCH', `records/detections/${id}`, { archived: true })
      await alertNow(h)
      expect(titles()).toEqual([])
    })

    test('a flood is one message, and more follow after a minute', async () => {
      await fresh()
      await addRule(ada, { triggers: ['NEW_APP', 'DETECTION'], target: target() })
      const person = await addEmployee(h, org)
      for (let number = 0; number < 7; number++)
        await addDetection(h, org, person, { url: `https://site-${number}.example/` })
      await put(h, org, apps, [anApp({ friendlyName: 'Zapier' }), anApp({ friendlyName: 'Miro' })])
      await alertNow(h)
      const [first] = receiver.requests.map(({ body }) => JSON.parse(body))
      expect(receiver.requests).toHaveLength(1)
      expect(first).toMatchObject({ title: '7 incidents, 2 new apps', count: 9, moreLines: 0 })
      await addDetection(h, org, person, { url: 'https://late.example/' })
      await alertNow(h)
      expect(receiver.requests).toHaveLength(1)
      h.clock.advanceMs(minuteMs)
      await alertNow(h)
      expect(receiver.requests).toHaveLength(2)
    })

    test('the most severe incident is named among hundreds', async () => {
      await fresh()
      await addRule(ada, { target: target() })
      const person = await addEmployee(h, org)
      const at = unixSeconds(h.clock)
      const many = Array.from({ length: 301 }, (_, number) => `https://site-${number}.example/`).map((url) =>
        aDetection({
          employeeId: person.id,
          employee: asShownInDetection(person),
          archived: false,
          creationTimestamp: at,
          lastActivityTimestamp: at,
          severity: url.includes('-150.') ? 'CRITICAL' : 'LOW',
          url,
        }),
      )
      await put(h, org, detections, many)
      await alertNow(h)
      const [{ severity, lines, moreLines }] = receiver.requests.map(({ body }) => JSON.parse(body))
      expect({ severity, moreLines }).toEqual({ severity: 'CRITICAL', moreLines: 281 })
      expect(lines[0]).toMatchObject({
        severity: 'CRITICAL',
        title: expect.stringContaining('site-150.example'),
      })
    })

    test('a digest is sent once a day at its hour in the time zone of the organization', async () => {
      await fresh()
      await changeSettings(ada, { time_zone: 'Asia/Kolkata' })
      const rule = await addRule(ada, { name: 'Daily', schedule: 'DAILY', hour: 9, target: target() })
      const person = await addEmployee(h, org)
      await addDetection(h, org, person, { url: 'https://one.example/' })
      await addDetection(h, org, person, { url: 'https://two.example/' })
      await alertNow(h)
      expect(receiver.requests).toEqual([])
      const { body } = await ada.call('GET', 'alerts')
      const next = body.rules[0].nextTimestamp
      expect(body).toMatchObject({ timeZone: 'Asia/Kolkata', rules: [{ id: rule.id, waiting: 2 }] })
      // 9:00 in India is 3:30 UTC.
      expect(new Date(next * 1000).toISOString()).toContain('T03:30:00')
      h.clock.advanceMs((next - unixSeconds(h.clock) - 10) * 1000)
      await alertNow(h)
      expect(receiver.requests).toEqual([])
      await alertNow(h)
      expect(receiver.requests).toHaveLength(1)
      expect(titles()).toEqual(['Daily: 2 incidents'])
    })

    test('an agent of a licensed employee without contact is told once', async () => {
      await fresh()
      await addRule(ada, { triggers: ['SILENT_AGENT'], silentDays: 3, target: target() })
      const person = await addEmployee(h, org, { licensed: true })
      const unlicensed = await addEmployee(h, org)
      const at = unixSeconds(h.clock)
      const seen = (employeeId: string, lastOnlineTimestamp: number) =>
        aBrowser({ employeeId, email: person.email, lastOnlineTimestamp })
      await put(h, org, browsers, [
        seen(person.id, at),
        seen(person.id, at - 10 * daySeconds),
        seen(unlicensed.id, at),
      ])
      h.clock.advanceMs(3 * daySeconds * 1000 - hourMs)
      await alertNow(h)
      expect(titles()).toEqual([])
      h.clock.advanceMs(hourMs)
      await alertNow(h)
      h.clock.advanceMs(hourMs)
      await alertNow(h)
      expect(titles()).toEqual([`No contact with a browser of ${person.email} for 3 days`])
    })

    test('an agent that is back before the digest is not told', async () => {
      await fresh()
      const rule = { triggers: ['SILENT_AGENT' as const], silentDays: 1, schedule: 'DAILY' as const, hour: 9 }
      await addRule(ada, { ...rule, target: target() })
      const person = await addEmployee(h, org, { licensed: true })
      const at = unixSeconds(h.clock)
      const [back, gone] = [1, 2].map(() =>
        aBrowser({ employeeId: person.id, email: person.email, lastOnlineTimestamp: at }),
      )
      await put(
        h,
        org,
        browsers,
        [back, gone].filter((one) => one !== undefined),
      )
      h.clock.advanceMs(daySeconds * 1000)
      await writeAlerts(h)
      await proveAgain(ada)
      expect((await ada.call('GET', 'alerts')).body.rules[0].waiting).toBe(2)
      await h.db.inTransaction((tx) =>
        tx.run('UPDATE browsers SET record = ? WHERE org = ? AND id = ?', [
          JSON.stringify({ ...back, lastOnlineTimestamp: unixSeconds(h.clock) }),
          org,
          back?.id ?? '',
        ]),
      )
      h.clock.advanceMs(daySeconds * 1000 - hourMs)
      await alertNow(h)
      expect(titles()).toEqual([`Test: No contact with a browser of ${person.email} for 1 day`])
    })

    test('a rule that is disabled by mistake keeps what waits for its digest', async () => {
      await fresh()
      const { id } = await addRule(ada, { schedule: 'DAILY', hour: 9, target: target() })
      const person = await addEmployee(h, org)
      await addDetection(h, org, person, { url: 'https://kept.example/' })
      await writeAlerts(h)
      for (const enabled of [false, true]) await ada.call('PATCH', `alerts/${id}`, { enabled })
      h.clock.advanceMs(daySeconds * 1000)
      // Another change does not move a digest that is due.
      await proveAgain(ada)
      await ada.call('PATCH', `alerts/${id}`, { name: 'Renamed' })
      await alertNow(h)
      expect(titles()).toEqual([expect.stringMatching(/^Renamed: .+ on kept.example/)])
    })

    test('what happens while a rule is disabled is not told later, but the same campaign is', async () => {
      await fresh()
      const { id } = await addRule(ada, { target: target() })
      const spreading = async () =>
        addDetection(h, org, await addEmployee(h, org), {
          detectionType: 'PHISHING',
          url: 'https://spread.example/',
        })
      await addDetection(h, org, await addEmployee(h, org), { url: 'https://first.example/' })
      await alertNow(h)
      // Waits, because the rule sends once a minute.
      await spreading()
      await alertNow(h)
      await ada.call('PATCH', `alerts/${id}`, { enabled: false })
      h.clock.advanceMs(hourMs)
      await spreading()
      await alertNow(h)
      expect(receiver.requests).toHaveLength(1)
      await proveAgain(ada)
      await ada.call('PATCH', `alerts/${id}`, { enabled: true })
      await alertNow(h)
      expect(receiver.requests).toHaveLength(1)
      const late = await spreading()
      await alertNow(h)
      expect(titles().slice(1)).toEqual([`Phishing on spread.example: ${late.employee.email}`])
    })

    test('e-mails of a removed rule are not sent', async () => {
      await fresh()
      const { id } = await addRule(ada, { destination: 'EMAIL', addresses: ['soc@example.com'] })
      await addDetection(h, org, await addEmployee(h, org))
      await writeAlerts(h)
      expect((await ada.call('DELETE', `alerts/${id}`)).status).toBe(200)
      await sendAlerts(h, { smtpUrl: mails.url })
      expect(mails.taken).toEqual([])
      expect(await h.db.all("SELECT id FROM notices WHERE org = ? AND kind = 'ALERT'", [org])).toEqual([])
    })

    test('e-mails go to each address once, with the same text', async () => {
      await fresh()
      const addresses = ['soc@example.com', 'lead@example.com']
      const rule = await addRule(ada, { name: 'Mail', destination: 'EMAIL', addresses })
      const person = await addEmployee(h, org)
      await addDetection(h, org, person, { detectionType: 'PHISHING', url: 'https://mail.example/' })
      await alertNow(h, { smtpUrl: mails.url })
      await sendAlerts(h, { smtpUrl: mails.url })
      expect(mails.taken.map(({ to }) => to).toSorted()).toEqual(addresses.toSorted())
      for (const { raw } of mails.taken) {
        expect(raw).toContain('Subject: Phishing on mail.example')
        expect(raw).toContain('https://muster.test/console/incidents/')
      }
      expect(await logOf(ada, rule)).toMatchObject(
        addresses.toSorted().map((receiver) => ({ receiver, state: 'DELIVERED', attempts: 1 })),
      )
    })

    test.each([
      ['refuses', refuse, 'HTTP status 500'],
      ['closes the connection', reset, 'the connection was reset'],
      ['does not respond', hang, 'no response within 0.1 s'],
    ])(
      'a message to a receiver that %s is sent again with the same ID, and none is lost',
      async (_, answer, error) => {
        await fresh()
        const rule = await addRule(ada, {
          destination: 'PAGERDUTY',
          target: { ...target(), key: integrationKey },
        })
        receiver.answer = answer
        await addDetection(h, org, await addEmployee(h, org), { url: 'https://again.example/' })
        await alertNow(h, { answerWithinMs: 100 })
        for (const minutes of [1, 5, 15]) {
          h.clock.advanceMs(minutes * minuteMs)
          await sendAlerts(h, { answerWithinMs: 100 })
        }
        expect(await logOf(ada, rule)).toMatchObject([{ state: 'FAILED', attempts: 4, error }])
        receiver.answer = (response) => void response.writeHead(202).end('{"status":"success"}')
        await retryFailedAlerts(h.db, h.clock.nowMs())
        await sendAlerts(h)
        expect(await logOf(ada, rule)).toMatchObject([{ state: 'DELIVERED', attempts: 5, error: null }])
        await retryFailedAlerts(h.db, h.clock.nowMs())
        await sendAlerts(h)
        expect(receiver.requests).toHaveLength(5)
        const keys = receiver.requests.map(({ body }) => JSON.parse(body).dedup_key)
        expect(new Set(keys).size).toBe(1)
      },
    )

    test('a dead receiver of one rule does not delay another', async () => {
      await fresh()
      const dead = await addRule(ada, { name: 'dead', target: { url: 'http://127.0.0.1:9/hook' } })
      const works = await addRule(ada, { name: 'works', target: target() })
      await addDetection(h, org, await addEmployee(h, org))
      await alertNow(h)
      expect(await logOf(ada, dead)).toMatchObject([
        { state: 'PENDING', error: 'the connection was refused' },
      ])
      expect(await logOf(ada, works)).toMatchObject([{ state: 'DELIVERED' }])
      const { body } = await ada.call('GET', 'alerts')
      expect(body.rules.map(({ undelivered }: { undelivered: number }) => undelivered)).toEqual([1, 0])
    })

    test('a test message says what the receivers answer, and is not retried', async () => {
      await fresh()
      const slack = await addRule(ada, { destination: 'SLACK', target: target(), enabled: false })
      const said = async ({ id }: { id: string }) => (await ada.call('POST', `alerts/${id}/test`, {})).body
      expect(await said(slack)).toEqual({ delivered: true, error: null })
      receiver.answer = (response) => void response.writeHead(404).end('no_service\n')
      expect(await said(slack)).toEqual({ delivered: false, error: 'HTTP status 404: no_service' })
      receiver.answer = (response) => void response.writeHead(200).end('<html>')
      expect((await said(slack)).error).toContain('not that of a Slack webhook')
      await ada.call('PATCH', `alerts/${slack.id}`, { enabled: true })
      await sendAlerts(h)
      expect(receiver.requests).toHaveLength(3)
      expect(await logOf(ada, slack)).toMatchObject([{ test: true }, { test: true }, { state: 'DELIVERED' }])
      const { body } = await ada.call('GET', 'alerts')
      expect(body.rules[0].undelivered).toBe(0)
    })

    test('servers that work at the same time write one message', async () => {
      await fresh()
      await addRule(ada, { target: target() })
      await addDetection(h, org, await addEmployee(h, org), { url: 'https://one.example/' })
      await Promise.all([writeAlerts(h), writeAlerts(h), writeAlerts(h)])
      await sendAlerts(h)
      expect(receiver.requests).toHaveLength(1)
    })

    test('nothing about a person is sent or kept after they are erased', async () => {
      await fresh()
      const mailRule = await addRule(ada, { destination: 'EMAIL', addresses: ['soc@example.com'] })
      await addRule(ada, { target: target(), schedule: 'DAILY' })
      const person = await addEmployee(h, org)
      await addDetection(h, org, person)
      await writeAlerts(h)
      expect(await logOf(ada, mailRule)).toHaveLength(1)
      await h.db.inTransaction(async (tx) => {
        const found = await getRecordsByIds(tx, employees, org, [person.id])
        const by = { actor: { source: 'CLI', user: 'test' }, timestamp: unixSeconds(h.clock) } as const
        await erasePerson(tx, org, found, (address) => address, by)
      })
      h.clock.advanceMs(daySeconds * 1000)
      await alertNow(h, { smtpUrl: mails.url })
      expect(mails.taken).toEqual([])
      expect(receiver.requests).toEqual([])
      await proveAgain(ada)
      expect(await logOf(ada, mailRule)).toEqual([])
      const rows = await h.db.all('SELECT * FROM events WHERE org = ?', [org])
      expect(JSON.stringify(rows)).not.toContain(person.email)
    })
  })
}
