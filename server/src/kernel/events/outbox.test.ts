import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeEvent } from '@muster/contract/events/event-compose'
import { type EventObject, exampleEventOf } from '@muster/contract/events/event-objects'
import { apps } from '@muster/contract/records/app'
import { browsers } from '@muster/contract/records/browser'
import { type Employee, employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { aBrowser, anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { eventsWritten, subscribeEndpoint } from '../../../../test/support/outbox-events.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { addOrganization } from '../organizations/organizations.ts'
import { openStore } from '../store/lifecycle/open.ts'
import {
  getRecord,
  insertRecord,
  insertRecords,
  removeAllRecords,
  removeRecord,
  type Stored,
  updateRecord,
} from '../store/records.ts'
import type { Tx } from '../store/sql.ts'
import { changeText, nobody } from './event-changes.ts'
import { emitComposedEvent, emitEvent, muteChanges } from './outbox.ts'

const types = ['CREATE', 'UPDATE', 'DELETE'] as const

test('a subscription of another process applies from the next change on', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-test-'))
  const [one, other] = [await openStore({ dataDir }, 1), await openStore({ dataDir }, 1)]
  const { no } = await one.inTransaction((tx) => addOrganization(tx, 'o', 'o', 1))
  const add = () =>
    one.inTransaction((tx) => {
      const record = anEmployee()
      return insertRecord(tx, employees, no, { id: record.id, record, createdAtSeconds: 1 })
    })
  await add()
  await subscribeEndpoint({ db: other }, no)
  await add()
  expect(await eventsWritten({ db: one }, no)).toHaveLength(1)
  await one.close()
  await other.close()
  rmSync(dataDir, { recursive: true })
})

test.each(types)('changeText returns the same JSON as composeEvent for %s', (type) => {
  const { id, timestamp } = exampleEventOf('APP')
  const app = anApp({ notes: 'Quotes " and ünïcode' })
  const [next, old] = [type === 'DELETE' ? null : app, type === 'CREATE' ? null : app]
  const facts = { id, timestamp, type, new: next, old }
  const change = { id: app.id, before: old, after: next, text: next && JSON.stringify(next) }
  expect(changeText('APP', { id, timestamp, type, change, old, people: nobody })).toBe(
    JSON.stringify(composeEvent('APP', facts as never)),
  )
})

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number
    beforeEach(async () => {
      org = (await h.addCaller()).org
    })
    const change = <T>(work: (tx: Tx) => Promise<T>) => h.db.inTransaction(work)
    const created = { createdAtSeconds: 1 }
    const add = (tx: Tx, record: Employee) =>
      insertRecord(tx, employees, org, { id: record.id, record, ...created })
    const added = async (record = anEmployee()): Promise<Employee> => {
      await change((tx) => add(tx, record))
      return record
    }
    const stored = async (tx: Tx, id: string): Promise<Stored<Employee>> => {
      const found = await getRecord(tx, employees, org, id)
      if (!found) throw new Error(`record not found: ${id}`)
      return found
    }
    const alter = async (tx: Tx, id: string, members: Partial<Employee>) => {
      const before = await stored(tx, id)
      await updateRecord(tx, employees, org, before, { record: { ...before.record, ...members } })
    }
    const writtenEvents = async () =>
      (await eventsWritten(h, org)).map((event) =>
        'type' in event ? `${event.type} ${event.object}` : event.object,
      )
    const deliveries = (of = org) =>
      h.db.all<{ webhook: string; event: string; state: string; due: number }>(
        `SELECT webhook_id AS webhook, event_id AS event, state, due_ms AS due FROM webhook_deliveries
         WHERE org = ? ORDER BY event_id, webhook_id`,
        [of],
      )

    test('writes no events without subscribers, nor for another organization', async () => {
      const other = (await h.addCaller()).org
      await subscribeEndpoint(h, other)
      await added()
      expect(await writtenEvents()).toEqual([])
      expect(await eventsWritten(h, other)).toEqual([])
    })

    test('writes events from the first change after a subscription, with a delivery for each endpoint', async () => {
      await added()
      const one = await subscribeEndpoint(h, org, ['EMPLOYEE'])
      const other = await subscribeEndpoint(h, org)
      const employee = await added()
      await change((tx) => insertRecord(tx, apps, org, { id: 'a', record: anApp(), ...created }))
      const [ofEmployee, ofApp, ...more] = await eventsWritten(h, org)
      expect(more).toEqual([])
      expect(ofEmployee).toMatchObject({ object: 'EMPLOYEE', type: 'CREATE', new: employee, old: null })
      expect(ofEmployee?.timestamp).toBe(Math.floor(h.clock.nowMs() / 1000))
      const waits = { state: 'PENDING', due: h.clock.nowMs() }
      expect(await deliveries()).toEqual([
        ...[one, other].sort().map((webhook) => ({ webhook, event: ofEmployee?.id, ...waits })),
        { webhook: other, event: ofApp?.id, ...waits },
      ])
    })

    test('writes no events after the last subscription is removed', async () => {
      await subscribeEndpoint(h, org)
      await added()
      await change((tx) => tx.run('DELETE FROM webhook_wishes WHERE org = ?', [org]))
      await added()
      expect(await writtenEvents()).toEqual(['CREATE EMPLOYEE'])
    })

    test('ignores a subscription that was rolled back', async () => {
      const undone = change(async (tx) => {
        await tx.insert('webhook_wishes', ['org', 'object', 'webhook_id'], [[org, 'EMPLOYEE', 'nobody']])
        await add(tx, anEmployee())
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      await added()
      expect(await writtenEvents()).toEqual([])
      await subscribeEndpoint(h, org)
      await added()
      expect(await writtenEvents()).toEqual(['CREATE EMPLOYEE'])
    })

    test('merges the changes of a record in one transaction into one event', async () => {
      await subscribeEndpoint(h, org)
      const before = await added()
      await change(async (tx) => {
        await alter(tx, before.id, { firstName: 'A' })
        await alter(tx, before.id, { lastName: 'B' })
        const brief = anEmployee()
        await add(tx, brief)
        await removeRecord(tx, employees, org, await stored(tx, brief.id))
        const created = anEmployee()
        await add(tx, created)
        await alter(tx, created.id, { firstName: 'C' })
      })
      const [, updated, createdEvent, ...more] = await eventsWritten(h, org)
      expect(more).toEqual([])
      expect(updated).toMatchObject({
        type: 'UPDATE',
        old: before,
        new: { ...before, firstName: 'A', lastName: 'B' },
      })
      expect(createdEvent).toMatchObject({ type: 'CREATE', old: null, new: { firstName: 'C' } })
    })

    test('writes no event if only private or ignored members change, but includes them in other events', async () => {
      await subscribeEndpoint(h, org)
      const employee = await added()
      const browser = aBrowser({ lastOnlineTimestamp: 1 })
      const app = anApp({ notes: '', labels: [] })
      await change(async (tx) => {
        await insertRecord(tx, browsers, org, { id: browser.id, record: browser, ...created })
        await insertRecord(tx, apps, org, { id: app.id, record: app, ...created })
      })
      const touch = (members: object, more: object = {}) =>
        change(async (tx) => {
          const one = await stored(tx, employee.id)
          await updateRecord(tx, employees, org, one, {
            record: { ...one.record, groups: [...one.record.groups] },
            internal: { typedHistory: 'x' },
          })
          const before = await getRecord(tx, browsers, org, browser.id)
          if (before)
            await updateRecord(tx, browsers, org, before, { record: { ...before.record, ...members } })
          const known = await getRecord(tx, apps, org, app.id)
          if (known)
            await updateRecord(tx, apps, org, known, { record: { ...known.record, notes: 'n', ...more } })
        })
      await touch({ lastOnlineTimestamp: 2 })
      expect(await writtenEvents()).toEqual(['CREATE EMPLOYEE', 'CREATE BROWSER', 'CREATE APP'])
      await touch({ lastOnlineTimestamp: 3, version: '9' }, { labels: ['GenAI'] })
      const [, , , ofBrowser, ofApp] = await eventsWritten(h, org)
      expect(ofBrowser).toMatchObject({ type: 'UPDATE', new: { lastOnlineTimestamp: 3, version: '9' } })
      expect(ofApp).toMatchObject({ old: { notes: 'n', labels: [] }, new: { notes: 'n', labels: ['GenAI'] } })
    })

    test('a failed transaction leaves no event and no delivery, and notifies no listener', async () => {
      await subscribeEndpoint(h, org)
      const known = await added()
      const before = await deliveries()
      const notified: true[] = []
      const stop = h.db.onEvents(() => void notified.push(true))
      const late = change(async (tx) => {
        await alter(tx, known.id, { firstName: 'A' })
        await add(tx, anEmployee())
        throw new Error('too late')
      })
      await expect(late).rejects.toThrow('too late')
      await expect(added(known)).rejects.toThrow('not unique')
      stop()
      expect(notified).toEqual([])
      expect(await writtenEvents()).toEqual(['CREATE EMPLOYEE'])
      expect(await deliveries()).toEqual(before)
    })

    test('writes the events of many changes in batches, each once', async () => {
      await subscribeEndpoint(h, org)
      const many = Array.from({ length: 1203 }, () => anEmployee())
      await change(async (tx) => {
        const rows = many.map((record) => ({ id: record.id, record, ...created }))
        await insertRecords(tx, employees, org, rows)
      })
      const events = await eventsWritten(h, org)
      expect(events.map((event) => event.new)).toEqual(many)
      expect(await deliveries()).toHaveLength(many.length)
      await change((tx) => removeAllRecords(tx, employees, org))
      expect((await writtenEvents()).filter((line) => line === 'DELETE EMPLOYEE')).toHaveLength(many.length)
    })

    test('composes emitted events with their description, and writes composed events unchanged', async () => {
      await subscribeEndpoint(h, org, ['LOGIN', 'EMPLOYEE_ADDED'] satisfies EventObject[])
      const login = exampleEventOf('LOGIN').new
      const audit = exampleEventOf('EMPLOYEE_ADDED')
      const { id, timestamp } = audit
      await change(async (tx) => {
        await emitEvent(tx, org, 'LOGIN', { timestamp: 7, new: login })
        await emitComposedEvent(tx, org, 'EMPLOYEE_ADDED', { id, timestamp, body: JSON.stringify(audit) })
        await emitEvent(tx, org, 'APP_BANNER', { timestamp: 7, new: exampleEventOf('APP_BANNER').new })
      })
      const events = await eventsWritten(h, org)
      expect(events).toHaveLength(2)
      expect(events).toContainEqual(audit)
      expect(events).toContainEqual(
        expect.objectContaining({
          timestamp: 7,
          description:
            'ada.byron@example.com signed in to Zapier with a password from 203.0.113.7 (Chrome on macOS).',
          new: login,
        }),
      )
    })

    test('muteChanges suppresses change events, but not emitted events', async () => {
      await subscribeEndpoint(h, org)
      const audit = exampleEventOf('SETTING_UPDATED')
      const { id, timestamp } = audit
      await change(async (tx) => {
        muteChanges(tx)
        await add(tx, anEmployee())
        await emitComposedEvent(tx, org, 'SETTING_UPDATED', { id, timestamp, body: JSON.stringify(audit) })
      })
      expect(await writtenEvents()).toEqual(['SETTING_UPDATED'])
    })

    test('notifies listeners after the commit of events', async () => {
      await subscribeEndpoint(h, org)
      const seen: Promise<number>[] = []
      const stop = h.db.onEvents(() => void seen.push(deliveries().then(({ length }) => length)))
      await added()
      await change(async (tx) => void (await tx.all('SELECT 1 AS one')))
      expect(await Promise.all(seen)).toEqual([1])
      stop()
      await added()
      expect(seen).toHaveLength(1)
    })
  })
}
