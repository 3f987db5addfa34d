import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import {
  employeeOfAddress,
  isAddressTaken,
  putAddress,
} from '../../modules/employees/employee-addresses.service.ts'
import { insertRecord, readRecordText } from './records.ts'
import type { Tx } from './sql.ts'

for (const store of STORES) {
  describe(`${store}: rows written without waiting`, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeEach(async () => {
      caller = await h.addCaller()
    })

    const add = async (tx: Tx, email: string): Promise<string> => {
      const record = anEmployee({ email, groups: ['All', email] })
      putAddress(tx, caller.org, email, record.id)
      await insertRecord(tx, employees, caller.org, {
        id: record.id,
        record,
        createdAtSeconds: 1_700_000_000,
      })
      return record.id
    }
    const listed = async (query: string): Promise<{ id: string; email: string }[]> =>
      (await h.call(caller, 'GET', `/v1/employees?limit=1000${query}`)).body['the service']

    test('a conflict fails only its own transaction among many concurrent ones', async () => {
      const emails = Array.from({ length: 100 }, (_, at) => `person.${at % 90}@example.com`)
      const outcomes = await Promise.allSettled(
        emails.map((email) => h.db.inTransaction((tx) => add(tx, email))),
      )
      const refused = outcomes.filter(({ status }) => status === 'rejected')
      expect(refused.map((outcome) => isAddressTaken(Reflect.get(outcome, 'reason')))).toEqual(
        Array.from({ length: 10 }, () => true),
      )
      const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect((await listed('')).map(({ id }) => id).toSorted()).toEqual(done.toSorted())
      expect(await listed('&group=All')).toHaveLength(90)
      const [found] = await listed('&group=person.42@example.com&email=person.42@')
      expect(await employeeOfAddress(h.db, caller.org, 'person.42@example.com')).toBe(found?.id)
    })

    test('concurrent inserts into different collections do not mix', async () => {
      const created = Array.from({ length: 20 }, () => anApp({ labels: ['One', 'Two'] }))
      await Promise.all([
        ...created.map((record) =>
          h.db.inTransaction((tx) =>
            insertRecord(tx, apps, caller.org, { id: record.id, record, createdAtSeconds: 1 }),
          ),
        ),
        ...created.map((_, at) => h.db.inTransaction((tx) => add(tx, `${at}@example.com`))),
      ])
      const found = await h.call(caller, 'GET', '/v1/apps?limit=1000&labels=one&labels=two')
      expect(found.body['the service']).toHaveLength(20)
      expect(await listed('')).toHaveLength(20)
    })

    test('a transaction reads its own rows', async () => {
      const text = await h.db.inTransaction(async (tx) => {
        const id = await add(tx, 'ada@example.com')
        return readRecordText(tx, employees, caller.org, id)
      })
      expect(JSON.parse(text ?? '{}')).toMatchObject({ email: 'ada@example.com' })
    })

    test('a failed transaction leaves no rows, whether it read them or not', async () => {
      const failing = (reads: boolean) =>
        h.db.inTransaction(async (tx) => {
          const id = await add(tx, 'ada@example.com')
          if (reads) await readRecordText(tx, employees, caller.org, id)
          throw new Error('canceled')
        })
      await expect(failing(true)).rejects.toThrow('canceled')
      await expect(failing(false)).rejects.toThrow('canceled')
      expect(await listed('')).toEqual([])
      expect(await employeeOfAddress(h.db, caller.org, 'ada@example.com')).toBeUndefined()
    })

    test('a conflict fails its transaction, even if the transaction reads afterwards', async () => {
      await h.db.inTransaction((tx) => add(tx, 'ada@example.com'))
      const again = h.db.inTransaction(async (tx) => {
        await add(tx, 'new@example.com')
        const id = await add(tx, 'ada@example.com')
        return readRecordText(tx, employees, caller.org, id)
      })
      await expect(again).rejects.toSatisfy(isAddressTaken)
      expect((await listed('')).map(({ email }) => email)).toEqual(['ada@example.com'])
    })
  })
}
