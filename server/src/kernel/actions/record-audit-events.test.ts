import type { Employee } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { askToEnroll, managedToken } from '../../../../test/support/agents.ts'
import { auditEventsDuring, auditTrail, noActor, schemaMistakes } from '../../../../test/support/audit.ts'
import { fc } from '../../../../test/support/fast-check.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { verifyChain } from '../../modules/audit/audit-chain.store.ts'
import { recordAudit } from '../events/audit-trail.ts'

type Members = Partial<Omit<Employee, 'id'>>

/** Expected audit events of a change of an employee, by the contract's list of event types. */
function demanded(before: Employee, after: Employee): string[] {
  const differs = (member: keyof Employee) => JSON.stringify(before[member]) !== JSON.stringify(after[member])
  const gone = before.groups.filter((group) => !after.groups.includes(group))
  const come = after.groups.filter((group) => !before.groups.includes(group))
  const objects = [
    ...((Object.keys(after) as (keyof Employee)[]).some(differs) ? ['EMPLOYEE_UPDATED'] : []),
    ...(differs('email') ? ['EMPLOYEE_EMAIL_UPDATED'] : []),
    ...(!before.licensed && after.licensed ? ['LICENSE_ASSIGNED'] : []),
    ...(before.licensed && !after.licensed ? ['LICENSE_REMOVED'] : []),
    ...gone.map((group) => `EMPLOYEE_REMOVED_FROM_GROUP ${group}`),
    ...come.map((group) => `EMPLOYEE_ADDED_TO_GROUP ${group}`),
  ]
  return objects.sort()
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    let count = 0
    beforeEach(async () => {
      caller = await h.addCaller()
    })
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await h.call(caller, method, `/v1/${path}`, body === undefined ? {} : { body })
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    }
    const employee = (more: Members = {}): Promise<Employee> =>
      ask('POST', 'employees', { email: `p${++count}@example.com`, ...more })
    const eventsOf = async (change: () => Promise<unknown>) => {
      const events = await auditEventsDuring(h.db, caller.org, change)
      expect(events.flatMap(schemaMistakes)).toEqual([])
      return events
    }
    const objects = async (change: () => Promise<unknown>) =>
      (await eventsOf(change)).map(({ object }) => object)

    test('a PATCH of several members records an event for each of them', async () => {
      const { id } = await employee({ licensed: true })
      const change = { email: 'new@example.com', licensed: false, department: 'Sales' }
      const events = await eventsOf(() => ask('PATCH', `employees/${id}`, change))
      expect(events.map(({ object }) => object)).toEqual([
        'EMPLOYEE_UPDATED',
        'EMPLOYEE_EMAIL_UPDATED',
        'LICENSE_REMOVED',
      ])
      expect(events[0]?.new).toMatchObject({
        employeeId: id,
        employeeEmail: 'new@example.com',
        changes: [
          { name: 'email', old: `p${count}@example.com`, new: 'new@example.com' },
          { name: 'department', old: null, new: 'Sales' },
          { name: 'licensed', old: true, new: false },
        ],
      })
    })

    test('adding an employee with a license and groups records events for those too', async () => {
      expect(await objects(() => employee({ licensed: true, groups: ['Admins', 'Berlin'] }))).toEqual([
        'EMPLOYEE_ADDED',
        'LICENSE_ASSIGNED',
        'EMPLOYEE_ADDED_TO_GROUP',
        'EMPLOYEE_ADDED_TO_GROUP',
      ])
      expect(await objects(() => employee())).toEqual(['EMPLOYEE_ADDED'])
    })

    test('an enrollment link that assigns a license records LICENSE_ASSIGNED, the next link does not', async () => {
      const { id } = await employee()
      const link = () => ask('POST', `employees/${id}/enrollmentLink`)
      expect(await objects(link)).toEqual(['EMPLOYEE_UPDATED', 'LICENSE_ASSIGNED', 'ENROLLMENT_LINK_CREATED'])
      expect(await objects(link)).toEqual(['ENROLLMENT_LINK_CREATED'])
    })

    test('managed enrollment of a new employee records LICENSE_ASSIGNED with the employee as actor', async () => {
      const { token } = await managedToken(h, caller.org)
      const events = await eventsOf(() => askToEnroll(h, token, { identity: 'managed@example.com' }))
      expect(events.map(({ object, actor }) => [object, actor?.source])).toEqual([
        ['EMPLOYEE_ADDED', 'EMPLOYEE'],
        ['LICENSE_ASSIGNED', 'EMPLOYEE'],
      ])
    })

    test('merging and unmerging record what happens to every license', async () => {
      const primary = await employee()
      const [one, two] = [await employee({ licensed: true }), await employee()]
      const employeeIds = [one.id, two.id]
      const merged = await eventsOf(() => ask('POST', `employees/${primary.id}/merge`, { employeeIds }))
      const whom = (events: typeof merged) =>
        events.map(({ object, new: facts }) => [object, 'employeeId' in facts && facts.employeeId])
      expect(whom(merged)).toEqual([
        ['EMPLOYEES_MERGED', primary.id],
        ['EMPLOYEE_UPDATED', one.id],
        ['LICENSE_REMOVED', one.id],
        ['EMPLOYEE_UPDATED', two.id],
        ['EMPLOYEE_UPDATED', primary.id],
        ['LICENSE_ASSIGNED', primary.id],
      ])
      expect(whom(await eventsOf(() => ask('POST', `employees/${one.id}/unmerge`)))).toEqual([
        ['EMPLOYEE_UPDATED', one.id],
        ['EMPLOYEE_UNMERGED', one.id],
        ['EMPLOYEE_UPDATED', primary.id],
      ])
    })

    test('any sequence of changes records exactly the events that follow from the records before and after', async () => {
      const group = fc.constantFrom('Admins', 'Berlin', 'Sales')
      const text = fc.constantFrom(null, 'x', 'y')
      const patch = fc
        .record(
          {
            email: fc.constantFrom('a@example.com', 'A@example.com', 'b@example.com'),
            firstName: text,
            department: text,
            licensed: fc.boolean(),
            chatopsEnabled: fc.boolean(),
          },
          { requiredKeys: [] },
        )
        .filter((body) => Object.keys(body).length > 0)
        .map((body) => ({ method: 'PATCH', path: '', body: body as object }))
      const grouping = fc
        .tuple(fc.constantFrom('POST', 'DELETE'), group)
        .map(([method, name]) => ({ method, path: '/groups', body: { group: name } as object }))
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(patch, grouping), { maxLength: 6 }), async (steps) => {
          caller = await h.addCaller()
          const { id } = await employee()
          for (const { method, path, body } of steps) {
            const before: Employee = await ask('GET', `employees/${id}`)
            const events = await auditEventsDuring(h.db, caller.org, () =>
              h.call(caller, method, `/v1/employees/${id}${path}`, { body }),
            )
            const after: Employee = await ask('GET', `employees/${id}`)
            const names = events.map(({ object, new: facts }) =>
              'group' in facts ? `${object} ${facts.group}` : object,
            )
            expect(names.sort()).toEqual(demanded(before, after))
          }
        }),
        { numRuns: 12 },
      )
    })

    test('a chain with older events whose values are text stays valid when new events follow', async () => {
      const { id, email } = await employee()
      const changes = [{ name: 'licensed', old: 'true', new: 'false' }]
      const facts = { employeeId: id, employeeEmail: email, changes }
      await h.db.inTransaction((tx) =>
        recordAudit(tx, caller.org, 'EMPLOYEE_UPDATED', { ...noActor, new: facts }),
      )
      await ask('PATCH', `employees/${id}`, { licensed: true })
      const { broken } = await verifyChain(h.db, caller.org)
      expect(broken).toBeUndefined()
      expect(await auditTrail(h.db, caller.org)).toHaveLength(4)
    })
  })
}
