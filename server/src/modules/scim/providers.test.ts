import { beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../../../../test/support/harness.ts'
import {
  enterpriseUrn,
  freshName,
  groupUrn,
  useDirectory,
  userUrn,
} from '../../../../test/support/scim-client.ts'
import { STORES } from '../../../../test/support/stores.ts'

/** Requests in the shapes that the documentation of the providers shows. */

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const d = useDirectory(h)
    const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

    describe('Okta', () => {
      let id = ''
      const userName = freshName()
      const profile = {
        schemas: [userUrn],
        userName,
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: userName, type: 'work' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      }

      beforeAll(async () => {
        const found = await d.send(
          'GET',
          `/Users?filter=userName%20eq%20%22${userName}%22&startIndex=1&count=100`,
        )
        expect(found.body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] })
        const made = await d.send('POST', '/Users', profile)
        expect(made.status).toBe(201)
        id = made.body.id
      })

      test('tests the connection and imports users', async () => {
        expect((await d.send('GET', '/Users?startIndex=1&count=2')).status).toBe(200)
        expect((await d.send('GET', '/Groups?startIndex=1&count=100')).status).toBe(200)
      })

      test('updates a profile by PUT, with the ID and metadata in the body', async () => {
        const { body } = await d.send('GET', `/Users/${id}`)
        const put = await d.send('PUT', `/Users/${id}`, {
          ...body,
          name: { givenName: 'Another', familyName: 'User' },
        })
        expect(put.status).toBe(200)
        expect(put.body.name.givenName).toBe('Another')
        expect(await d.employee(userName)).toMatchObject({ firstName: 'Another', licensed: true })
      })

      test('deactivates and reactivates by a PATCH without a path', async () => {
        const set = (active: boolean) =>
          d.send('PATCH', `/Users/${id}`, {
            schemas: [patchUrn],
            Operations: [{ op: 'replace', value: { active } }],
          })
        expect((await set(false)).body.active).toBe(false)
        expect(await d.employee(userName)).toMatchObject({ licensed: false, firstName: 'Another' })
        expect((await set(true)).body.active).toBe(true)
        expect(await d.employee(userName)).toMatchObject({ licensed: true })
      })

      test('pushes groups: POST, members, rename by an object with the ID, PUT, DELETE', async () => {
        const other = await d.addUser()
        const displayName = `Okta ${id}`
        const made = await d.send('POST', '/Groups', { schemas: [groupUrn], displayName, members: [] })
        expect(made.status).toBe(201)
        const path = `/Groups/${made.body.id}`
        const operations = (...Operations: object[]) =>
          d.send('PATCH', path, { schemas: [patchUrn], Operations })
        const added = await operations({
          op: 'add',
          path: 'members',
          value: [
            { value: id, display: userName },
            { value: other.id, display: other.userName },
          ],
        })
        expect(added.body.members).toHaveLength(2)
        expect((await d.employee(userName)).groups).toEqual([displayName])
        const renamed = await operations(
          { op: 'replace', value: { id: made.body.id, displayName: `${displayName} 2` } },
          { op: 'remove', path: `members[value eq "${other.id}"]` },
        )
        expect(renamed.body).toMatchObject({ displayName: `${displayName} 2`, members: [{ value: id }] })
        expect((await d.employee(userName)).groups).toEqual([`${displayName} 2`])
        expect((await d.employee(other.userName)).groups).toEqual([])
        const replaced = await operations({ op: 'replace', path: 'members', value: [{ value: other.id }] })
        expect(replaced.body.members).toMatchObject([{ value: other.id }])
        const put = await d.send('PUT', path, {
          schemas: [groupUrn],
          id: made.body.id,
          displayName,
          members: [{ value: id, display: userName }],
        })
        expect([put.status, put.body.members.length]).toEqual([200, 1])
        expect((await d.employee(userName)).groups).toEqual([displayName])
        expect((await d.send('DELETE', path)).status).toBe(204)
        expect((await d.employee(userName)).groups).toEqual([])
      })
    })

    describe('Entra ID', () => {
      const externalId = '58342554-38d6-4ec8-948c-50044d0a33fd'
      const userName = freshName()
      let id = ''
      const operations = (...Operations: object[]) =>
        d.send('PATCH', `/Users/${id}`, { schemas: [patchUrn], Operations })

      beforeAll(async () => {
        const none = await d.filter('/Users', `userName eq "non-existent user"`)
        expect([none.status, none.body.totalResults]).toEqual([200, 0])
        const made = await d.send('POST', '/Users', {
          schemas: [userUrn, enterpriseUrn],
          externalId,
          userName,
          active: 'True',
          addresses: null,
          displayName: 'lennay',
          emails: [{ type: 'work', value: userName, primary: true }],
          meta: { resourceType: 'User' },
          name: { formatted: 'Adrienne McNally', familyName: 'McNally', givenName: 'Adrienne' },
          phoneNumbers: null,
          preferredLanguage: null,
          roles: [],
          [enterpriseUrn]: { department: 'bob', manager: null },
        })
        expect(made.status).toBe(201)
        expect(made.body.active).toBe(true)
        id = made.body.id
      })

      test('finds users by externalId and by userName, in another case', async () => {
        for (const filter of [
          `externalId eq "${externalId}"`,
          `userName eq "${userName.toUpperCase()}"`,
          `emails[type eq "work"].value eq "${userName}"`,
        ])
          expect((await d.filter('/Users', filter)).body.Resources).toMatchObject([{ id }])
      })

      test('changes values by paths with a type, operations in another case, and values that do not exist', async () => {
        const { status, body } = await operations(
          { op: 'Replace', path: 'emails[type eq "work"].value', value: `new-${userName}` },
          { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '600-555-1234' },
          { op: 'Replace', path: 'phoneNumbers[type eq "fax"].value', value: '600-555-1235' },
          { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Redmond' },
          { op: 'Replace', path: 'name.givenName', value: 'Addy' },
          { op: 'Add', path: `${enterpriseUrn}:department`, value: 'Sales' },
          { op: 'Add', path: `${enterpriseUrn}:manager`, value: 'some-manager' },
          { op: 'Replace', path: 'title', value: [{ value: 'Engineer' }] },
        )
        expect(status).toBe(200)
        expect(body).toMatchObject({
          emails: [{ type: 'work', value: `new-${userName}`, primary: true }],
          phoneNumbers: [
            { value: '600-555-1234', type: 'mobile' },
            { value: '600-555-1235', type: 'fax' },
          ],
          title: 'Engineer',
          [enterpriseUrn]: { department: 'Sales', manager: { value: 'some-manager' } },
        })
        expect(await d.employee(`new-${userName}`)).toMatchObject({
          firstName: 'Addy',
          department: 'Sales',
          location: 'Redmond',
        })
      })

      test('changes several attributes without a path, by keys that are paths', async () => {
        const { body } = await operations({
          op: 'Add',
          value: {
            'name.familyName': 'Other',
            [`${enterpriseUrn}:employeeNumber`]: '7',
            'emails[type eq "home"].value': 'home@x.example',
          },
        })
        expect(body.name.familyName).toBe('Other')
        expect(body[enterpriseUrn].employeeNumber).toBe('7')
        expect(body.emails).toHaveLength(2)
      })

      test('disables a user by the text "False", removes the manager, then deletes', async () => {
        expect((await operations({ op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
        expect(await d.employee(`new-${userName}`)).toMatchObject({ licensed: false })
        expect((await operations({ op: 'Remove', path: `${enterpriseUrn}:manager` })).status).toBe(200)
        expect((await d.filter('/Users', `userName eq "${userName}"`)).body.Resources).toMatchObject([
          { active: false },
        ])
        expect((await d.send('DELETE', `/Users/${id}`)).status).toBe(204)
        expect(await d.employee(`new-${userName}`)).toMatchObject({ firstName: 'Addy' })
      })

      test('manages groups without reading their members', async () => {
        const user = await d.addUser()
        const made = await d.send('POST', '/Groups', {
          schemas: [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
          externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
          displayName: `Entra ${user.id}`,
          meta: { resourceType: 'Group' },
        })
        expect(made.status).toBe(201)
        const path = `/Groups/${made.body.id}`
        const change = (...Operations: object[]) => d.send('PATCH', path, { schemas: [patchUrn], Operations })
        const added = await change({ op: 'Add', path: 'members', value: [{ $ref: null, value: user.id }] })
        expect([200, 204]).toContain(added.status)
        const brief = await d.send('GET', `${path}?excludedAttributes=members`)
        expect(brief.body).toMatchObject({ displayName: `Entra ${user.id}` })
        expect(brief.body).not.toHaveProperty('members')
        const found = await d.send(
          'GET',
          `/Groups?excludedAttributes=members&filter=displayName%20eq%20%22Entra%20${user.id}%22`,
        )
        expect(found.body.totalResults).toBe(1)
        const isMember = await d.filter('/Groups', `id eq "${made.body.id}" and members eq "${user.id}"`)
        expect(isMember.body.totalResults).toBe(1)
        await change({ op: 'Replace', path: 'displayName', value: `Renamed ${user.id}` })
        expect((await d.employee(user.userName)).groups).toEqual([`Renamed ${user.id}`])
        await change({ op: 'Remove', path: 'members', value: [{ $ref: null, value: user.id }] })
        expect((await d.employee(user.userName)).groups).toEqual([])
        expect((await d.send('DELETE', path)).status).toBe(204)
      })
    })

    describe('Google Workspace', () => {
      test('creates, updates by PUT and PATCH, suspends and removes users', async () => {
        const userName = freshName()
        const body = {
          schemas: [userUrn, enterpriseUrn],
          userName,
          externalId: '115872034',
          name: { givenName: 'Grace', familyName: 'Hopper', formatted: 'Grace Hopper' },
          emails: [{ value: userName, type: 'work', primary: true }],
          active: true,
          [enterpriseUrn]: { department: 'Navy' },
        }
        const made = await d.send('POST', '/Users', body, { 'content-type': 'application/json' })
        expect(made.status).toBe(201)
        const { id } = made.body
        expect((await d.filter('/Users', 'externalId eq "115872034"')).body.Resources).toMatchObject([{ id }])
        expect((await d.send('PUT', `/Users/${id}`, { ...body, id, title: 'Admiral' })).body.title).toBe(
          'Admiral',
        )
        await d.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
        expect(await d.employee(userName)).toMatchObject({ licensed: false, department: 'Navy' })
        expect((await d.send('DELETE', `/Users/${id}`)).status).toBe(204)
        expect((await d.filter('/Users', 'externalId eq "115872034"')).body.totalResults).toBe(0)
      })
    })
  })
}
