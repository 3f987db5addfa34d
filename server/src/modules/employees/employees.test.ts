import { browsers } from '@muster/contract/records/browser'
import { detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inBody, inQuery, page } from '../../../../test/support/answers.ts'
import {
  aBrowser,
  aDetection,
  anEmployee,
  asShownInDetection,
  put,
  stateOf,
  unknownId,
} from '../../../../test/support/fixtures.ts'
import { describeGet } from '../../../../test/support/get-tests.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    let ada: Employee
    let bob: Employee
    beforeEach(async () => {
      caller = await h.addCaller()
      ada = anEmployee({ email: 'Ada@example.com', groups: ['Engineers', 'Leads'] })
      bob = anEmployee({ email: 'bob@example.com' })
      await put(h, caller.org, employees, [ada, bob])
    })
    const list = (query = '') => h.call(caller, 'GET', `/v1/employees?${query}`)
    const read = (id: string) => h.call(caller, 'GET', `/v1/employees/${id}`)

    describe('GET /v1/employees', () => {
      describeList(h, {
        path: '/v1/employees',
        collection: employees,
        make: anEmployee,
        members:
          'id email firstName lastName department location licensed chatopsEnabled groups secondaryEmails mergedIntoId creationTimestamp',
        contains: ['email'],
        exact: { department: ['Engineering', 'Sales'], location: ['London', 'São Paulo'] },
        flags: ['licensed'],
        windows: ['creationTimestamp'],
      })

      test('filters by the exact name of a group', async () => {
        expectAnswer(await list('group=Engineers'), page([ada]))
        expectAnswer(await list('group=Leads&email=ADA'), page([ada]))
        expectAnswer(await list('group=engineers'), page([]))
        expectAnswer(await list('group=Engineer'), page([]))
        expectProblem(await list('group=Engineers&group=Leads'), 'invalid_request', [
          inQuery('group', 'must be given only once'),
        ])
      })

      test('accepts + and %20 as a space in the query', async () => {
        const pele = anEmployee({ location: 'São Paulo' })
        await put(h, caller.org, employees, [pele])
        for (const query of ['location=S%C3%A3o+Paulo', 'location=S%c3%a3o%20Paulo'])
          expectAnswer(await list(query), page([pele]))
      })

      test('lists merged employees only with mergedIntoId; GET by ID returns them', async () => {
        const merged = [1, 2].map(() => anEmployee({ mergedIntoId: ada.id, department: 'Sales' }))
        const elsewhere = anEmployee({ mergedIntoId: bob.id })
        await put(h, caller.org, employees, [...merged, elsewhere])
        expectAnswer(await list(), page([ada, bob]))
        expectAnswer(await list('department=Sales'), page([]))
        expectAnswer(await list('limit=2'), page([ada, bob]))
        expectAnswer(await list(`mergedIntoId=${ada.id}`), page(merged))
        expectAnswer(
          await list(`mergedIntoId=${ada.id}&department=Sales&limit=1&offset=1`),
          page(merged.slice(1)),
        )
        expectAnswer(await list(`mergedIntoId=${unknownId()}`), page([]))
        for (const employee of merged) expectAnswer(await read(employee.id), employee)
      })
    })

    describe('GET /v1/employees/{id}', () => {
      describeGet(h, { path: '/v1/employees', collection: employees, make: anEmployee })
    })

    describe('POST /v1/employees', () => {
      const add = (body: unknown) => h.call(caller, 'POST', '/v1/employees', { body })

      test('needs only an address; other members are unset', async () => {
        const answer = await add({ email: 'New.One@Example.com' })
        const record = {
          id: expect.stringMatching(uuid),
          email: 'New.One@Example.com',
          firstName: null,
          lastName: null,
          department: null,
          location: null,
          licensed: false,
          chatopsEnabled: false,
          groups: [],
          secondaryEmails: [],
          mergedIntoId: null,
          creationTimestamp: unixSeconds(h.clock),
        }
        expectAnswer(answer, record)
        expectAnswer(await read(answer.body.id), answer.body)
        expectAnswer(await list(), page([ada, bob, answer.body].toSorted(byCreation)))
      })

      test('accepts every member; groups are trimmed and unique', async () => {
        const body = {
          email: 'grace@example.com',
          firstName: 'Grace',
          lastName: 'Hopper',
          department: 'Navy',
          location: 'Arlington',
          licensed: true,
        }
        const answer = await add({ ...body, groups: [' Admirals ', 'Engineers', 'Admirals'] })
        expect(answer.body).toMatchObject({ ...body, groups: ['Admirals', 'Engineers'] })
        expectAnswer(await list('group=Admirals'), page([answer.body]))
        const nulls = { firstName: null, lastName: null, department: null, location: null }
        expect((await add({ email: 'nobody@example.com', ...nulls })).body).toMatchObject(nulls)
      })

      test('returns 409 for a taken address, also a secondary one and in another case', async () => {
        const merged = anEmployee({ email: 'old.ada@example.com' })
        await put(h, caller.org, employees, [merged])
        await h.call(caller, 'POST', `/v1/employees/${ada.id}/merge`, { body: { employeeIds: [merged.id] } })
        const before = await stateOf(h, caller.org)
        for (const email of ['ada@EXAMPLE.com', 'Old.Ada@example.com']) {
          const answer = await add({ email })
          expectProblem(answer, 'conflict')
          expect(answer.body.detail).toBe(`The address ${email} is in use by another employee.`)
        }
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('allows an address of another organization', async () => {
        const other = await h.addCaller()
        const answer = await h.call(other, 'POST', '/v1/employees', { body: { email: ada.email } })
        expect(answer.status).toBe(200)
        expectAnswer(await h.call(other, 'GET', '/v1/employees'), page([answer.body]))
      })

      test('gives an address to one of two concurrent requests', async () => {
        const email = 'wanted@example.com'
        const answers = await Promise.all([add({ email }), add({ email: email.toUpperCase() })])
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
        expect((await list('email=wanted')).body['the service']).toHaveLength(1)
      })

      test('reports all mistakes at once, and changes nothing', async () => {
        const before = await stateOf(h, caller.org)
        const body = {
          email: 'no address',
          firstName: 1,
          lastName: 'x'.repeat(257),
          department: [],
          licensed: 'yes',
          groups: ['Fine', ' ', 'x'.repeat(129)],
        }
        expectProblem(await add(body), 'invalid_request', [
          inBody('email', 'must be an e-mail address'),
          inBody('firstName', 'must be a text or null'),
          inBody('lastName', 'must have at most 256 characters'),
          inBody('department', 'must be a text or null'),
          inBody('licensed', 'must be true or false'),
          inBody('groups[1]', 'must not be empty'),
          inBody('groups[2]', 'must have at most 128 characters'),
        ])
        expectProblem(await add({ firstName: 'Ada' }), 'invalid_request', [inBody('email', 'is required')])
        expectProblem(await add({ email: null }), 'invalid_request', [inBody('email', 'must be a text')])
        for (const email of ['a@b@c', 'a b@c', '@', 'a@', '@b', 'a@\u007f'])
          expect((await add({ email })).body.errors).toEqual([
            inBody('email', expect.stringMatching(/^must/)),
          ])
        expect((await add({ email: `${'x'.repeat(250)}@y.example` })).status).toBe(400)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    describe('PATCH /v1/employees/{id}', () => {
      const patch = (body: unknown, id = ada.id) => h.call(caller, 'PATCH', `/v1/employees/${id}`, { body })

      test.each([
        { firstName: 'Augusta' },
        { lastName: null },
        { department: 'Research' },
        { location: null },
        { licensed: true },
        { chatopsEnabled: true },
        { firstName: null, lastName: 'King', department: null, location: '', licensed: true },
      ])('%j changes only those members', async (change) => {
        expectAnswer(await patch(change), { ...ada, ...change })
        expectAnswer(await list(), page([{ ...ada, ...change }, bob]))
      })

      test('claims the new address and frees the old one', async () => {
        const after = { ...ada, email: 'augusta@example.com' }
        expectAnswer(await patch({ email: after.email }), after)
        expectAnswer(await list('email=augusta'), page([after]))
        expectAnswer(await list('email=ada@'), page([]))
        expectProblem(await patch({ email: 'AUGUSTA@example.com' }, bob.id), 'conflict')
        expect((await patch({ email: 'ada@example.com' }, bob.id)).status).toBe(200)
      })

      test('allows an address to change its case', async () => {
        expectAnswer(await patch({ email: 'ADA@example.com' }), { ...ada, email: 'ADA@example.com' })
        expectAnswer(await patch({ email: 'ADA@example.com' }), { ...ada, email: 'ADA@example.com' })
      })

      test('returns 409 for a taken address, regardless of case', async () => {
        const before = await stateOf(h, caller.org)
        expectProblem(await patch({ email: 'BOB@example.com', firstName: 'not kept' }), 'conflict')
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('updates the facts in browsers and detections of this employee only', async () => {
        const [mine, theirs] = [ada, bob].map(({ id, email }) => aBrowser({ employeeId: id, email }))
        const [seen, other] = [ada, bob].map((employee) =>
          aDetection({ employeeId: employee.id, employee: asShownInDetection(employee) }),
        )
        await put(
          h,
          caller.org,
          browsers,
          [mine, theirs].filter((item) => item !== undefined),
        )
        await put(
          h,
          caller.org,
          detections,
          [seen, other].filter((item) => item !== undefined),
        )
        const change = { email: 'augusta@example.com', firstName: 'Augusta', licensed: true }
        await patch(change)
        const after = { ...ada, ...change }
        const shown = { ...mine, email: after.email }
        expectAnswer(await h.call(caller, 'GET', '/v1/browsers'), page([shown, theirs]))
        expectAnswer(await h.call(caller, 'GET', '/v1/browsers?email=AUGUSTA'), page([shown]))
        expectAnswer(await h.call(caller, 'GET', '/v1/browsers?email=ada'), page([]))
        expectAnswer(
          await h.call(caller, 'GET', '/v1/detections'),
          page([{ ...seen, employee: asShownInDetection(after) }, other]),
        )
      })

      test('reports all mistakes at once, and changes nothing', async () => {
        const before = await stateOf(h, caller.org)
        const takes = 'email, firstName, lastName, department, location, licensed, chatopsEnabled'
        const answer = await patch({ email: '', licensed: 1, chatopsEnabled: null, groups: ['x'] })
        expect(answer.body.errors).toHaveLength(4)
        expect(answer.body.errors).toEqual(
          expect.arrayContaining([
            inBody('email', expect.stringMatching(/^must/)),
            inBody('licensed', 'must be true or false'),
            inBody('chatopsEnabled', 'must be true or false'),
            inBody('groups', `is not a member of this object; it takes ${takes}`),
          ]),
        )
        expectProblem(await patch({}), 'invalid_request', [
          inBody('body', `must have at least one of ${takes}`),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    describe('POST /v1/employees/{id}/groups', () => {
      const add = (group: unknown, id = ada.id) =>
        h.call(caller, 'POST', `/v1/employees/${id}/groups`, { body: { group } })

      test('appends the trimmed group', async () => {
        const after = { ...ada, groups: ['Engineers', 'Leads', 'Night shift'] }
        expectAnswer(await add(' Night shift '), after)
        expectAnswer(await read(ada.id), after)
        expectAnswer(await list('group=Night%20shift'), page([after]))
      })

      test('changes nothing for a group of the employee', async () => {
        const before = await stateOf(h, caller.org)
        expectAnswer(await add('Leads '), ada)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('a group has 1 to 128 characters', async () => {
        const before = await stateOf(h, caller.org)
        for (const group of ['', ' '])
          expectProblem(await add(group), 'invalid_request', [inBody('group', 'must not be empty')])
        expectProblem(await add('x'.repeat(129)), 'invalid_request', [
          inBody('group', 'must have at most 128 characters'),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
        expect((await add('x'.repeat(128))).status).toBe(200)
      })

      test('an employee is in at most 1,000 groups', async () => {
        const groups = Array.from({ length: 999 }, (_, at) => `group ${at}`)
        const joiner = anEmployee({ groups })
        await put(h, caller.org, employees, [joiner])
        expect((await add('one more', joiner.id)).status).toBe(200)
        const before = await stateOf(h, caller.org)
        expectProblem(await add('too many', joiner.id), 'invalid_request', [
          inBody('group', 'exceeds the limit: an employee can be in at most 1000 groups'),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    describe('DELETE /v1/employees/{id}/groups', () => {
      const url = () => `/v1/employees/${ada.id}/groups`

      test('removes the group; an empty group no longer exists', async () => {
        const after = { ...ada, groups: ['Leads'] }
        expectAnswer(await h.call(caller, 'DELETE', url(), { body: { group: 'Engineers' } }), after)
        expectAnswer(await read(ada.id), after)
        expectAnswer(await list('group=Engineers'), page([]))
        const empty = { ...ada, groups: [] }
        expectAnswer(await h.call(caller, 'DELETE', `${url()}?group=Leads`), empty)
      })

      test('returns 404 for a group that the employee is not in', async () => {
        const before = await stateOf(h, caller.org)
        for (const group of ['Sales', 'engineers']) {
          const answer = await h.call(caller, 'DELETE', url(), { body: { group } })
          expectProblem(answer, 'not_found')
          expect(answer.body.detail).toBe(`The employee is not in the group "${group}".`)
        }
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('keeps the groups of other employees', async () => {
        const leads = anEmployee({ groups: ['Leads'] })
        await put(h, caller.org, employees, [leads])
        await h.call(caller, 'DELETE', `${url()}?group=Leads`)
        expectAnswer(await list('group=Leads'), page([leads]))
      })
    })
  })
}

const byCreation = (one: Employee, other: Employee): number => one.creationTimestamp - other.creationTimestamp
