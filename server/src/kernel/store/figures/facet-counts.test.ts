import { randomUUID } from 'node:crypto'
import { collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import { accounts } from '@muster/contract/records/account'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { describe, expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { aFinding, anAccount, anEmployee, put } from '../../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../../test/support/harness.ts'
import { type AnyRecord, randomRecord } from '../../../../../test/support/random-records.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { bulkLoad } from '../bulk/bulk-load.ts'
import { countRecords } from '../count.ts'
import { getRecord, insertRecords, removeAllRecords, removeRecord, updateRecord } from '../records.ts'
import type { Tx } from '../sql.ts'
import { tableOf } from '../tables.ts'
import { applyFacetCountChanges, facetsOf, readFacetCounts } from './facet-counts.ts'

/** A step that changes records. The number chooses the record, the score is that of a finding, account or employee. */
interface Step {
  readonly kind: 'add' | 'change' | 'score' | 'hide' | 'remove' | 'apply'
  readonly at: number
  readonly record: AnyRecord
  readonly score: number | null
}

const anyStep = (collection: Collection): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constantFrom('add', 'add', 'change', 'score', 'hide', 'remove', 'apply'),
    at: fc.nat(9),
    record: randomRecord(collection),
    score: fc.constantFrom(null, 0, 25, 90),
  })

const scoreOf: Readonly<Record<string, string>> = {
  findings: 'priorityScore',
  accounts: 'riskScore',
  employees: 'riskScore',
}

const counted = (Object.values(collections) as readonly Collection[]).filter(
  (collection) => facetsOf(collection).length > 0,
)

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    const run = async (tx: Tx, collection: Collection, org: number, ids: string[], step: Step) => {
      const { kind, at, record, score } = step
      if (kind === 'apply') return applyFacetCountChanges(tx)
      if (kind === 'add') {
        const added = Array.from({ length: 1 + (at % 3) }, () => ({
          id: randomUUID(),
          record,
          createdAtSeconds: 1_763_712_000,
        }))
        ids.push(...added.map(({ id }) => id))
        return insertRecords(tx, collection, org, added)
      }
      const id = ids[at % Math.max(1, ids.length)]
      const stored = id === undefined ? undefined : await getRecord(tx, collection, org, id)
      if (!stored) return
      const name = scoreOf[collection.name]
      if (kind === 'change') await updateRecord(tx, collection, org, stored, { record })
      if (kind === 'score' && name)
        await updateRecord(tx, collection, org, stored, { internal: { [name]: score } })
      if (kind === 'hide') await updateRecord(tx, collection, org, stored, { hidden: at % 2 === 0 })
      if (kind === 'remove') await removeRecord(tx, collection, org, stored)
    }

    const kept = async (collection: Collection, org: number) => {
      const counts = await readFacetCounts(h.db, collection, org)
      return new Map(
        counts
          .filter(({ records }) => records !== 0)
          .map(({ values, records }) => [JSON.stringify(Object.values(values)), records]),
      )
    }

    /** Counts the listed rows of a table by the values of their facets. */
    const inTable = async (collection: Collection, org: number) => {
      const columns = facetsOf(collection).map((facet) => (facet === 'password_seen' ? 'password_id' : facet))
      const rows = await h.db.all<Record<string, string | number | null>>(
        `SELECT ${columns.join(', ')} FROM ${tableOf(collection).name} WHERE org = ? AND unlisted = 0`,
        [org],
      )
      const keys = rows.map((row) =>
        JSON.stringify(
          columns.map((name) => (name === 'password_id' ? Number(row[name] !== null) : row[name])),
        ),
      )
      return new Map([...Map.groupBy(keys, (key) => key)].map(([key, some]) => [key, some.length]))
    }

    test.each(counted)('$name are counted by facets after any changes', async (collection) => {
      let organizations = 0
      const steps = fc.array(fc.array(anyStep(collection), { maxLength: 6 }), { maxLength: 6 })
      const property = fc.asyncProperty(steps, async (transactions) => {
        organizations += 1
        const org = await h.addOrganization(`${collection.name} ${organizations}`)
        const ids: string[] = []
        for (const some of transactions)
          await h.db.inTransaction(async (tx) => {
            for (const step of some) await run(tx, collection, org, ids, step)
          })
        const right = await inTable(collection, org)
        expect(await kept(collection, org)).toEqual(right)
        await h.db.inTransaction(applyFacetCountChanges)
        expect(await kept(collection, org)).toEqual(right)
        await h.db.inTransaction((tx) => removeAllRecords(tx, collection, org))
        expect(await kept(collection, org)).toEqual(new Map())
      })
      await fc.assert(property, { numRuns: 12 })
    })

    test('transactions at once lose no change, also while changes are applied', async () => {
      const org = await h.addOrganization('at once')
      const stored = Array.from({ length: 20 }, (_, at) => anAccount({ mfaRegistered: at % 2 === 0 }))
      await put(h, org, accounts, stored)
      const change = ({ id }: { id: string }, mfaRegistered: boolean) =>
        h.db.inTransaction(async (tx) => {
          const account = await getRecord(tx, accounts, org, id)
          if (!account) throw new Error('the account is gone')
          await updateRecord(tx, accounts, org, account, { record: { ...account.record, mfaRegistered } })
        })
      for (const registered of [true, false, true])
        await Promise.all([
          ...stored.map((account) => change(account, registered)),
          h.db.inTransaction(applyFacetCountChanges),
          put(h, org, accounts, [anAccount({ mfaRegistered: null })]),
        ])
      expect(await kept(accounts, org)).toEqual(await inTable(accounts, org))
      expect(await countRecords(h.db, accounts, org)).toBe(23)
    })

    test('a rolled back transaction changes no count', async () => {
      const org = await h.addOrganization('rolled back')
      await put(h, org, accounts, [anAccount()])
      const work = h.db.inTransaction(async (tx) => {
        await removeAllRecords(tx, accounts, org)
        throw new Error('on purpose')
      })
      await expect(work).rejects.toThrow('on purpose')
      expect(await countRecords(h.db, accounts, org)).toBe(1)
    })

    test('counts of one organization have nothing of another', async () => {
      const [one, other] = [await h.addOrganization('one'), await h.addOrganization('other')]
      await put(h, one, findings, [aFinding(), aFinding()])
      expect(await countRecords(h.db, findings, one)).toBe(2)
      expect(await countRecords(h.db, findings, other)).toBe(0)
    })
  })

  describe(`${store}, a bulk load`, () => {
    const h = useHarness(store)

    test('counts what it has loaded, also beside a table that was not empty', async () => {
      const org = await h.addOrganization('bulk')
      await put(h, org, findings, [aFinding({ state: 'OPEN' })])
      const row = <R extends { id: string }>(record: R) => ({
        id: record.id,
        record,
        createdAtSeconds: 1_763_712_000,
      })
      await h.db.inTransaction((tx) =>
        bulkLoad(tx, [accounts, employees, findings], async () => {
          await insertRecords(tx, accounts, org, [row(anAccount()), row(anAccount())])
          await insertRecords(tx, employees, org, [row(anEmployee())])
          await insertRecords(tx, findings, org, [row(aFinding({ state: 'RESOLVED' }))])
        }),
      )
      await put(h, org, accounts, [anAccount()])
      const numbers = [accounts, employees, findings].map((collection) => countRecords(h.db, collection, org))
      expect(await Promise.all(numbers)).toEqual([3, 1, 2])
    })
  })
}
