import { hash } from 'node:crypto'
import type { AuditEntry } from '@muster/contract/console/console-audit'
import { beforeAll, describe, expect, test } from 'vitest'
import { askToEnroll, managedToken } from '../../../../test/support/agents.ts'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditTrail } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { repeat } from '../../kernel/jobs/background-jobs.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { expiredKeysJob } from '../api-keys/expired-keys-job.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let caller: Caller
    /** Start time; one employee is added per second. */
    let begin: number

    beforeAll(async () => {
      ada = await signedIn(h, await h.addOrganization('default'))
      caller = await h.addKey(ada.org, 'FULL_ACCESS', { holder: 'Grace@example.com' })
      begin = unixSeconds(h.clock) + 1
      for (let at = 0; at < 12; at += 1)
        await h.call(caller, 'POST', '/v1/employees', { body: { email: `Person-${at}@example.com` } })
      await ada.call('POST', 'blocked-urls', { patterns: ['tail-"quoted".example.net', 'evil.example.net'] })
    })

    const page = async (query = '') => (await ada.call('GET', `audit${query}`)).body
    const emailsOf = ({ records }: { records: AuditEntry[] }) =>
      records.map(({ event }) => ('employeeEmail' in event.new ? event.new.employeeEmail : event.object))
    const people = (from: number, to: number) =>
      Array.from({ length: Math.abs(from - to) + 1 }, (_, at) => `Person-${from - at}@example.com`)

    test('lists each event once, newest first, in pages', async () => {
      const seen: number[] = []
      let query = '?limit=5'
      for (let more = true; more; ) {
        const { records, cursor } = await page(query)
        seen.push(...records.map((entry: AuditEntry) => entry.position))
        query = `?limit=5&cursor=${cursor}`
        more = cursor !== null
      }
      const length = (await auditTrail(h.db, ada.org)).length
      expect(seen).toEqual(Array.from({ length }, (_, at) => length - at))
    })

    test('filters by time, object, actor and text', async () => {
      expect(emailsOf(await page(`?timestampAfter=${begin + 3}&timestampBefore=${begin + 6}`))).toEqual(
        people(5, 3),
      )
      const added = await page('?object=EMPLOYEE_ADDED&object=ADMIN_ADDED&limit=3')
      expect(emailsOf(added)).toEqual(people(11, 9))
      expect(emailsOf(await page(`?object=EMPLOYEE_ADDED&cursor=${added.cursor}&limit=3`))).toEqual(
        people(8, 6),
      )
      expect((await page('?actor=gRACE@example')).records).toHaveLength(12)
      expect((await page(`?actor=${ada.email.toUpperCase()}&object=EMPLOYEE_ADDED`)).records).toEqual([])
      expect(emailsOf(await page('?search=person-1@'))).toEqual(people(1, 1))
      expect(emailsOf(await page('?search=EVIL.example'))).toEqual(['BLOCKED_URLS_ADDED'])
      expect(await page('?search=nowhere')).toEqual({ records: [], cursor: null })
    })

    test('rejects invalid parameters with a message', async () => {
      for (const query of ['?object=NONE', '?limit=0', '?cursor=x', '?from=1', '?timestampAfter=then'])
        expect((await ada.call('GET', `audit${query}`)).body, query).toMatchObject({
          code: 'invalid_request',
        })
    })

    test('requires full access and shows only the events of the organization', async () => {
      const reader = await signedIn(h, ada.org, 'READ_ONLY')
      for (const path of ['audit', 'audit/export'])
        expectProblem(await reader.call('GET', path), 'role_too_low')
      const other = await signedIn(h, await h.addOrganization('other'), 'FULL_ACCESS')
      const { records } = (await other.call('GET', 'audit')).body
      expect(records).toHaveLength(1)
      expect(records[0].event).toMatchObject({ object: 'ADMIN_ADDED', new: { email: other.email } })
    })

    test('exports all matching events and audits the export first', async () => {
      const file = await ada.call('GET', 'audit/export?format=jsonl')
      expect(file.headers['content-disposition']).toBe('attachment; filename="audit.jsonl"')
      const lines = file.text.trimEnd().split('\n')
      const links = lines.map((line) => JSON.parse(line)).reverse()
      expect(links.at(-1).event).toMatchObject({
        object: 'DATA_EXPORTED',
        new: { what: 'audit trail', format: 'JSON' },
      })
      let previous = ''
      for (const line of lines.toReversed()) {
        const event = line.slice(line.indexOf('"event":') + 8, -1)
        previous = hash('sha256', previous + event, 'hex')
        expect(JSON.parse(line).hash).toBe(previous)
      }
      const csv = await ada.call('GET', 'audit/export?object=EMPLOYEE_ADDED')
      const [head, first] = csv.text.split('\r\n')
      expect(head).toBe('position,timestamp,object,description,source,actor,sourceIpAddress,new,id,hash')
      expect(first).toMatch(
        /,EMPLOYEE_ADDED,"Employee \S+ was added by Grace@example\.com with API key ""test""\.",API,/,
      )
      expect(first).toContain(',API,test (Grace@example.com),127.0.0.1,')
      expect(csv.text.trimEnd().split('\r\n')).toHaveLength(13)
    })

    test('audits the export of a list with its number of records', async () => {
      await ada.call('GET', 'lists/employees/export?search=Person-1&format=json')
      expect((await page('?limit=1')).records[0].event).toMatchObject({
        object: 'DATA_EXPORTED',
        actor: { source: 'UI', email: ada.email },
        new: { what: 'employees', format: 'JSON', count: 3 },
      })
    })

    test('ends a page at the scan limit and continues after it', async () => {
      const { org } = await h.addCaller()
      await h.db.inTransaction(async (tx) => {
        const tell = (email: string, timestamp: number) =>
          recordAudit(tx, org, 'LICENSE_REMOVED', {
            actor: null,
            timestamp,
            new: { employeeId: 'x', employeeEmail: email },
          })
        await tell('first@example.com', 1_700_000_000)
        for (let at = 1; at <= 5000; at += 1) await tell('x@example.com', 1_700_000_000 + at)
      })
      const admin = await signedIn(h, org)
      const first = (await admin.call('GET', 'audit?search=first@')).body
      expect(first).toEqual({ records: [], cursor: expect.any(String) })
      const second = (await admin.call('GET', `audit?search=first@&cursor=${first.cursor}`)).body
      expect([emailsOf(second), second.cursor]).toEqual([['first@example.com'], null])
    })

    test('audits the expiry of a key once, without an actor', async () => {
      const expiryTimestamp = unixSeconds(h.clock) + 60
      const key = await h.addKey(ada.org, 'READ_ONLY', { expiryTimestamp })
      const auditedExpiries = async () =>
        (await auditTrail(h.db, ada.org)).filter(({ object }) => object === 'API_KEY_EXPIRED')
      const log = { warn: () => expect.unreachable() }
      const startJob = (everyMs: number) => repeat(expiredKeysJob({ db: h.db, clock: h.clock }, everyMs), log)
      const jobs = [startJob(5), startJob(5)]
      h.clock.advanceMs(59_000)
      expect(await auditedExpiries()).toEqual([])
      h.clock.advanceMs(1000)
      const audited = await until('key', async () => {
        const found = await auditedExpiries()
        return found.length > 0 ? found : undefined
      })
      for (const job of jobs) await job.stop()
      await startJob(60_000).stop()
      expect(await auditedExpiries()).toEqual(audited)
      expect(audited).toMatchObject([{ actor: null, timestamp: expiryTimestamp, new: { id: key.keyId } }])
    })

    test('audits an employee added by managed enrollment as the actor', async () => {
      const { token } = await managedToken(h, ada.org)
      const { status, text } = await askToEnroll(h, token, { identity: 'managed@example.com' })
      expect(status, text).toBe(200)
      const last = (await auditTrail(h.db, ada.org)).at(-2)
      expect(last).toMatchObject({
        object: 'EMPLOYEE_ADDED',
        new: { employeeEmail: 'managed@example.com' },
        actor: { source: 'EMPLOYEE', email: 'managed@example.com', sourceIpAddress: '127.0.0.1' },
      })
    })
  })
}
