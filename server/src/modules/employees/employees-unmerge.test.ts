import { accounts } from '@muster/contract/records/account'
import { type Employee, employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, page } from '../../../../test/support/answers.ts'
import { noActor } from '../../../../test/support/audit.ts'
import {
  anAccount,
  anAccountUser,
  anEmployee,
  asShownInDetection,
  put,
  stateOf,
  storeAccountUsers,
} from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { counts, putObservedOf, putPeople, shownOf } from '../../../../test/support/people.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { scanRecords } from '../../kernel/store/scan-records.ts'
import { storeImported } from '../transfer/store-record.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    let ada: Employee
    let bob: Employee
    let cy: Employee
    beforeEach(async () => {
      caller = await h.addCaller()
      const people = await putPeople(h, caller.org, 'ada', 'bob', 'cy')
      ada = people.ada
      bob = people.bob
      cy = people.cy
    })
    const merge = (primary: Employee, ...secondaries: Employee[]) =>
      h.call(caller, 'POST', `/v1/employees/${primary.id}/merge`, {
        body: { employeeIds: secondaries.map(({ id }) => id) },
      })
    const unmerge = (employee: Employee) => h.call(caller, 'POST', `/v1/employees/${employee.id}/unmerge`)
    const read = (employee: Employee) => h.call(caller, 'GET', `/v1/employees/${employee.id}`)
    const shown = (employee: Employee) => shownOf(h, caller, employee.id)
    const usersOf = (accountId: string, query = '') =>
      h.call(caller, 'GET', `/v1/accounts/${accountId}/usedBy?${query}`)

    describe('POST /v1/employees/{id}/unmerge', () => {
      test('restores employee and records as before the merge', async () => {
        const before = await stateOf(h, caller.org)
        await merge(ada, bob, cy)
        expectAnswer(await unmerge(bob), bob)
        expectAnswer(await read(ada), { ...ada, secondaryEmails: [cy.email] })
        expectAnswer(
          await h.call(caller, 'GET', '/v1/employees'),
          page([{ ...ada, secondaryEmails: [cy.email] }, bob]),
        )
        expect(counts(await shown(ada))).toEqual([2, 2, 2, 2, 2, 2])
        expect(counts(await shown(bob))).toEqual([1, 1, 1, 1, 1, 1])
        expectAnswer(await unmerge(cy), cy)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('unmerges employees of a moved group one by one, in any order', async () => {
        const before = await stateOf(h, caller.org)
        await merge(bob, cy)
        await merge(ada, bob)
        expectAnswer(await unmerge(bob), bob)
        expect((await read(cy)).body.mergedIntoId).toBe(ada.id)
        expect(counts(await shown(ada))).toEqual([2, 2, 2, 2, 2, 2])
        expectAnswer(await unmerge(cy), cy)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('can repeat merge and unmerge', async () => {
        const before = await stateOf(h, caller.org)
        for (const [primary, secondary] of [
          [ada, bob],
          [bob, ada],
          [cy, bob],
        ] as const) {
          await merge(primary, secondary)
          await unmerge(secondary)
        }
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('returns records observed after the merge to their employee', async () => {
        await merge(ada, bob)
        await putObservedOf(h, caller.org, ada, { owner: bob.id })
        await putObservedOf(h, caller.org, ada)
        expect(counts(await shown(ada))).toEqual([4, 4, 4, 4, 4, 4])
        await unmerge(bob)
        const records = await shown(bob)
        expect(counts(records)).toEqual([2, 2, 2, 2, 2, 2])
        expect(records.browsers?.map(({ email }) => email)).toEqual([bob.email, bob.email])
        for (const { employee } of records.detections ?? []) expect(employee).toEqual(asShownInDetection(bob))
        expect(counts(await shown(ada))).toEqual([2, 2, 2, 2, 2, 2])
      })

      test('leaves the employee unlicensed and the primary licensed', async () => {
        await h.call(caller, 'PATCH', `/v1/employees/${bob.id}`, { body: { licensed: true } })
        await merge(ada, bob)
        expectAnswer(await unmerge(bob), { ...bob, licensed: false })
        expectAnswer(await read(ada), { ...ada, licensed: true })
      })

      test('keeps changes made meanwhile', async () => {
        await merge(ada, bob)
        const change = { email: 'robert@example.com', firstName: 'Robert' }
        await h.call(caller, 'PATCH', `/v1/employees/${bob.id}`, { body: change })
        expectAnswer(await unmerge(bob), { ...bob, ...change })
        expectAnswer(await read(ada), ada)
        const records = await shown(bob)
        expect(records.browsers?.map(({ email }) => email)).toEqual([change.email])
        expect(records.detections?.map(({ employee }) => employee)).toEqual([
          asShownInDetection({ ...bob, ...change }),
        ])
      })

      test('returns 400 for an employee who is not merged', async () => {
        await merge(ada, bob)
        const before = await stateOf(h, caller.org)
        for (const employee of [cy, ada]) {
          expectProblem(await unmerge(employee), 'invalid_request', [
            { in: 'path', name: 'id', message: `must be a merged employee; ${employee.id} is not merged` },
          ])
        }
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    test('does not miss an employee who is unmerged during paging', async () => {
      await merge(ada, bob)
      const walk = scanRecords(h.db, employees, caller.org)
      const found = []
      for await (const texts of walk) {
        found.push(...texts.map((text) => JSON.parse(text).id))
        if (found.length === 2) await unmerge(bob)
      }
      expect(found).toEqual([ada.id, cy.id, bob.id])
    })

    describe('addresses of employees who were imported', () => {
      const store = (...records: Employee[]) =>
        h.db.inTransaction((tx) => storeImported(tx, caller.org, noActor, 'employees', records))

      test('that the merged employee brought from a missing employee return with it', async () => {
        const dee = anEmployee({ secondaryEmails: ['X@example.com', 'y@example.com'] })
        await store(dee)
        await merge(bob, dee)
        await merge(ada, bob)
        expectAnswer(await unmerge(dee), dee)
        expectAnswer(await read(ada), { ...ada, secondaryEmails: [bob.email] })
        expectAnswer(await unmerge(bob), bob)
        expectAnswer(await read(ada), ada)
      })

      test('that the primary had from a missing employee stay with it', async () => {
        const dee = anEmployee({ secondaryEmails: ['x@example.com'] })
        await store(dee)
        await merge(dee, bob)
        expectAnswer(await unmerge(bob), bob)
        expectAnswer(await read(dee), dee)
      })

      test('are also changed at the primary if stored in another case', async () => {
        const dee = anEmployee({ secondaryEmails: ['OLD@example.com', 'x@example.com'] })
        const old = anEmployee({ email: 'old@example.com', mergedIntoId: dee.id })
        await store(dee, old)
        const email = 'new@example.com'
        await h.call(caller, 'PATCH', `/v1/employees/${old.id}`, { body: { email } })
        expectAnswer(await read(dee), { ...dee, secondaryEmails: [email, 'x@example.com'] })
        expectAnswer(await unmerge(old), { ...old, email, mergedIntoId: null })
        expectAnswer(await read(dee), { ...dee, secondaryEmails: ['x@example.com'] })
      })
    })

    describe('GET /v1/accounts/{id}/usedBy', () => {
      test('lists merged employees once, at the position of the first, with the latest use, and all again after an unmerge', async () => {
        const account = anAccount({ employeeId: ada.id })
        const uses = [
          anAccountUser({ employeeId: ada.id, lastUsedTimestamp: 5, passwordManuallyTyped: true }),
          anAccountUser({ employeeId: cy.id, lastUsedTimestamp: 7, passwordManuallyTyped: null }),
          anAccountUser({ employeeId: bob.id, lastUsedTimestamp: 9, passwordManuallyTyped: false }),
        ]
        await put(h, caller.org, accounts, [account])
        await storeAccountUsers(h, caller.org, account.id, uses)
        const before = await stateOf(h, caller.org)
        await merge(ada, bob)
        const one = { employeeId: ada.id, lastUsedTimestamp: 9, passwordManuallyTyped: false }
        expectAnswer(await usersOf(account.id), page([one, uses[1]]))
        expectAnswer(await usersOf(account.id, 'limit=1&offset=0'), page([one], null, '1'))
        expectAnswer(await usersOf(account.id, 'limit=2'), page([one, uses[1]]))
        await merge(cy, ada)
        expectAnswer(await usersOf(account.id), page([{ ...one, employeeId: cy.id }]))
        await unmerge(bob)
        const two = { employeeId: cy.id, lastUsedTimestamp: 7, passwordManuallyTyped: null }
        expectAnswer(await usersOf(account.id), page([two, uses[2]]))
        await unmerge(ada)
        expectAnswer(await usersOf(account.id), page(uses))
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('lists the primary once for an account of secondary employees', async () => {
        const account = anAccount({ employeeId: bob.id })
        const uses = [
          anAccountUser({ employeeId: bob.id, lastUsedTimestamp: null, passwordManuallyTyped: null }),
          anAccountUser({ employeeId: cy.id, lastUsedTimestamp: 0, passwordManuallyTyped: true }),
        ]
        await put(h, caller.org, accounts, [account])
        await storeAccountUsers(h, caller.org, account.id, uses)
        await merge(ada, cy, bob)
        const one = { employeeId: ada.id, lastUsedTimestamp: 0, passwordManuallyTyped: true }
        expectAnswer(await usersOf(account.id), page([one]))
        expectAnswer(await h.call(caller, 'GET', `/v1/accounts/${account.id}`), {
          ...account,
          employeeId: ada.id,
        })
        await unmerge(cy)
        await unmerge(bob)
        expectAnswer(await usersOf(account.id), page(uses))
      })

      test('deleting an account removes the uses of all merged employees', async () => {
        const account = anAccount({ employeeId: ada.id })
        const before = await stateOf(h, caller.org)
        await put(h, caller.org, accounts, [account])
        const uses = [ada, bob].map(({ id }) => anAccountUser({ employeeId: id }))
        await storeAccountUsers(h, caller.org, account.id, uses)
        await merge(ada, bob)
        await h.call(caller, 'DELETE', `/v1/accounts/${account.id}`)
        await unmerge(bob)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })
  })
}
