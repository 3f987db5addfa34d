import { hash } from 'node:crypto'
import { detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, page } from '../../../../test/support/answers.ts'
import {
  aDetection,
  anEmployee,
  asShownInDetection,
  put,
  stateOf,
} from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'

const fourteenDays = 14 * 24 * 60 * 60

interface LinkRow {
  employeeId: string
  tokenHash: string
  creation: number
  expiration: number
  used: number | null
  revoked: number | null
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    let ada: Employee
    beforeEach(async () => {
      caller = await h.addCaller()
      ada = anEmployee()
      await put(h, caller.org, employees, [ada])
    })
    const enroll = (employee: Employee) =>
      h.call(caller, 'POST', `/v1/employees/${employee.id}/enrollmentLink`)
    const tokenOf = (link: string) => link.split('/').at(-1) ?? ''
    const links = () =>
      h.db.all<LinkRow>(
        `SELECT employee_id AS "employeeId", token_hash AS "tokenHash", creation_timestamp AS creation,
         expiration_timestamp AS expiration, used_timestamp AS used, revoked_timestamp AS revoked
         FROM enrollment_links WHERE org = ? ORDER BY creation_timestamp`,
        [caller.org],
      )

    describe('POST /v1/employees/{id}/enrollmentLink', () => {
      test('licenses the employee and returns a link that is valid for 14 days', async () => {
        const answer = await enroll(ada)
        expectAnswer(answer, {
          enrollmentLink: expect.stringMatching(/^https:\/\/muster\.test\/enroll\/[\w-]{43}$/),
          expirationTimestamp: unixSeconds(h.clock) + fourteenDays,
        })
        expectAnswer(
          await h.call(caller, 'GET', '/v1/employees?licensed=true'),
          page([{ ...ada, licensed: true }]),
        )
      })

      test('stores only the hash of the token', async () => {
        const { body } = await enroll(ada)
        const token = tokenOf(body.enrollmentLink)
        expect(await links()).toEqual([
          {
            employeeId: ada.id,
            tokenHash: hash('sha256', token, 'hex'),
            creation: unixSeconds(h.clock),
            expiration: body.expirationTimestamp,
            used: null,
            revoked: null,
          },
        ])
        expect((await stateOf(h, caller.org)).join('\n')).not.toContain(token)
      })

      test('revokes older unused links of the employee only', async () => {
        const bob = anEmployee()
        await put(h, caller.org, employees, [bob])
        await enroll(bob)
        await enroll(ada)
        await h.db.inTransaction((tx) =>
          tx.run('UPDATE enrollment_links SET used_timestamp = 1 WHERE employee_id = ?', [ada.id]),
        )
        await enroll(ada)
        await enroll(ada)
        const now = unixSeconds(h.clock)
        const rows = await links()
        expect(rows.map(({ employeeId, used, revoked }) => ({ employeeId, used, revoked }))).toEqual([
          { employeeId: bob.id, used: null, revoked: null },
          { employeeId: ada.id, used: 1, revoked: null },
          { employeeId: ada.id, used: null, revoked: now },
          { employeeId: ada.id, used: null, revoked: null },
        ])
        expect(new Set(rows.map(({ tokenHash }) => tokenHash)).size).toBe(4)
      })

      test('updates the license in detections of the employee', async () => {
        const detection = aDetection({ employeeId: ada.id, employee: asShownInDetection(ada) })
        await put(h, caller.org, detections, [detection])
        await enroll(ada)
        const employee = { ...asShownInDetection(ada), licensed: true }
        expectAnswer(await h.call(caller, 'GET', '/v1/detections'), page([{ ...detection, employee }]))
      })

      test('returns 409 with the primary for a merged employee', async () => {
        const merged = anEmployee({ mergedIntoId: ada.id })
        await put(h, caller.org, employees, [merged])
        const before = await stateOf(h, caller.org)
        const answer = await enroll(merged)
        expectProblem(answer, 'conflict')
        expect(answer.body.detail).toContain(ada.id)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })
  })
}
