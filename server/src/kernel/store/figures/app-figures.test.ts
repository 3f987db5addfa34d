import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { describe, expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { aFinding, anAccount, anApp, anEmployee, put } from '../../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../../test/support/harness.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { bulkLoad } from '../bulk/bulk-load.ts'
import { loginMethodBits } from '../derived-columns.ts'
import { getRecord, insertRecords, removeAllRecords, removeRecord, updateRecord } from '../records.ts'
import type { Tx } from '../sql.ts'
import { methodColumns } from './app-figures.ts'

const methods = anAccount().loginMethods
const people = ['ada', 'bob', 'eve']
const appIds = ['mail', 'chat', 'wiki']

/** A step that changes accounts or findings. Numbers choose the record, the app and so on. */
type Step = readonly [kind: string, record: number, app: number, person: number, flag: boolean]

const anyStep: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('add', 'add', 'find', 'find', 'change', 'reopen', 'remove', 'unfind'),
  fc.nat(5),
  fc.nat(2),
  fc.nat(2),
  fc.boolean(),
)

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    const run = async (tx: Tx, org: number, accountIds: string[], findingIds: string[], step: Step) => {
      const [kind, record, app, person, flag] = step
      const appId = appIds[app] ?? ''
      const loginMethods = { ...methods, passwordLogin: flag, samlLogin: person > 1 ? 'OKTA' : null }
      const members = { appId, employeeId: people[person] ?? '', loginMethods }
      const accountId = accountIds[record % Math.max(1, accountIds.length)]
      const findingId = findingIds[record % Math.max(1, findingIds.length)]
      const state = flag ? ('OPEN' as const) : ('RESOLVED' as const)
      if (kind === 'add') {
        const added = Array.from({ length: 1 + (record % 3) }, () => anAccount(members))
        accountIds.push(...added.map(({ id }) => id))
        const rows = added.map((one) => ({
          id: one.id,
          record: one,
          createdAtSeconds: one.creationTimestamp,
        }))
        return insertRecords(tx, accounts, org, rows)
      }
      if (kind === 'find') {
        const one = aFinding({ state, appId: person === 0 ? null : appId })
        findingIds.push(one.id)
        return insertRecords(tx, findings, org, [
          { id: one.id, record: one, createdAtSeconds: one.creationTimestamp },
        ])
      }
      const account = accountId && (await getRecord(tx, accounts, org, accountId))
      const finding = findingId && (await getRecord(tx, findings, org, findingId))
      if (kind === 'change' && account)
        await updateRecord(tx, accounts, org, account, { record: { ...account.record, ...members } })
      if (kind === 'remove' && account) await removeRecord(tx, accounts, org, account)
      if (kind === 'reopen' && finding)
        await updateRecord(tx, findings, org, finding, {
          record: { ...finding.record, state, appId: person === 0 ? null : appId },
        })
      if (kind === 'unfind' && finding) await removeRecord(tx, findings, org, finding)
    }

    const kept = async (org: number) => {
      const rows = await h.db.all<Record<string, number | string>>(
        'SELECT * FROM app_figures WHERE org = ? AND people + accounts + open_findings > 0 ORDER BY app_id',
        [org],
      )
      return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value])))
    }

    /** Counts the figures from the records. */
    const counted = async (org: number) => {
      const read = async (table: string) =>
        (await h.db.all<{ record: string }>(`SELECT record FROM ${table} WHERE org = ?`, [org])).map(
          ({ record }) => JSON.parse(record),
        )
      const [allAccounts, allFindings] = [await read('accounts'), await read('findings')]
      return appIds
        .toSorted()
        .map((appId) => {
          const mine = allAccounts.filter((account) => account.appId === appId)
          const bits = mine.map((account) => loginMethodBits(account))
          return {
            org,
            app_id: appId,
            people: new Set(mine.map(({ employeeId }) => employeeId)).size,
            accounts: mine.length,
            open_findings: allFindings.filter((one) => one.appId === appId && one.state === 'OPEN').length,
            ...Object.fromEntries(
              methodColumns.map((name, bit) => [name, bits.filter((mask) => (mask >> bit) & 1).length]),
            ),
          }
        })
        .filter((row) => row.people + row.accounts + row.open_findings > 0)
    }

    test('the figures of apps equal counts of the records after any changes', async () => {
      let organizations = 0
      const property = fc.asyncProperty(
        fc.array(fc.array(anyStep, { maxLength: 6 }), { maxLength: 6 }),
        async (transactions) => {
          organizations += 1
          const org = await h.addOrganization(`random ${organizations}`)
          const [accountIds, findingIds]: [string[], string[]] = [[], []]
          for (const steps of transactions) {
            await h.db.inTransaction(async (tx) => {
              for (const step of steps) await run(tx, org, accountIds, findingIds, step)
            })
          }
          expect(await kept(org)).toEqual(await counted(org))
          await h.db.inTransaction(async (tx) => {
            await removeAllRecords(tx, accounts, org)
            await removeAllRecords(tx, findings, org)
          })
          expect(await kept(org)).toEqual([])
          expect(await h.db.all('SELECT * FROM app_people WHERE org = ?', [org])).toEqual([])
        },
      )
      await fc.assert(property, { numRuns: 15 })
    })

    test('transactions with the same apps in opposite order do not fail', async () => {
      const org = await h.addOrganization('at once')
      const add = (order: readonly string[], employeeId: string) =>
        h.db.inTransaction(async (tx) => {
          for (const appId of order) {
            const one = anAccount({ appId, employeeId })
            await insertRecords(tx, accounts, org, [
              { id: one.id, record: one, createdAtSeconds: one.creationTimestamp },
            ])
          }
        })
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          add(at % 2 === 0 ? appIds : appIds.toReversed(), `employee ${at}`),
        ),
      )
      expect(await kept(org)).toEqual(await counted(org))
    })

    test('a rolled back transaction leaves the figures as they were', async () => {
      const org = await h.addOrganization('rolled back')
      await put(h, org, accounts, [anAccount({ appId: 'mail' })])
      const before = await kept(org)
      const work = h.db.inTransaction(async (tx) => {
        await removeAllRecords(tx, accounts, org)
        throw new Error('on purpose')
      })
      await expect(work).rejects.toThrow('on purpose')
      expect(await kept(org)).toEqual(before)
    })
  })

  describe(`${store}, a bulk load`, () => {
    const h = useHarness(store)

    test('counts the figures at its end, and later changes are counted again', async () => {
      const org = await h.addOrganization('bulk')
      const one = anAccount({ appId: 'mail', employeeId: 'ada' })
      const more = anAccount({ appId: 'mail', employeeId: 'bob' })
      const row = (record: typeof one) => ({ id: record.id, record, createdAtSeconds: 1_763_712_000 })
      await h.db.inTransaction((tx) =>
        bulkLoad(tx, [apps, accounts, employees, findings], async () => {
          await insertRecords(tx, accounts, org, [row(one)])
          const finding = aFinding({ state: 'OPEN', appId: 'mail' })
          await insertRecords(tx, findings, org, [
            { id: finding.id, record: finding, createdAtSeconds: 1_763_712_000 },
          ])
        }),
      )
      await put(h, org, apps, [anApp({ id: 'mail' })])
      await put(h, org, employees, [anEmployee({ id: 'ada' })])
      await put(h, org, accounts, [more])
      const sql = 'SELECT people, accounts, open_findings FROM app_figures WHERE org = ?'
      expect(await h.db.all(sql, [org])).toEqual([{ people: 2, accounts: 2, open_findings: 1 }])
    })
  })
}
