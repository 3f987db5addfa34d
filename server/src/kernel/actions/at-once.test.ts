import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordsOf } from '../../../../test/support/answers.ts'
import {
  anAccount,
  anAccountUser,
  anApp,
  anEmployee,
  put,
  storeAccountUsers,
} from '../../../../test/support/fixtures.ts'
import { type Caller, type HarnessResponse, useHarness } from '../../../../test/support/harness.ts'
import { putPeople, shownOf } from '../../../../test/support/people.ts'
import { STORES } from '../../../../test/support/stores.ts'

const times = (count: number) => Array.from({ length: count }, (_, at) => at)
const statuses = (answers: readonly HarnessResponse[]) => answers.map(({ status }) => status).sort()

for (const store of STORES) {
  describe(`${store}: concurrent requests`, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeEach(async () => {
      caller = await h.addCaller()
    })
    const read = async (path: string) => (await h.call(caller, 'GET', `/v1/${path}`)).body
    const merge = (primary: string, ...employeeIds: string[]) =>
      h.call(caller, 'POST', `/v1/employees/${primary}/merge`, { body: { employeeIds } })

    test('labels added to one app concurrently are all kept', async () => {
      const app = anApp({ labels: [] })
      await put(h, caller.org, apps, [app])
      const labels = times(12).map((at) => `label ${at}`)
      const answers = await Promise.all(
        labels.map((label) => h.call(caller, 'POST', `/v1/apps/${app.id}/labels`, { body: { label } })),
      )
      expect(statuses(answers)).toEqual(times(12).map(() => 200))
      expect((await read(`apps/${app.id}`)).labels.toSorted()).toEqual(labels.toSorted())
      for (const label of labels)
        expect(recordsOf(await h.call(caller, 'GET', `/v1/apps?labels=${label}`))).toHaveLength(1)
    })

    test('concurrent changes of different members of one employee are all kept', async () => {
      const employee = anEmployee()
      await put(h, caller.org, employees, [employee])
      const changes = [
        { firstName: 'A' },
        { lastName: 'B' },
        { department: 'C' },
        { location: 'D' },
        { licensed: true },
        { chatopsEnabled: true },
        { email: 'moved@example.com' },
      ]
      await Promise.all(
        changes.map((body) => h.call(caller, 'PATCH', `/v1/employees/${employee.id}`, { body })),
      )
      expect(await read(`employees/${employee.id}`)).toEqual(Object.assign({ ...employee }, ...changes))
    })

    test('of two merges in opposite directions one succeeds', async () => {
      const { ada, bob } = await putPeople(h, caller.org, 'ada', 'bob')
      expect(statuses(await Promise.all([merge(ada.id, bob.id), merge(bob.id, ada.id)]))).toEqual([200, 400])
      const both = [await read(`employees/${ada.id}`), await read(`employees/${bob.id}`)]
      const [merged] = both.filter(({ mergedIntoId }) => mergedIntoId !== null)
      const [primary] = both.filter(({ mergedIntoId }) => mergedIntoId === null)
      expect(merged.mergedIntoId).toBe(primary.id)
      expect(primary.secondaryEmails).toEqual([merged.email])
      expect((await shownOf(h, caller, primary.id)).browsers).toHaveLength(2)
    })

    test('an employee merged into several others concurrently ends up merged into one', async () => {
      const { ada, bob, cy, dee } = await putPeople(h, caller.org, 'ada', 'bob', 'cy', 'dee')
      const answers = await Promise.all([ada, bob, cy].map(({ id }) => merge(id, dee.id)))
      expect(statuses(answers)).toEqual([200, 400, 400])
      const { mergedIntoId } = await read(`employees/${dee.id}`)
      const primaries = await Promise.all([ada, bob, cy].map(({ id }) => read(`employees/${id}`)))
      const holders = primaries.filter(({ secondaryEmails }) => secondaryEmails.includes(dee.email))
      expect(holders.map(({ id }) => id)).toEqual([mergedIntoId])
    })

    test('concurrent merges into one employee never exceed five merged employees', async () => {
      const primary = anEmployee()
      const others = times(8).map(() => anEmployee())
      await put(h, caller.org, employees, [primary, ...others])
      const answers = await Promise.all(others.map(({ id }) => merge(primary.id, id)))
      expect(statuses(answers)).toEqual([200, 200, 200, 200, 400, 400, 400, 400])
      expect((await read(`employees/${primary.id}`)).secondaryEmails).toHaveLength(4)
      const merged = recordsOf(await h.call(caller, 'GET', `/v1/employees?mergedIntoId=${primary.id}`))
      expect(merged).toHaveLength(4)
    })

    test('an account deleted several times concurrently is returned once', async () => {
      const account = anAccount()
      await put(h, caller.org, accounts, [account])
      await storeAccountUsers(h, caller.org, account.id, [anAccountUser(), anAccountUser()])
      const answers = await Promise.all(
        times(5).map(() => h.call(caller, 'DELETE', `/v1/accounts/${account.id}`)),
      )
      expect(statuses(answers)).toEqual([200, 404, 404, 404, 404])
    })

    test('of enrollment links created concurrently only one works', async () => {
      const employee = anEmployee()
      await put(h, caller.org, employees, [employee])
      const answers = await Promise.all(
        times(5).map(() => h.call(caller, 'POST', `/v1/employees/${employee.id}/enrollmentLink`)),
      )
      expect(statuses(answers)).toEqual([200, 200, 200, 200, 200])
      const usable = await h.db.all(
        'SELECT id FROM enrollment_links WHERE org = ? AND revoked_timestamp IS NULL',
        [caller.org],
      )
      expect(usable).toHaveLength(1)
    })

    test('concurrent merging and unmerging leaves the employees consistent', async () => {
      const { ada, bob } = await putPeople(h, caller.org, 'ada', 'bob')
      await merge(ada.id, bob.id)
      const unmerge = () => h.call(caller, 'POST', `/v1/employees/${bob.id}/unmerge`)
      expect(statuses(await Promise.all([unmerge(), unmerge(), unmerge()]))).toEqual([200, 400, 400])
      expect(await read(`employees/${ada.id}`)).toEqual(ada)
      expect(await read(`employees/${bob.id}`)).toEqual(bob)
      expect((await shownOf(h, caller, bob.id)).accounts).toHaveLength(1)
    })
  })
}
