import { employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { listRecords } from '../query/list.ts'
import { defaultLimits } from '../query/plan.ts'
import { getRecord, insertRecord, removeAllRecords, removeRecord, updateRecord } from './records.ts'
import type { Tx } from './sql.ts'

/** Limits that force a lookup in the substring index. By default, a table as small as this is scanned. */
const limits = { ...defaultLimits, sampleRows: 1, sampleHits: 2, mainThreadOffset: 2000 }

for (const store of STORES) {
  describe(`${store}: substrings`, () => {
    const h = useHarness(store)
    let caller: Caller
    const change = <T>(work: (tx: Tx) => Promise<T>) => h.db.inTransaction(work)
    beforeEach(async () => {
      caller = await h.addCaller()
      // The first records match no search here, so a sample has no hits and matches must be looked up.
      for (const email of ['first', 'second', 'third']) await add(`${email}@elsewhere.test`)
    })

    const add = (email: string): Promise<string> =>
      change(async (tx) => {
        const record = anEmployee({ email })
        await insertRecord(tx, employees, caller.org, { id: record.id, record, createdAtSeconds: 1 })
        return record.id
      })
    const moveTo = (id: string, email: string) =>
      change(async (tx) => {
        const stored = await getRecord(tx, employees, caller.org, id)
        if (stored)
          await updateRecord(tx, employees, caller.org, stored, { record: { ...stored.record, email } })
      })
    const remove = (id: string) =>
      change(async (tx) => {
        const stored = await getRecord(tx, employees, caller.org, id)
        if (stored) await removeRecord(tx, employees, caller.org, stored)
      })
    const found = async (email: string, offset = 0): Promise<string[]> => {
      const request = { collection: employees, org: caller.org, after: 0, limit: 1000, offset }
      const { bytes } = await listRecords(h.db, { ...request, filters: { email } }, limits)
      return JSON.parse(`[${Buffer.from(bytes)}]`).map((record: { email: string }) => record.email)
    }

    test('of single new records are found immediately, and after they are indexed', async () => {
      const emails = Array.from({ length: 150 }, (_, at) => `person.${at}@example.com`)
      for (const [at, email] of emails.entries()) {
        await add(email)
        expect(await found(email)).toEqual([email])
        expect(await found('@EXAMPLE.com')).toHaveLength(at + 1)
      }
      expect(await found('@example.com')).toEqual(emails)
      expect(await found('@example.com', 140)).toEqual(emails.slice(140))
    })

    test('of changed or removed records are no longer found, whether pending or indexed', async () => {
      const ids: string[] = []
      for (let at = 0; at < 70; at++) ids.push(await add(`person.${at}@example.com`))
      for (const at of [0, 69]) {
        await moveTo(ids[at] ?? '', `moved.${at}@example.org`)
        expect(await found(`person.${at}@`)).toEqual([])
        expect(await found('@example.org')).toEqual([`moved.${at}@example.org`])
        await remove(ids[at] ?? '')
        expect(await found('@example.org')).toEqual([])
      }
      await remove(ids[1] ?? '')
      await remove(ids[68] ?? '')
      expect(await found('@example.com')).toHaveLength(66)
      await change((tx) => removeAllRecords(tx, employees, caller.org))
      expect(await found('@example.com')).toEqual([])
    })

    test('of another organization are never found', async () => {
      const other = await h.addCaller()
      await add('ada@example.com')
      const call = await h.call(other, 'GET', '/v1/employees?email=ada')
      expect(call.body['the service']).toEqual([])
      expect(await found('ada@')).toEqual(['ada@example.com'])
    })
  })
}
