import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { detections } from '@muster/contract/records/detection'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditedV1 } from '../../../../test/guards/audited-acts.ts'
import {
  auditEventsDuring,
  auditObjectsOf,
  auditTrail,
  oneEach,
  type Scene,
  schemaMistakes,
} from '../../../../test/support/audit.ts'
import { aDetection, anAccount, anApp, put } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

type Scenes = { readonly [A in keyof typeof auditedV1]: Record<(typeof auditedV1)[A][number], Scene> }

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeAll(async () => {
      caller = await h.addCaller()
    })

    let count = 0
    const ask = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const answer = await h.call(caller, method, `/v1/${path}`, { headers, ...(body ? { body } : {}) })
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200)
      return answer.body
    }
    const employee = async (more: object = {}) =>
      ask('POST', 'employees', { email: `p${++count}-${caller.org}@example.com`, ...more })
    const app = async () => {
      const record = anApp({ type: 'ZAPIER', labels: [] })
      await put(h, caller.org, apps, [record])
      return record
    }
    const account = async () => {
      const loginMethods = { ...anAccount().loginMethods, usernamePassword: 1 }
      const record = anAccount({ loginMethods } as Partial<ReturnType<typeof anAccount>>)
      await put(h, caller.org, accounts, [record])
      return record
    }
    const scenes: Scenes = {
      forgetAccount: {
        ACCOUNT_FORGOTTEN: async () => {
          const { id } = await account()
          return () => ask('DELETE', `accounts/${id}`)
        },
      },
      deleteLoginMethod: {
        ACCOUNT_LOGIN_METHOD_REMOVED: async () => {
          const { id } = await account()
          return () => ask('DELETE', `accounts/${id}/loginMethods`, { loginMethod: 'USERNAME_PASSWORD' })
        },
      },
      updateApp: {
        APP_UPDATED: async () => {
          const { id } = await app()
          return () => ask('PATCH', `apps/${id}`, { approvalStatus: 'APPROVED', notes: 'x'.repeat(10_000) })
        },
      },
      addAppLabel: {
        APP_LABELS_ADDED: async () => {
          const { id } = await app()
          return () => ask('POST', `apps/${id}/labels`, { label: ' GenAI ' })
        },
      },
      deleteAppLabel: {
        APP_LABELS_REMOVED: async () => {
          const { id } = await app()
          await ask('POST', `apps/${id}/labels`, { label: 'GenAI' })
          return () => ask('DELETE', `apps/${id}/labels?label=genai`)
        },
      },
      updateDetection: {
        DETECTION_UPDATED: async () => {
          const record = aDetection({ archived: false })
          await put(h, caller.org, detections, [record])
          return () => ask('PATCH', `detections/${record.id}`, { archived: true })
        },
      },
      addEmployee: { EMPLOYEE_ADDED: async () => () => employee({ groups: ['Engineers'], licensed: true }) },
      updateEmployee: {
        EMPLOYEE_UPDATED: async () => {
          const { id } = await employee()
          return () => ask('PATCH', `employees/${id}`, { licensed: true, email: `new-${id}@example.com` })
        },
        EMPLOYEE_EMAIL_UPDATED: async () => {
          const { id } = await employee()
          return () => ask('PATCH', `employees/${id}`, { email: `newer-${id}@example.com`, licensed: false })
        },
        LICENSE_ASSIGNED: async () => {
          const { id } = await employee()
          return () => ask('PATCH', `employees/${id}`, { licensed: true })
        },
        LICENSE_REMOVED: async () => {
          const { id } = await employee({ licensed: true })
          return () => ask('PATCH', `employees/${id}`, { licensed: false })
        },
      },
      createEnrollmentLink: {
        ENROLLMENT_LINK_CREATED: async () => {
          const { id } = await employee()
          return () => ask('POST', `employees/${id}/enrollmentLink`)
        },
      },
      addEmployeeToGroup: {
        EMPLOYEE_ADDED_TO_GROUP: async () => {
          const { id } = await employee()
          return () => ask('POST', `employees/${id}/groups`, { group: 'Engineers' })
        },
      },
      deleteEmployeeFromGroup: {
        EMPLOYEE_REMOVED_FROM_GROUP: async () => {
          const { id } = await employee({ groups: ['Engineers'] })
          return () => ask('DELETE', `employees/${id}/groups`, { group: 'Engineers' })
        },
      },
      mergeEmployees: {
        EMPLOYEES_MERGED: async () => {
          const [one, other] = [await employee(), await employee()]
          return () => ask('POST', `employees/${one.id}/merge`, { employeeIds: [other.id] })
        },
      },
      unmergeEmployee: {
        EMPLOYEE_UNMERGED: async () => {
          const [one, other] = [await employee(), await employee()]
          await ask('POST', `employees/${one.id}/merge`, { employeeIds: [other.id] })
          return () => ask('POST', `employees/${other.id}/unmerge`)
        },
      },
      addBlockedUrl: {
        BLOCKED_URLS_ADDED: async () => () => ask('POST', 'controls/blockedUrls', { url: '*.example.net' }),
      },
      deleteBlockedUrls: {
        BLOCKED_URLS_REMOVED: async () => () => ask('DELETE', 'controls/blockedUrls'),
      },
      addStolenCredentials: {
        STOLEN_CREDENTIALS_ADDED: async () => () =>
          ask('POST', 'controls/stolenCredentials', {
            source: 'feed',
            credentials: [{ email: 'x@example.com', password: 'tr0ub4dor&3' }],
          }),
      },
      deleteStolenCredentials: {
        STOLEN_CREDENTIALS_REMOVED: async () => () => ask('DELETE', 'controls/stolenCredentials'),
      },
    }

    const ofEmployees = {
      addEmployee: { EMPLOYEE_ADDED: ['EMPLOYEE_ADDED', 'LICENSE_ASSIGNED', 'EMPLOYEE_ADDED_TO_GROUP'] },
      updateEmployee: {
        EMPLOYEE_UPDATED: ['EMPLOYEE_UPDATED', 'EMPLOYEE_EMAIL_UPDATED', 'LICENSE_ASSIGNED'],
        EMPLOYEE_EMAIL_UPDATED: ['EMPLOYEE_UPDATED', 'EMPLOYEE_EMAIL_UPDATED'],
        LICENSE_ASSIGNED: ['EMPLOYEE_UPDATED', 'LICENSE_ASSIGNED'],
        LICENSE_REMOVED: ['EMPLOYEE_UPDATED', 'LICENSE_REMOVED'],
      },
      createEnrollmentLink: {
        ENROLLMENT_LINK_CREATED: ['EMPLOYEE_UPDATED', 'LICENSE_ASSIGNED', 'ENROLLMENT_LINK_CREATED'],
      },
      addEmployeeToGroup: { EMPLOYEE_ADDED_TO_GROUP: ['EMPLOYEE_UPDATED', 'EMPLOYEE_ADDED_TO_GROUP'] },
      deleteEmployeeFromGroup: {
        EMPLOYEE_REMOVED_FROM_GROUP: ['EMPLOYEE_UPDATED', 'EMPLOYEE_REMOVED_FROM_GROUP'],
      },
      mergeEmployees: { EMPLOYEES_MERGED: ['EMPLOYEES_MERGED', 'EMPLOYEE_UPDATED', 'EMPLOYEE_UPDATED'] },
      unmergeEmployee: { EMPLOYEE_UNMERGED: ['EMPLOYEE_UPDATED', 'EMPLOYEE_UNMERGED', 'EMPLOYEE_UPDATED'] },
    }

    test('each call of /v1 that changes something records events with the key and the change', async () => {
      const recorded = await auditObjectsOf(h.db, caller.org, scenes)
      expect(recorded).toEqual({ ...oneEach(auditedV1), ...ofEmployees })
      const events = await auditTrail(h.db, caller.org)
      expect(events.flatMap(schemaMistakes)).toEqual([])
      const actor = { source: 'API', apiKeyName: 'test', apiKeyCreatedBy: `${caller.keyId}@example.com` }
      const connection = { sourceIpAddress: '127.0.0.1', userAgent: 'lightMyRequest' }
      expect(new Set(events.map((event) => JSON.stringify(event.actor)))).toEqual(
        new Set([JSON.stringify({ ...actor, ...connection })]),
      )
      expect(JSON.stringify(events)).not.toMatch(/tr0ub4dor|mstr_|\/enroll\//)
    })

    test('a changed app is recorded with old and new values', async () => {
      const { id, approvalStatus, notes } = await app()
      const recorded = await auditEventsDuring(h.db, caller.org, () =>
        ask('PATCH', `apps/${id}`, { approvalStatus: 'NOT_APPROVED', notes: 'Ask IT for an account.' }),
      )
      expect(recorded.map(({ new: facts }) => facts)).toEqual([
        {
          appId: id,
          appType: 'ZAPIER',
          changes: [
            { name: 'approvalStatus', old: approvalStatus, new: 'NOT_APPROVED' },
            { name: 'notes', old: notes, new: 'Ask IT for an account.' },
          ],
        },
      ])
    })

    test('calls that change nothing, fail or repeat an earlier call record no event', async () => {
      const { id, email } = await employee({ groups: ['Engineers'] })
      const keyed = { 'idempotency-key': `again-${id}` }
      await ask('POST', `employees/${id}/groups`, { group: 'Berlin' }, keyed)
      const before = (await auditTrail(h.db, caller.org)).length
      await ask('POST', `employees/${id}/groups`, { group: 'Berlin' }, keyed)
      await ask('POST', `employees/${id}/groups`, { group: 'Engineers' })
      await ask('PATCH', `employees/${id}`, { email, licensed: false })
      await ask('DELETE', 'controls/blockedUrls')
      await ask('DELETE', 'controls/stolenCredentials')
      const taken = await h.call(caller, 'POST', '/v1/employees', { body: { email } })
      const reader = await h.addKey(caller.org, 'READ_ONLY')
      const forbidden = await h.call(reader, 'DELETE', '/v1/controls/blockedUrls')
      expect([taken.status, forbidden.status]).toEqual([409, 403])
      expect((await auditTrail(h.db, caller.org)).length).toBe(before)
    })

    test('concurrent writers build one chain without gaps, and each organization has its own', async () => {
      const other = await h.addCaller()
      const write = (one: Caller, at: number) =>
        h.call(one, 'POST', '/v1/employees', { body: { email: `at-once-${at}@example.com` }, still: true })
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, at) => write(at % 2 ? other : caller, at)),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
      expect(await auditTrail(h.db, other.org)).toHaveLength(8)
    })
  })
}
