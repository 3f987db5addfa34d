import { type Employee, employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inBody, page, recordsOf } from '../../../../test/support/answers.ts'
import { anEmployee, asShownInDetection, put, stateOf, unknownId } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { counts, putPeople, shownOf } from '../../../../test/support/people.ts'
import { STORES } from '../../../../test/support/stores.ts'

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
    const merge = (primary: Employee, ...secondaries: { id: string }[]) =>
      h.call(caller, 'POST', `/v1/employees/${primary.id}/merge`, {
        body: { employeeIds: secondaries.map(({ id }) => id) },
      })
    const patch = (employee: Employee, body: unknown) =>
      h.call(caller, 'PATCH', `/v1/employees/${employee.id}`, { body })
    const read = (employee: Employee) => h.call(caller, 'GET', `/v1/employees/${employee.id}`)
    const list = (query = '') => h.call(caller, 'GET', `/v1/employees?${query}`)
    const shown = (employee: Employee) => shownOf(h, caller, employee.id)

    describe('POST /v1/employees/{id}/merge', () => {
      test('returns the primary with the addresses of the others', async () => {
        const primary = { ...ada, secondaryEmails: [cy.email, bob.email] }
        expectAnswer(await merge(ada, cy, bob), primary)
        expectAnswer(await read(ada), primary)
        for (const employee of [bob, cy])
          expectAnswer(await read(employee), { ...employee, mergedIntoId: ada.id })
        expectAnswer(await list(), page([primary]))
        expectAnswer(
          await list(`mergedIntoId=${ada.id}`),
          page([bob, cy].map((employee) => ({ ...employee, mergedIntoId: ada.id }))),
        )
      })

      test('reassigns all records to the primary, in order of creation', async () => {
        const before = { ada: await shown(ada), bob: await shown(bob), cy: await shown(cy) }
        await merge(ada, bob)
        const after = await shown(ada)
        expect(counts(await shown(bob))).toEqual([0, 0, 0, 0, 0, 0])
        expect(await shown(cy)).toEqual(before.cy)
        const under = (records: Record<string, unknown>[] = [], facts: object = {}) =>
          records.map((record) => ({ ...record, employeeId: ada.id, ...facts }))
        const primary = (await read(ada)).body
        const facts: Record<string, object> = {
          browsers: { email: ada.email },
          detections: { employee: asShownInDetection(primary) },
        }
        const expected = Object.fromEntries(
          Object.entries(before.ada).map(([name, own]) => [
            name,
            [...under(own, facts[name]), ...under(before.bob[name], facts[name])],
          ]),
        )
        expect(after).toEqual(expected)
      })

      test('licenses only the primary, if any of them was licensed', async () => {
        await patch(bob, { licensed: true })
        const primary = { ...ada, licensed: true, secondaryEmails: [bob.email, cy.email] }
        expectAnswer(await merge(ada, bob, cy), primary)
        for (const employee of [bob, cy])
          expectAnswer(await read(employee), { ...employee, licensed: false, mergedIntoId: ada.id })
        for (const { employee } of (await shown(ada)).detections ?? [])
          expect(employee).toEqual(asShownInDetection({ ...ada, licensed: true }))
        expectAnswer(await list('licensed=true'), page([primary]))
      })

      test('returns 409 with the primary for licensing a merged employee', async () => {
        await merge(ada, bob)
        const before = await stateOf(h, caller.org)
        const answer = await patch(bob, { licensed: true })
        expectProblem(answer, 'conflict')
        expect(answer.body.detail).toContain(ada.id)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('moves employees merged into a secondary to the primary, up to five in total', async () => {
        const [dee, eve, fay] = [anEmployee(), anEmployee(), anEmployee()]
        await put(h, caller.org, employees, [dee, eve, fay])
        await merge(bob, cy, dee)
        const primary = { ...ada, secondaryEmails: [bob.email, cy.email, dee.email, eve.email] }
        expectAnswer(await merge(ada, bob, eve), primary)
        for (const employee of [bob, cy, dee, eve])
          expectAnswer(await read(employee), { ...employee, secondaryEmails: [], mergedIntoId: ada.id })
        expect(counts(await shown(ada))).toEqual([3, 3, 3, 3, 3, 3])

        const before = await stateOf(h, caller.org)
        expectProblem(await merge(ada, fay), 'invalid_request', [
          inBody(
            'employeeIds[0]',
            `exceeds the limit: with ${fay.id}, more than 5 employees would be merged`,
          ),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('rejects a secondary whose merged employees exceed the limit', async () => {
        const others = [anEmployee(), anEmployee(), anEmployee()]
        await put(h, caller.org, employees, others)
        await merge(bob, ...others)
        const before = await stateOf(h, caller.org)
        expectProblem(await merge(ada, cy, bob), 'invalid_request', [
          inBody('employeeIds[1]', expect.stringContaining(bob.id)),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
        expect((await merge(ada, bob)).status).toBe(200)
      })

      test('reports all invalid IDs at once, and merges all or none', async () => {
        const other = await h.addCaller()
        const { stranger } = await putPeople(h, other.org, 'stranger')
        const merged = anEmployee()
        await put(h, caller.org, employees, [merged])
        await merge(bob, merged)
        const before = [await stateOf(h, caller.org), await stateOf(h, other.org)]
        const unknown = { id: unknownId() }
        const stranger400 = (id: string) => `must be the ID of an employee of the organization: ${id}`
        expectProblem(await merge(ada, cy, ada, merged, unknown), 'invalid_request', [
          inBody('employeeIds[1]', `must not be the primary employee itself: ${ada.id}`),
          inBody('employeeIds[2]', `must not be merged already: ${merged.id} is merged into ${bob.id}`),
          inBody('employeeIds[3]', stranger400(unknown.id)),
        ])
        expectProblem(await merge(ada, stranger, { id: 'x' }), 'invalid_request', [
          inBody('employeeIds[0]', stranger400(stranger.id)),
          inBody('employeeIds[1]', stranger400('x')),
        ])
        expect([await stateOf(h, caller.org), await stateOf(h, other.org)]).toEqual(before)
      })

      test('rejects a merged employee as primary', async () => {
        await merge(ada, bob)
        const before = await stateOf(h, caller.org)
        expectProblem(await merge(bob, cy), 'invalid_request', [
          {
            in: 'path',
            name: 'id',
            message: `must not be a merged employee: ${bob.id} is merged into ${ada.id}`,
          },
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('accepts 1 to 4 unique IDs', async () => {
        const before = await stateOf(h, caller.org)
        const ids = (employeeIds: unknown) =>
          h.call(caller, 'POST', `/v1/employees/${ada.id}/merge`, { body: { employeeIds } })
        for (const [given, message] of [
          [[], 'must have at least 1 element'],
          [[1, 2, 3, 4, 5].map(unknownId), 'must have at most 4 elements'],
          [[bob.id, bob.id], 'must not have the same element twice'],
          [bob.id, 'must be a list'],
          [null, 'must be a list'],
        ])
          expectProblem(await ids(given), 'invalid_request', [inBody('employeeIds', String(message))])
        expectProblem(await ids([bob.id, 1]), 'invalid_request', [inBody('employeeIds[1]', 'must be a text')])
        expectProblem(await ids([bob.id, '']), 'invalid_request', [
          inBody('employeeIds[1]', 'must not be empty'),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('a later merge adds to an earlier one', async () => {
        await merge(ada, bob)
        expectAnswer(await merge(ada, cy), { ...ada, secondaryEmails: [bob.email, cy.email] })
        expect(counts(await shown(ada))).toEqual([3, 3, 3, 3, 3, 3])
      })
    })

    describe('the addresses of merged employees', () => {
      test('are taken: 409 regardless of case, also for the primary itself', async () => {
        await merge(ada, bob)
        const before = await stateOf(h, caller.org)
        for (const employee of [cy, ada])
          expectProblem(await patch(employee, { email: bob.email.toUpperCase() }), 'conflict')
        const body = { email: bob.email.toUpperCase() }
        expectProblem(await h.call(caller, 'POST', '/v1/employees', { body }), 'conflict')
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('change also among the secondary addresses of the primary, and free the old one', async () => {
        await merge(ada, bob, cy)
        const email = 'robert@example.com'
        expectAnswer(await patch(bob, { email }), { ...bob, email, mergedIntoId: ada.id })
        expectAnswer(await read(ada), { ...ada, secondaryEmails: [email, cy.email] })
        const body = { email: bob.email }
        expect((await h.call(caller, 'POST', '/v1/employees', { body })).status).toBe(200)
      })
    })

    describe('the facts of the primary', () => {
      test('are updated in records of the others', async () => {
        await merge(ada, bob)
        const change = { email: 'augusta@example.com', lastName: 'King' }
        const primary = (await patch(ada, change)).body
        const records = await shown(ada)
        expect(records.browsers?.map(({ email }) => email)).toEqual([change.email, change.email])
        for (const { employee } of records.detections ?? [])
          expect(employee).toEqual(asShownInDetection(primary))
        const found = await h.call(caller, 'GET', '/v1/browsers?email=augusta')
        expect(recordsOf(found)).toEqual(records.browsers)
      })

      test('do not change with a merged employee', async () => {
        await merge(ada, bob)
        const before = await shown(ada)
        await patch(bob, { lastName: 'Changed' })
        expect(await shown(ada)).toEqual(before)
      })
    })
  })
}
