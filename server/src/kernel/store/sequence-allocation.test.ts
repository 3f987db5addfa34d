import type { Collection } from '@muster/contract/api/collection'
import { usedBy } from '@muster/contract/records/account'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { plansOf, type Statement } from '../../../../test/support/query-plans.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { getRecord, insertRecord, insertRecords, updateRecord } from './records.ts'
import { numbersPerSecond, secondOfSequence, sequenceOf } from './sequence.ts'
import { allocateSequenceNumbers } from './sequence-allocation.ts'
import type { Tx } from './sql.ts'
import { tableOf } from './tables.ts'

const second = 1_700_000_000

for (const store of STORES) {
  describe(`${store}: sequence numbers`, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeEach(async () => {
      caller = await h.addCaller()
    })

    /** Sets the counter of the store to a number. */
    const setCounter = (number: number) =>
      h.db.inTransaction(async (tx) => {
        // Uses up the numbers that the server has reserved, 64 at most.
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
    /** Wraps the counter around to the numbers of the existing employees. */
    const wrapAround = async () =>
      setCounter(((await seqsOf())[0] ?? 0) - sequenceOf(second, 0) + numbersPerSecond * 3)
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

    test('that are in use in the same second are skipped after the counter has wrapped around', async () => {
      const first = people(30)
      await h.db.inTransaction((tx) => add(tx, first))
      await wrapAround()
      const second = people(20)
      const elsewhere = people(5, 1_600_000_000)
      await h.db.inTransaction((tx) => add(tx, [...second, ...elsewhere]))
      await h.db.inTransaction((tx) => add(tx, people(40)))
      expect(new Set(await seqsOf()).size).toBe(95)
      const found = await listed()
      expect(found).toHaveLength(90)
      expect(found.slice(0, 50)).toEqual([...first, ...second].map(({ id }) => id))
    })

    test('are unique for single records that are added concurrently', async () => {
      await h.db.inTransaction((tx) => add(tx, people(20)))
      await wrapAround()
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

    test('stay in use by hidden records', async () => {
      const [merged, ...others] = people(10)
      if (!merged) throw new Error('nobody')
      await h.db.inTransaction((tx) => add(tx, [merged, ...others]))
      const setHidden = (hidden: boolean) =>
        h.db.inTransaction(async (tx) => {
          const stored = await getRecord(tx, employees, caller.org, merged.id)
          if (stored) await updateRecord(tx, employees, caller.org, stored, { hidden })
        })
      await setHidden(true)
      await wrapAround()
      await h.db.inTransaction((tx) => add(tx, people(5)))
      await setHidden(false)
      expect(await listed()).toHaveLength(15)
    })

    test('are searched once: later records start after the used numbers', async () => {
      await h.db.inTransaction((tx) => add(tx, people(3_000)))
      await wrapAround()
      const [before = 0] = await h.db.inTransaction((tx) => tx.takeNumbers(1))
      await h.db.inTransaction((tx) => add(tx, people(10)))
      const [after = 0] = await h.db.inTransaction((tx) => tx.takeNumbers(1))
      expect(after - before).toBeGreaterThanOrEqual(3_000)
      expect(await listed()).toHaveLength(1_000)
    })

    test('are checked through an index', async () => {
      const statements: Statement[] = []
      await h.db.inTransaction((tx) => add(tx, people(200)))
      await wrapAround()
      await h.db.inTransaction((tx) => {
        const recording: Tx = {
          ...tx,
          all: (sql, params = []) => {
            statements.push({ sql, params })
            return tx.all(sql, params)
          },
        }
        return allocateSequenceNumbers(recording, employees, caller.org, [second, second])
      })
      expect(statements).toHaveLength(4)
      expect(await plansOf(h.db, statements)).toEqual([])
    })

    describe('with eight numbers per second', () => {
      const take = (collection: Collection, count: number, at = second) =>
        h.db.inTransaction(async (tx) => {
          const seqs = await allocateSequenceNumbers(tx, collection, caller.org, Array(count).fill(at), 8)
          const { name, internal } = tableOf(collection)
          await tx.insert(
            name,
            ['org', 'unlisted', 'seq', 'id', ...internal.map((column) => column.name), 'record'],
            seqs.map((seq) => [caller.org, 0, seq, `${at} ${seq}`, ...internal.map(() => null), '{}']),
          )
          return seqs
        })

      test('are all used before an error names the exhausted second', async () => {
        await setCounter(numbersPerSecond * 5 + 3)
        const seqs = [...(await take(blockedUrls, 5)), ...(await take(blockedUrls, 3))]
        expect(seqs.toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => sequenceOf(second, at)))
        await expect(take(blockedUrls, 1)).rejects.toMatchObject({
          name: 'StoreUnavailableError',
          second,
          message: expect.stringContaining('created at 1700000000 (2023-11-14T22:13:20.000Z) are in use'),
        })
        expect(await take(blockedUrls, 2, second + 1)).toHaveLength(2)
      })

      test('continue in the next second for users of accounts, which have no creation time', async () => {
        const seqs = [...(await take(usedBy, 6)), ...(await take(usedBy, 6))]
        expect(new Set(seqs).size).toBe(12)
        expect(seqs.map(secondOfSequence).toSorted()).toEqual([
          ...Array(8).fill(second),
          ...Array(4).fill(second + 1),
        ])
      })
    })
  })
}
