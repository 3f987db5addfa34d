import { groupsMaximum } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring, schemaMistakes } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { useObserved } from '../../../../test/support/reporting-browsers.ts'
import {
  connectDirectory,
  type Directory,
  enterpriseUrn,
  freshName,
  userUrn,
} from '../../../../test/support/scim-client.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { directoryUsersOf, eraseDirectoryUsers } from './directory-people.service.ts'
import { insertGroup, insertMembers } from './scim-rows.store.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    let d: Directory
    let owner: SignedIn
    beforeEach(async () => {
      d = await connectDirectory(h, { caller: o.caller })
      owner = await signedIn(h, o.caller.org)
    })
    const objects = async (action: () => Promise<unknown>) => {
      const events = await auditEventsDuring(h.db, o.caller.org, action)
      for (const event of events) expect(schemaMistakes(event)).toEqual([])
      return events.map(({ object }) => object)
    }
    const set = (id: string, values: object) => d.patch(`/Users/${id}`, { op: 'replace', value: values })

    test('a user becomes a licensed employee with the fields of the directory', async () => {
      const email = freshName()
      const { id } = await d.addUser({
        userName: 'corp\\ada',
        name: { givenName: 'Ada', familyName: ' Byron ' },
        emails: [
          { value: 'home@x.example', type: 'home' },
          { value: email, type: 'work' },
        ],
        addresses: [{ type: 'work', locality: 'London' }],
        [enterpriseUrn]: { department: 'Engines' },
      })
      expect(await d.employee(email)).toMatchObject({
        id,
        email,
        firstName: 'Ada',
        lastName: 'Byron',
        department: 'Engines',
        location: 'London',
        licensed: true,
      })
    })

    test('an existing employee is taken over with their history; inactive users are offboarded, never erased', async () => {
      await o.ada.send(o.make.login({ email: o.ada.employee.email }))
      const { email, id } = o.ada.employee
      const user = await d.addUser({
        userName: email.toUpperCase(),
        emails: [{ value: email, type: 'work' }],
      })
      expect(user.id).toBe(id)
      expect(await d.employee(email)).toMatchObject({ id, licensed: true })
      expect(await objects(() => set(id, { active: false }))).toEqual([
        'EMPLOYEE_UPDATED',
        'LICENSE_REMOVED',
        'SETTING_UPDATED',
        'SETTING_UPDATED',
      ])
      expect(await objects(() => set(id, { active: false }))).toEqual([])
      await expect(o.ada.send(o.make.visit())).rejects.toThrow('401')
      expect(await d.employee(email)).toMatchObject({ id, licensed: false })
      expect(await o.list('accounts')).toHaveLength(1)
      expect(await o.list('browsers')).toHaveLength(1)
    })

    test('a removed user leaves the groups of the directory and the license; the employee and all that is known stay', async () => {
      await o.ada.send(o.make.login({ email: o.ada.employee.email }))
      const { email, id } = o.ada.employee
      await h.call(o.caller, 'POST', `/v1/employees/${id}/groups`, { body: { group: 'By hand' } })
      await d.addUser({ userName: email })
      await d.addGroup('By directory', id)
      expect((await d.employee(email)).groups).toEqual(['By hand', 'By directory'])
      await d.send('DELETE', `/Users/${id}`)
      expect(await d.employee(email)).toMatchObject({ id, licensed: false, groups: ['By hand'] })
      expect(await o.list('accounts')).toHaveLength(1)
      const again = await d.addUser({ userName: email })
      expect(again.id).not.toBe(id)
      expect(await d.employee(email)).toMatchObject({ id, licensed: true, groups: ['By hand'] })
    })

    test('each change that changes something is audited once, without values of other attributes', async () => {
      const userName = freshName()
      let id = ''
      const add = async () => {
        id = (await d.addUser({ userName })).id
      }
      expect(await objects(add)).toEqual(['EMPLOYEE_ADDED', 'LICENSE_ASSIGNED'])
      expect(await objects(() => set(id, { nickName: 'Nick' }))).toEqual(['SETTING_UPDATED'])
      const [event] = await auditEventsDuring(h.db, o.caller.org, () => set(id, { nickName: 'Secret nick' }))
      expect(event?.actor).toMatchObject({ source: 'API', apiKeyName: 'SCIM: Okta' })
      expect(JSON.stringify(event)).not.toContain('Secret nick')
      expect(await objects(() => set(id, { nickName: 'Secret nick' }))).toEqual([])
      let group = ''
      const addGroup = async () => {
        group = (await d.addGroup('Audited', id)).id
      }
      expect(await objects(addGroup)).toContain('EMPLOYEE_ADDED_TO_GROUP')
      expect(await objects(() => d.send('GET', '/Users'))).toEqual([])
      expect(
        await objects(() =>
          d.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: id }] }),
        ),
      ).toEqual([])
      expect(await objects(() => d.send('DELETE', `/Groups/${group}`))).toContain(
        'EMPLOYEE_REMOVED_FROM_GROUP',
      )
    })

    test('users without an address, or with that of another user, are kept without an employee and shown', async () => {
      const email = freshName()
      await d.addUser({ userName: 'robot' })
      await d.addUser({ userName: email })
      const second = await d.addUser({ userName: 'admin-account', emails: [{ value: email }] })
      const { body } = await owner.call('GET', 'directory')
      expect(body).toMatchObject({ problems: 2 })
      expect(body.problemUsers).toEqual([
        { userName: 'admin-account', problem: 'ADDRESS_TAKEN', employeeId: null },
        { userName: 'robot', problem: 'NO_ADDRESS', employeeId: null },
      ])
      await set(second.id, { emails: [{ value: `own-${email}`, type: 'work' }] })
      expect(await d.employee(`own-${email}`)).toMatchObject({ id: second.id })
      expect((await owner.call('GET', 'directory')).body.problems).toBe(1)
    })

    test('people cannot change what the directory manages, API keys can; the rest is theirs', async () => {
      const userName = freshName()
      const { id } = await d.addUser({ userName, [enterpriseUrn]: { department: 'Engines' } })
      await d.addGroup(`Managed ${id}`, id)
      const path = `records/employees/${id}`
      for (const change of [
        { department: 'Sales' },
        { email: freshName() },
        { location: 'Rome', department: null },
      ]) {
        const refused = await owner.call('PATCH', path, change)
        expectProblem(refused, 'conflict')
        expect(refused.body.detail).toMatch(
          /^The directory manages the (?:department|email address) of this employee/,
        )
      }
      expect(
        (await owner.call('PATCH', path, { location: 'Rome', licensed: false, department: 'Engines' }))
          .status,
      ).toBe(200)
      expectProblem(await owner.call('DELETE', `${path}/groups`, { group: `Managed ${id}` }), 'conflict')
      expect((await owner.call('POST', `${path}/groups`, { group: 'Own' })).status).toBe(200)
      expect((await owner.call('GET', `employees/${id}/directory`)).body).toMatchObject({
        userName,
        active: true,
        members: ['email', 'department'],
        groups: [`Managed ${id}`],
      })
      const byKey = await h.call(o.caller, 'PATCH', `/v1/employees/${id}`, { body: { department: 'Sales' } })
      expect(byKey.status).toBe(200)
      // The directory's value returns with its next request.
      await d.send('PUT', `/Users/${id}`, {
        schemas: [userUrn],
        userName,
        [enterpriseUrn]: { department: 'Engines' },
      })
      expect(await d.employee(userName)).toMatchObject({
        department: 'Engines',
        location: 'Rome',
        licensed: false,
      })
      expect((await owner.call('GET', `employees/${o.ada.employee.id}/directory`)).body.userName).toBeNull()
      expectProblem(await owner.call('GET', 'employees/none/directory'), 'not_found')
      await d.send('PUT', `/Users/${id}`, { schemas: [userUrn], userName: `no address ${id}` })
      expect((await owner.call('PATCH', path, { email: freshName() })).status).toBe(200)
    })

    test('the data on a person has what the directory sent, and erasing deletes it', async () => {
      const userName = freshName()
      const { id } = await d.addUser({ userName, nickName: 'Ace' })
      await d.addUser({ userName: 'second', emails: [{ value: userName.toUpperCase() }] })
      await d.addGroup(`Erased ${id}`, id)
      const person = { ids: [id], addresses: [userName] }
      const found = await directoryUsersOf(h.db, o.caller.org, person)
      expect(found).toHaveLength(2)
      expect(found).toContainEqual(expect.objectContaining({ id, nickName: 'Ace', groups: [`Erased ${id}`] }))
      expect(found).toContainEqual(expect.objectContaining({ userName: 'second' }))
      const { body } = await owner.call('GET', `employees/${id}/data?format=json`)
      expect(body.directory).toHaveLength(2)
      // Another person, whose user lists the address, too.
      const other = await d.addUser({
        emails: [{ value: `other-${userName}`, primary: true }, { value: userName }],
      })
      const erased = await h.db.inTransaction((tx) => eraseDirectoryUsers(tx, o.caller.org, person))
      expect(erased).toBe(2)
      for (const table of ['scim_users', 'scim_emails'])
        expect(JSON.stringify(await h.db.all(`SELECT * FROM ${table}`))).not.toContain(`"${userName}`)
      expect((await d.send('GET', `/Users/${other.id}`)).body.emails).toEqual([
        { value: `other-${userName}`, primary: true },
      ])
      expect((await d.send('GET', `/Users/${id}`)).status).toBe(404)
    })

    test('a user in more groups than an employee can have gets no employee', async () => {
      const { id } = await d.addUser({ userName: `many groups ${freshName()} ` })
      const { org } = o.caller
      await h.db.inTransaction(async (tx) => {
        for (let number = 0; number <= groupsMaximum; number++) {
          const group = { id: `many-${number}`, name: `Many ${number}`, externalId: null }
          await insertGroup(tx, org, { ...group, version: 1, createdMs: 0, modifiedMs: 0 })
          await insertMembers(tx, org, group.id, [id])
        }
      })
      const emails = [{ value: freshName() }]
      const refused = await d.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: emails })
      expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidValue'])
    })

    test('a token without licenses gives none', async () => {
      const plain = await connectDirectory(h, { caller: o.caller, assignsLicenses: false })
      const { userName } = await plain.addUser()
      expect(await plain.employee(userName)).toMatchObject({ licensed: false })
    })

    test('merged employees: the user of the primary decides about the license', async () => {
      const [one, two] = [await d.addUser(), await d.addUser()]
      await h.call(o.caller, 'POST', `/v1/employees/${one.id}/merge`, { body: { employeeIds: [two.id] } })
      await set(two.id, { active: false })
      expect(await d.employee(one.userName)).toMatchObject({ licensed: true })
      await set(one.id, { active: false })
      expect(await d.employee(one.userName)).toMatchObject({ licensed: false })
    })

    test('a large group is changed in several transactions; a repeat changes nothing', async () => {
      const ids: string[] = []
      for (let count = 0; count < 12; count++) {
        const { body } = await d.send('POST', '/Bulk', {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
          Operations: Array.from({ length: 50 }, (_, at) => ({
            method: 'POST',
            path: '/Users',
            bulkId: `u${at}`,
            data: { schemas: [userUrn], userName: freshName() },
          })),
        })
        for (const { location } of body.Operations) ids.push(location.slice(location.lastIndexOf('/') + 1))
      }
      const { id } = await d.addGroup('Everyone', ...ids)
      const members = { op: 'add', path: 'members', value: ids.map((value) => ({ value })) }
      expect(await objects(() => d.patch(`/Groups/${id}`, members))).toEqual([])
      const renamed = await d.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'All' })
      expect(renamed.body).toMatchObject({ displayName: 'All' })
      const inGroup = async (group: string) =>
        (await h.call(o.caller, 'GET', `/v1/employees?group=${group}&limit=1000`)).body['the service'].length
      expect([await inGroup('Everyone'), await inGroup('All')]).toEqual([0, 600])
      expect((await d.send('DELETE', `/Groups/${id}`)).status).toBe(204)
      expect(await inGroup('All')).toBe(0)
    })

    test('tokens are shown once, stored as hashes, and stop working when they are revoked', async () => {
      const { body } = await owner.call('POST', 'directory/tokens', {
        name: 'Entra ID',
        assignsLicenses: true,
      })
      expect(body.token).toMatch(/^msct_/)
      const get = () =>
        h.call(null, 'GET', '/scim/v2/Users', { headers: { authorization: `Bearer ${body.token}` } })
      expect((await get()).status).toBe(200)
      const own = async () => {
        const { tokens } = (await owner.call('GET', 'directory')).body
        return tokens.find((one: { id: string }) => one.id === body.id)
      }
      await until('the last use', async () => (await own()).lastUsedTimestamp !== null)
      const listed = (await owner.call('GET', 'directory')).body
      expect(listed.baseUrl).toBe('https://muster.test/scim/v2')
      expect(listed.tokens.find((one: { id: string }) => one.id === body.id)).toMatchObject({
        name: 'Entra ID',
        revokedTimestamp: null,
        lastUsedTimestamp: expect.any(Number),
      })
      expect(JSON.stringify(listed)).not.toContain(body.token)
      expect(JSON.stringify(await h.db.all('SELECT * FROM scim_tokens'))).not.toContain(body.token)
      expect((await owner.call('DELETE', `directory/tokens/${body.id}`)).status).toBe(200)
      expect((await get()).status).toBe(401)
      const reader = await signedIn(h, o.caller.org, 'FULL_ACCESS')
      expectProblem(
        await reader.call('POST', 'directory/tokens', { name: 'x', assignsLicenses: true }),
        'role_too_low',
      )
      const stranger = await signedIn(h, await h.addOrganization(`other-${o.caller.org}`))
      expectProblem(await stranger.call('DELETE', `directory/tokens/${body.id}`), 'not_found')
    })
  })
}
