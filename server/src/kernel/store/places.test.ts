import { usedBy } from '@muster/contract/account'
import { blockedUrls } from '@muster/contract/blocked-url'
import type { Collection } from '@muster/contract/collection'
import { employees } from '@muster/contract/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { plansOf, type Statement } from '../../../../test/support/query-plans.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { takePlaces } from './places.ts'
import { getRecord, insertRecord, insertRecords, updateRecord } from './records.ts'
import { numbersPerSecond, secondOfSequence, sequenceOf } from './sequence.ts'
import type { Tx } from './sql.ts'
import { tableOf } from './tables.ts'

const second = 1_700_000_000

for (const store of STORES) {
  describe(`${store}: places in the order of creation`, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeEach(async () => {
      caller = await h.addCaller()
    })

    /** Lets the next number of the store be this one. */
    const countOnFrom = (number: number) =>
      h.db.inTransaction(async (tx) => {
        // As many as are taken ahead of the counter at most.
        await tx.takeNumbers(64)
        const sql =
          store === 'postgres'
            ? "SELECT setval('record_numbers', ?::bigint, false)"
            : "UPDATE counters SET value = ? WHERE name = 'records' RETURNING value"
        await tx.all(sql, [number])
      })
    const seqsOf = async (org = caller.org) => {
      const rows = await h.db.all<{ seq: number }>('SELECT seq FROM employees WHERE org = ? ORDER BY seq', [
        org,
      ])
      return rows.map(({ seq }) => Number(seq))
    }
    /** Lets the store's numbers go round, to those of the employees that are there. */
    const goRound = async () =>
      countOnFrom(((await seqsOf())[0] ?? 0) - sequenceOf(second, 0) + numbersPerSecond * 3)
    const people = (count: number, creationTimestamp = second) =>
      Array.from({ length: count }, () => anEmployee({ creationTimestamp, groups: ['All'] }))
    const add = (tx: Tx, records: ReturnType<typeof people>) =>
      insertRecords(
        tx,
        employees,
        caller.org,
        records.map((record) => ({ id: record.id, record, createdAtSeconds: record.creationTimestamp })),
      )
    const listed = async (query = ''): Promise<string[]> => {
      const window = `creationTimestampAfter=${second}&creationTimestampBefore=${second + 1}`
      const { body } = await h.call(caller, 'GET', `/v1/employees?limit=1000&group=All&${window}${query}`)
      return body['the service'].map(({ id }: { id: string }) => id)
    }

    test('that others of the same second have are passed by, once the numbers have gone round', async () => {
      const first = people(30)
      await h.db.inTransaction((tx) => add(tx, first))
      await goRound()
      const second = people(20)
      const elsewhere = people(5, 1_600_000_000)
      await h.db.inTransaction((tx) => add(tx, [...second, ...elsewhere]))
      await h.db.inTransaction((tx) => add(tx, people(40)))
      expect(new Set(await seqsOf()).size).toBe(95)
      const found = await listed()
      expect(found).toHaveLength(90)
      expect(found.slice(0, 50)).toEqual([...first, ...second].map(({ id }) => id))
    })

    test('are free for records that are added one by one, by many at once', async () => {
      await h.db.inTransaction((tx) => add(tx, people(20)))
      await goRound()
      const singles = people(30)
      await Promise.all(
        singles.map((record) =>
          h.db.inTransaction((tx) =>
            insertRecord(tx, employees, caller.org, { id: record.id, record, createdAtSeconds: second }),
          ),
        ),
      )
      expect(await listed()).toHaveLength(50)
    })

    test('are kept by records that lists leave out', async () => {
      const [merged, ...others] = people(10)
      if (!merged) throw new Error('nobody')
      await h.db.inTransaction((tx) => add(tx, [merged, ...others]))
      const unlisted = (hidden: boolean) =>
        h.db.inTransaction(async (tx) => {
          const stored = await getRecord(tx, employees, caller.org, merged.id)
          if (stored) await updateRecord(tx, employees, caller.org, stored, { unlisted: hidden })
        })
      await unlisted(true)
      await goRound()
      await h.db.inTransaction((tx) => add(tx, people(5)))
      await unlisted(false)
      expect(await listed()).toHaveLength(15)
    })

    test('are looked for once: those that come next go on behind them', async () => {
      await h.db.inTransaction((tx) => add(tx, people(3_000)))
      await goRound()
      const [before = 0] = await h.db.inTransaction((tx) => tx.takeNumbers(1))
      await h.db.inTransaction((tx) => add(tx, people(10)))
      const [after = 0] = await h.db.inTransaction((tx) => tx.takeNumbers(1))
      expect(after - before).toBeGreaterThanOrEqual(3_000)
      expect(await listed()).toHaveLength(1_000)
    })

    test('are looked for by an index', async () => {
      const statements: Statement[] = []
      await h.db.inTransaction((tx) => add(tx, people(200)))
      await goRound()
      await h.db.inTransaction((tx) => {
        const noting: Tx = {
          ...tx,
          all: (sql, params = []) => {
            statements.push({ sql, params })
            return tx.all(sql, params)
          },
        }
        return takePlaces(noting, employees, caller.org, [second, second])
      })
      expect(statements).toHaveLength(4)
      expect(await plansOf(h.db, statements)).toEqual([])
    })

    describe('of a second that has eight', () => {
      const take = (collection: Collection, count: number, at = second) =>
        h.db.inTransaction(async (tx) => {
          const places = await takePlaces(tx, collection, caller.org, Array(count).fill(at), 8)
          const { name, privates } = tableOf(collection)
          await tx.insert(
            name,
            ['org', 'unlisted', 'seq', 'id', ...privates.map((column) => column.name), 'record'],
            places.map((seq) => [caller.org, 0, seq, `${at} ${seq}`, ...privates.map(() => null), '{}']),
          )
          return places
        })

      test('all are taken, and then it is said which second is full', async () => {
        await countOnFrom(numbersPerSecond * 5 + 3)
        const places = [...(await take(blockedUrls, 5)), ...(await take(blockedUrls, 3))]
        expect(places.toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => sequenceOf(second, at)))
        await expect(take(blockedUrls, 1)).rejects.toMatchObject({
          name: 'StoreUnavailableError',
          second,
          message: expect.stringContaining('in 1700000000 (2023-11-14T22:13:20.000Z) as many were'),
        })
        expect(await take(blockedUrls, 2, second + 1)).toHaveLength(2)
      })

      test('users of accounts, who have no time of creation, go on in the next one', async () => {
        const places = [...(await take(usedBy, 6)), ...(await take(usedBy, 6))]
        expect(new Set(places).size).toBe(12)
        expect(places.map(secondOfSequence).toSorted()).toEqual([
          ...Array(8).fill(second),
          ...Array(4).fill(second + 1),
        ])
      })
    })
  })
}
