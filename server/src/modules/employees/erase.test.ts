import { eventDeclarationOf, eventObjects } from '@muster/contract/events/event-objects'
import { apps } from '@muster/contract/records/app'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { defaultControls } from '@muster/contract/records/controls'
import { employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { anExtension, aPassword } from '../../../../test/support/agent-events.ts'
import { browserFacts } from '../../../../test/support/agents.ts'
import { aBrowserExtension, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { eventsWritten, subscribeEndpoint } from '../../../../test/support/outbox-events.ts'
import { type ObservedPerson, useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { wholeRows } from '../../../../test/support/whole-rows.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { addressHmac } from '../../kernel/lib/secrets/address-hmac.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { writeControls } from '../../kernel/organizations/organization-controls.ts'
import { getRecord, recordsWhere } from '../../kernel/store/records.ts'
import { insertSavedFilter } from '../lists/saved-filters.store.ts'
import { queueNotices } from '../notices/notices.service.ts'
import { erasePerson } from './erase.ts'

const keys = deriveKeys(Buffer.alloc(32, 7))

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    let bob: ObservedPerson
    beforeEach(async () => {
      bob = await o.person({ email: `bob-${o.caller.org}@example.com` })
    })
    const erase = (id: string) =>
      h.db.inTransaction(async (tx) => {
        const { org } = o.caller
        const found = await getRecord(tx, employees, org, id)
        if (!found) throw new Error('not there')
        const person = [found, ...(await recordsWhere(tx, employees, org, 'mergedIntoId', id))]
        const hmacOf = (address: string) => addressHmac(keys.addressHmac, org, address)
        return erasePerson(tx, org, person, hmacOf, { actor: null, timestamp: unixSeconds(h.clock) })
      })
    /**
     * Returns every row that contains one of the texts, regardless of case. The audit trail is excluded: it
     * records the operation and its subject.
     */
    const rowsWith = async (texts: readonly string[]): Promise<string[]> => {
      const sql =
        store === 'sqlite'
          ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '%substrings_%'"
          : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
      const rows: string[] = []
      for (const { name } of await h.db.all<{ name: string }>(sql)) {
        if (name === 'audit_events') continue
        const found =
          name === 'waiting_substrings'
            ? await h.db.all(`SELECT value FROM ${name}`)
            : await wholeRows(h.db, name)
        for (const row of found) {
          const text = JSON.stringify(row).toLowerCase()
          if (texts.some((needle) => text.includes(needle.toLowerCase()))) rows.push(`${name}: ${text}`)
        }
      }
      return rows
    }
    const everything = async (person: ObservedPerson) => {
      const { email, id } = person.employee
      await person.send(
        o.make.heartbeat(browserFacts({ profileEmail: email })),
        o.make.extensions({ extensions: [anExtension()] }),
        o.make.login({ email, password: aPassword({ weakReasons: ['TOO_SHORT'], manuallyTyped: true }) }),
        o.make.login({ email, loginUrl: 'https://intranet.example.org/' }),
        o.make.login({ email: 'team@example.com', loginUrl: 'https://slack.com/signin' }),
        o.make.pageThreat(),
      )
      await h.call(o.caller, 'POST', `/v1/employees/${id}/enrollmentLink`)
      await h.call(o.caller, 'POST', '/v1/controls/stolenCredentials', {
        body: { credentials: [{ email, password: 'hunter2' }] },
      })
      await h.call(o.caller, 'POST', `/v1/employees/${id}/groups`, {
        body: { group: 'Engineers' },
        headers: { 'idempotency-key': `group-${id}` },
      })
    }

    test('an imported ID is found in any case, and not within longer ones', async () => {
      const { org } = o.caller
      const [own, other] = [anApp({ ownerId: 'EMP-7' }), anApp({ ownerId: 'EMP-70' })]
      await put(h, org, employees, [anEmployee({ id: 'EMP-7' }), anEmployee({ id: 'EMP-70' })])
      await put(h, org, apps, [own, other])
      await erase('EMP-7')
      const owners = new Map((await o.list('apps')).map(({ id, ownerId }) => [id, ownerId]))
      expect([owners.get(own.id), owners.get(other.id)]).toEqual([null, 'EMP-70'])
    })

    test('leaves no ID or address of the employee in any table', async () => {
      const { id, email } = o.ada.employee
      await everything(o.ada)
      await everything(bob)
      // References from records of others: a shared account, a profile address, an owned app, a rule.
      await bob.send(
        o.make.login({ email: email.toUpperCase() }),
        o.make.heartbeat(browserFacts({ profileEmail: email })),
      )
      const [app] = await o.list('apps')
      await h.call(o.caller, 'PATCH', `/v1/apps/${app.id}`, { body: { ownerId: id } })
      const rule = { employeeIds: [id, bob.employee.id], mode: 'BLOCK' as const }
      const controls = {
        ...defaultControls,
        contact: email,
        phishingTools: { mode: 'WARN' as const, rules: [rule] },
      }
      await h.db.inTransaction((tx) => writeControls(tx, o.caller.org, controls, unixSeconds(h.clock)))
      const mail = { org: o.caller.org, kind: 'WEBHOOK_SWITCHED_OFF', subject: 'x', facts: {} } as const
      const toHer = { ...mail, address: email.toUpperCase() }
      await h.db.inTransaction((tx) => queueNotices(tx, [toHer], h.clock.nowMs()))
      const filter = {
        list: 'accounts',
        creationTimestamp: unixSeconds(h.clock),
        ownerId: 'any',
        ownerName: null,
        shared: 1,
      }
      const filters = [
        {
          ...filter,
          id: 'a',
          name: 'hers',
          query: `?${new URLSearchParams({ email: email.toUpperCase() })}`,
        },
        { ...filter, id: 'b', name: `of ${email}`, query: '?isActive=true' },
        { ...filter, id: 'c', name: 'of others', query: '?email=team%40example.com' },
      ]
      await h.db.inTransaction(async (tx) => {
        for (const one of filters) await insertSavedFilter(tx, o.caller.org, one)
      })
      const columns = ['org', 'record_id', 'number', 'kind', 'timestamp', 'text']
      const note = (recordId: string, text: string) => [o.caller.org, recordId, 1, 'NOTE', 1, text]
      await h.db.inTransaction((tx) =>
        tx.insert('work_entries', columns, [
          note('of-another', `Ask ${email.toUpperCase()} first.`),
          note('of-nobody', 'Done.'),
        ]),
      )
      expect((await rowsWith([id, email])).length).toBeGreaterThan(10)

      const counts = await erase(id)
      expect(await rowsWith([id, email, encodeURIComponent(email)])).toEqual([])
      expect(counts).toMatchObject({
        employees: 1,
        browsers: 1,
        browserExtensions: 1,
        detections: 1,
        accounts: 1,
        accountsOther: 1,
        addresses: 1,
        enrollmentLinks: 2,
        browserCredentials: 1,
        stolenCredentials: 1,
        notices: 1,
        rawEvents: 8,
        idempotencyKeys: 1,
        savedFilters: 2,
        notes: 1,
      })
      expect(await o.list('employees')).toHaveLength(1)
      expect(await o.list('browsers')).toHaveLength(1)
    })

    test('finds letters beyond A to Z in both cases', async () => {
      const zoe = await o.person({ email: `Zoë.Åse-${o.caller.org}@example.com` })
      const { id, email } = zoe.employee
      await subscribeEndpoint(h, o.caller.org)
      await everything(zoe)
      await bob.send(
        o.make.login({ email: email.toUpperCase() }),
        o.make.login({ email: email.toLowerCase() }),
      )
      expect((await rowsWith([id, email])).length).toBeGreaterThan(10)
      await erase(id)
      expect(await rowsWith([email, encodeURIComponent(email)])).toEqual([])
    })

    test('keeps records of others; transfers shared accounts to them and resolves the sharing', async () => {
      await everything(o.ada)
      await everything(bob)
      const before = await o.list('detections')
      await erase(o.ada.employee.id)
      const team = await o.one('accounts?email=team')
      expect(team.employeeId).toBe(bob.employee.id)
      expect((await o.list(`accounts/${team.id}/usedBy`)).map(({ employeeId }) => employeeId)).toEqual([
        bob.employee.id,
      ])
      expect(await o.one('findings?type=SHARED_ACCOUNT')).toMatchObject({
        state: 'RESOLVED',
        employeeId: bob.employee.id,
      })
      expect(await o.list('detections')).toEqual(
        before.filter(({ employeeId }) => employeeId === bob.employee.id),
      )
      await bob.send(o.make.visit())
    })

    test('resolves reuse on a transferred account', async () => {
      const passwordOf = (digit: string) =>
        aPassword({ passwordId: `${digit.repeat(8)}-0b6f-4c39-9b55-3f6f2f0f8a11` })
      const team = (digit: string) => o.make.login({ email: 'team@example.com', password: passwordOf(digit) })
      const intranet = (email: string, digit: string) =>
        o.make.login({ email, loginUrl: 'https://intranet.example.org/', password: passwordOf(digit) })
      const slack = (digit: string) =>
        o.make.login({
          email: 'all@example.com',
          loginUrl: 'https://slack.com/signin',
          password: passwordOf(digit),
        })
      await bob.send(team('2'), slack('2'))
      await o.ada.send(team('1'), intranet('ada', '1'), slack('3'))
      // Accounts named by her address, whoever uses them.
      await bob.send(slack('4'), intranet(o.ada.employee.email, '4'))
      const reused = async () => (await o.list('findings?type=REUSED_PASSWORD')).map(({ state }) => state)
      expect((await reused()).filter((state) => state === 'OPEN')).toHaveLength(2)
      await erase(o.ada.employee.id)
      expect(await o.list('accounts')).toHaveLength(2)
      expect(new Set(await reused())).toEqual(new Set(['RESOLVED']))
    })

    test('keeps data of employees whose address contains the erased one', async () => {
      const { id, email } = o.ada.employee
      const others = [await o.person({ email: `jo${email}` }), await o.person({ email: `${email}.au` })]
      const looked = others.map((other) => other.employee.email)
      await subscribeEndpoint(h, o.caller.org, ['LOGIN', 'ACCOUNT'])
      const filter = { list: 'accounts', creationTimestamp: unixSeconds(h.clock), ownerName: null, shared: 0 }
      await h.db.inTransaction(async (tx) => {
        for (const address of looked) {
          const query = `?${new URLSearchParams({ email: address })}`
          const row = { ...filter, ownerId: address, id: 'a', name: `of ${address}`, query }
          await insertSavedFilter(tx, o.caller.org, row)
        }
      })
      for (const other of others) await everything(other)
      const remainingRows = async () => {
        const rows = await rowsWith(looked)
        return rows.filter((row) => /^(raw_events_|events|idempotency_keys|saved_filters)/.test(row))
      }
      const before = await remainingRows()
      for (const table of ['raw_events_', 'events', 'idempotency_keys', 'saved_filters'])
        expect(before.some((row) => row.startsWith(table))).toBe(true)
      const counts = await erase(id)
      expect(counts).toMatchObject({ events: 0, rawEvents: 0, idempotencyKeys: 0, savedFilters: 0 })
      const after = await remainingRows()
      expect(before.filter((row) => !after.includes(row))).toEqual([])
    })

    test('deletes stolen credentials of secondary addresses without a merged employee', async () => {
      const email = `other-${o.caller.org}@example.com`
      const person = anEmployee({ secondaryEmails: [email] })
      await put(h, o.caller.org, employees, [person])
      const credentials = [{ email, password: 'hunter2' }]
      await h.call(o.caller, 'POST', '/v1/controls/stolenCredentials', { body: { credentials } })
      expect(await erase(person.id)).toMatchObject({ stolenCredentials: 1 })
    })

    test('deletes events and deliveries about the employee; events of the removal contain only IDs', async () => {
      const { id, email } = o.ada.employee
      const others = eventObjects.filter((object) => eventDeclarationOf(object).category !== 'AUDIT')
      await subscribeEndpoint(h, o.caller.org, others)
      await everything(o.ada)
      await everything(bob)
      await bob.send(o.make.heartbeat(browserFacts({ profileEmail: email })))
      // With many records, events are written before the erase is complete.
      const many = Array.from({ length: 600 }, () => aBrowserExtension({ employeeId: id }))
      await put(h, o.caller.org, browserExtensions, many)
      const before = await eventsWritten(h, o.caller.org)
      const counts = await erase(id)
      expect(counts.events).toBeGreaterThan(10)
      const after = await eventsWritten(h, o.caller.org)
      const added = after.filter((event) => !before.some((known) => known.id === event.id))
      expect(added.map((event) => `${event.object} ${'type' in event && event.type}`)).toEqual(
        expect.arrayContaining(['EMPLOYEE DELETE', 'ACCOUNT DELETE', 'BROWSER DELETE', 'PHISHING DELETE']),
      )
      expect(added).toContainEqual(
        expect.objectContaining({
          object: 'EMPLOYEE',
          old: expect.objectContaining({ id, email: 'erased', firstName: null }),
        }),
      )
      expect(added).toContainEqual(
        expect.objectContaining({
          object: 'BROWSER',
          type: 'UPDATE',
          new: expect.objectContaining({ profileEmail: null }),
        }),
      )
      expect(JSON.stringify(after)).not.toContain(email)
      expect(
        await h.db.get('SELECT count(*) AS count FROM webhook_deliveries WHERE org = ?', [o.caller.org]),
      ).toEqual({
        count: after.length,
      })
    })

    test('erases the merged employees too', async () => {
      await everything(o.ada)
      await everything(bob)
      await h.call(o.caller, 'POST', `/v1/employees/${o.ada.employee.id}/merge`, {
        body: { employeeIds: [bob.employee.id] },
      })
      await erase(o.ada.employee.id)
      expect(await rowsWith([o.ada, bob].flatMap(({ employee }) => [employee.id, employee.email]))).toEqual(
        [],
      )
      expect(await o.list('employees')).toEqual([])
      expect(await o.list('accounts')).toEqual([])
    })
  })
}
