import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../../test/support/harness.ts'
import { enterpriseUrn, freshName, useDirectory, userUrn } from '../../../../test/support/scim-client.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const d = useDirectory(h)

    /** Adds a user with addresses and patches it. */
    const patched = async (...operations: object[]) => {
      const userName = freshName()
      const user = await d.addUser({
        userName,
        title: 'Countess',
        name: { givenName: 'Ada', familyName: 'Byron' },
        emails: [
          { value: userName, type: 'work', primary: true },
          { value: 'ada@home.example', type: 'home' },
        ],
        addresses: [{ type: 'work', locality: 'London', country: 'UK' }],
        [enterpriseUrn]: { department: 'Engines', division: 'North' },
      })
      const { status, body } = await d.patch(`/Users/${user.id}`, ...operations)
      return { user, userName, status, body, scimType: body?.scimType }
    }

    test('RFC 7644 3.5.2.1: add sets, completes and appends; adding what exists changes nothing', async () => {
      const { userName, status, body } = await patched(
        { op: 'add', path: 'nickName', value: 'Enchantress' },
        { op: 'add', path: 'title', value: 'Lady' },
        { op: 'add', path: 'name', value: { middleName: 'King' } },
        { op: 'add', path: 'emails', value: [{ value: 'a@x.example', type: 'other' }] },
        { op: 'add', path: 'emails', value: { value: 'ADA@home.example', type: 'home' } },
        { op: 'add', path: `${enterpriseUrn}:costCenter`, value: '42' },
        { op: 'add', path: 'addresses[type eq "work"].region', value: 'England' },
      )
      expect(status).toBe(200)
      expect(body).toMatchObject({
        nickName: 'Enchantress',
        title: 'Lady',
        name: { givenName: 'Ada', familyName: 'Byron', middleName: 'King' },
        emails: [
          { value: userName, type: 'work', primary: true },
          { value: 'ADA@home.example', type: 'home' },
          { value: 'a@x.example', type: 'other' },
        ],
        addresses: [{ type: 'work', locality: 'London', region: 'England', country: 'UK' }],
        [enterpriseUrn]: { department: 'Engines', division: 'North', costCenter: '42' },
      })
      const same = await d.patch(`/Users/${body.id}`, { op: 'add', path: 'title', value: 'Lady' })
      expect(same.body).toEqual(body)
    })

    test('RFC 7644 3.5.2.1: add and replace without a path take an object of attributes', async () => {
      const { status, body } = await patched({
        op: 'add',
        value: {
          nickName: 'Babs',
          emails: [{ value: 'b@x.example', type: 'other', primary: true }],
          name: { honorificPrefix: 'Lady' },
          [enterpriseUrn]: { organization: 'Works' },
        },
      })
      expect(status).toBe(200)
      expect(body.emails.map((one: { primary?: boolean }) => one.primary ?? null)).toEqual([
        false,
        null,
        true,
      ])
      expect(body.name).toEqual({ givenName: 'Ada', familyName: 'Byron', honorificPrefix: 'Lady' })
      expect(body[enterpriseUrn]).toEqual({ department: 'Engines', division: 'North', organization: 'Works' })
      const replaced = await d.patch(`/Users/${body.id}`, {
        op: 'replace',
        value: { emails: [{ value: 'c@x.example', type: 'work' }], title: null, unknown: 1, id: 'x' },
      })
      expect(replaced.body.emails).toEqual([{ value: 'c@x.example', type: 'work' }])
      expect(replaced.body).not.toHaveProperty('title')
    })

    test('RFC 7644 3.5.2.2: remove takes attributes, sub-attributes and selected values away', async () => {
      const { status, body, userName } = await patched(
        { op: 'remove', path: 'title' },
        { op: 'remove', path: 'name.familyName' },
        { op: 'remove', path: 'emails[type eq "home" and value ew "home.example"]' },
        { op: 'remove', path: 'addresses[type eq "work"].country' },
        { op: 'remove', path: `${enterpriseUrn}:division` },
        { op: 'remove', path: 'phoneNumbers' },
        { op: 'remove', path: 'emails[type eq "pager"]' },
      )
      expect(status).toBe(200)
      expect(body).not.toHaveProperty('title')
      expect(body.name).toEqual({ givenName: 'Ada' })
      expect(body.emails).toEqual([{ value: userName, type: 'work', primary: true }])
      expect(body.addresses).toEqual([{ type: 'work', locality: 'London' }])
      expect(body[enterpriseUrn]).toEqual({ department: 'Engines' })
      const rest = await d.patch(
        `/Users/${body.id}`,
        { op: 'remove', path: enterpriseUrn },
        { op: 'remove', path: 'emails[type eq "work"]' },
        { op: 'remove', path: 'name.givenName' },
      )
      for (const name of [enterpriseUrn, 'emails', 'name']) expect(rest.body).not.toHaveProperty([name])
      expect(rest.body.schemas).toEqual([userUrn])
    })

    test('RFC 7644 3.5.2.3: replace changes values, and adds attributes that do not exist', async () => {
      const { status, body, userName } = await patched(
        { op: 'replace', path: 'title', value: 'Lady' },
        { op: 'replace', path: 'nickName', value: 'new' },
        { op: 'replace', path: 'name', value: { givenName: 'Augusta' } },
        { op: 'replace', path: `${userUrn}:name.familyName`, value: 'King' },
        { op: 'replace', path: 'emails[type eq "home"].value', value: 'h@x.example' },
        { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
        { op: 'replace', path: 'addresses[type eq "work"]', value: { type: 'work', locality: 'Paris' } },
        { op: 'replace', path: 'phoneNumbers', value: [{ value: '1', type: 'work' }] },
      )
      expect(status).toBe(200)
      expect(body).toMatchObject({
        title: 'Lady',
        nickName: 'new',
        name: { givenName: 'Augusta', familyName: 'King' },
      })
      expect(body.emails).toEqual([
        { value: userName, type: 'work', primary: false },
        { value: 'h@x.example', type: 'home', primary: true },
      ])
      expect(body.addresses).toEqual([{ type: 'work', locality: 'Paris' }])
      expect(body.phoneNumbers).toEqual([{ value: '1', type: 'work' }])
    })

    test.each<[string, object, string]>([
      ['remove without a path', { op: 'remove' }, 'noTarget'],
      [
        'replace of values that do not exist',
        { op: 'replace', path: 'emails[type eq "x"].value', value: 'a' },
        'noTarget',
      ],
      [
        'add by a filter that describes no value',
        { op: 'add', path: 'emails[type ne "work" and value sw "q"].value', value: 'a' },
        'noTarget',
      ],
      ['an unknown attribute', { op: 'add', path: 'color', value: 'a' }, 'invalidPath'],
      ['an unknown sub-attribute', { op: 'add', path: 'name.color', value: 'a' }, 'invalidPath'],
      ['a broken path', { op: 'add', path: 'emails[type eq', value: 'a' }, 'invalidPath'],
      ['a broken filter', { op: 'add', path: 'emails[type eq].value', value: 'a' }, 'invalidPath'],
      ['a filter on a single value', { op: 'add', path: 'title[value eq "a"]', value: 'a' }, 'invalidPath'],
      ['the ID', { op: 'replace', path: 'id', value: 'a' }, 'mutability'],
      ['metadata', { op: 'replace', path: 'meta.created', value: 'a' }, 'mutability'],
      ['groups of a user', { op: 'add', path: 'groups', value: [{ value: 'a' }] }, 'mutability'],
      ['removal of a required attribute', { op: 'remove', path: 'userName' }, 'mutability'],
      ['a value of the wrong type', { op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
      ['no value', { op: 'add', path: 'title' }, 'invalidValue'],
      ['a text without a path', { op: 'add', value: 'x' }, 'invalidValue'],
      ['an unknown operation', { op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
      ['the prototype of objects', { op: 'add', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    ])('RFC 7644 3.12: a PATCH of %s is refused as a whole', async (_, operation, scimType) => {
      const result = await patched({ op: 'replace', path: 'title', value: 'changed' }, operation)
      expect([result.status, result.scimType]).toEqual([400, scimType])
      const { body } = await d.send('GET', `/Users/${result.user.id}`)
      expect(body).toEqual(result.user)
    })

    test('RFC 7644 3.5.2: a body without operations or with too many is refused; If-Match holds', async () => {
      const { id, meta } = await d.addUser()
      const send = (body: object, headers = {}) => d.send('PATCH', `/Users/${id}`, body, headers)
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
      const one = { op: 'replace', path: 'title', value: 'x' }
      for (const body of [
        { schemas },
        { schemas, Operations: [] },
        { Operations: [one] },
        { schemas, Operations: 1 },
      ])
        expect((await send(body)).body.scimType).toBe('invalidSyntax')
      expect((await send({ schemas, Operations: Array(1001).fill(one) })).status).toBe(400)
      expect((await send({ schemas, Operations: [one] }, { 'if-match': 'W/"99"' })).status).toBe(412)
      expect((await send({ schemas, operations: [one] }, { 'if-match': meta.version })).body.title).toBe('x')
    })

    test('RFC 7644 3.5.2: members of a group are added, removed by filter or value, replaced and cleared', async () => {
      const [a, b, c] = [await d.addUser(), await d.addUser(), await d.addUser({ displayName: 'Cy' })]
      const group = await d.addGroup(`Team ${a.id}`, a.id)
      const members = async (...operations: object[]) => {
        const { status, body } = await d.patch(`/Groups/${group.id}`, ...operations)
        expect({ status, detail: body.detail }).toEqual({ status: 200 })
        return (body.members ?? []).map((one: { value: string }) => one.value)
      }
      const value = (...users: { id: string }[]) => users.map((one) => ({ value: one.id }))
      expect(await members({ op: 'add', path: 'members', value: value(a, b) })).toEqual([a.id, b.id].sort())
      expect(await members({ op: 'remove', path: `members[value eq "${a.id}"]` })).toEqual([b.id])
      expect(await members({ op: 'remove', path: `members[value eq "${a.id}"]` })).toEqual([b.id])
      expect(await members({ op: 'add', value: { members: value(a, c) } })).toHaveLength(3)
      expect(await members({ op: 'remove', path: 'members[display eq "cy"]' })).toHaveLength(2)
      expect(await members({ op: 'remove', path: 'members', value: value(a) })).toEqual([b.id])
      expect(await members({ op: 'replace', path: 'members', value: value(c) })).toEqual([c.id])
      expect(
        await members({ op: 'replace', path: `members[value eq "${c.id}"]`, value: value(a)[0] }),
      ).toEqual([a.id])
      expect(
        await members({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: value(b) }),
      ).toEqual([b.id])
      expect(await members({ op: 'remove', path: 'members' })).toEqual([])
      const missing = await d.patch(`/Groups/${group.id}`, {
        op: 'replace',
        path: `members[value eq "${c.id}"]`,
        value: value(a),
      })
      expect(missing.body.scimType).toBe('noTarget')
      const part = await d.patch(`/Groups/${group.id}`, { op: 'replace', path: 'members.value', value: 'x' })
      expect(part.body.scimType).toBe('mutability')
    })

    test('values and members that no resource can have are refused, however they are sent', async () => {
      const user = await d.addUser()
      const group = await d.addGroup(`Bounds ${user.id}`)
      const emailsFrom = (first: number) => ({
        op: 'add',
        path: 'emails',
        value: Array.from({ length: 60 }, (_, at) => ({ value: `${first + at}@example.com` })),
      })
      const many = await d.patch(`/Users/${user.id}`, emailsFrom(0), emailsFrom(60))
      expect([many.status, many.body.scimType]).toEqual([400, 'invalidValue'])
      for (const [operation, scimType] of [
        [{ op: 'add', path: 'members', value: [{ value: 'a\u0000' }] }, 'invalidValue'],
        [{ op: 'remove', path: 'members[value eq "a\\u0000"]' }, 'invalidPath'],
      ] as const) {
        const refused = await d.patch(`/Groups/${group.id}`, operation)
        expect([refused.status, refused.body.scimType]).toEqual([400, scimType])
      }
      const filtered = await d.filter('/Users', 'userName eq "a\\u0000"')
      expect([filtered.status, filtered.body.scimType]).toEqual([400, 'invalidFilter'])
    })

    test('RFC 7644 3.7: bulk operations refer to each other, and stop after failOnErrors', async () => {
      const bulk = (Operations: object[], more = {}) =>
        d.send('POST', '/Bulk', {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
          Operations,
          ...more,
        })
      const userName = freshName()
      const { status, body } = await bulk([
        {
          method: 'POST',
          path: '/Groups',
          bulkId: 'g',
          data: {
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
            displayName: `Bulk ${userName}`,
            members: [{ value: 'bulkId:u' }],
          },
        },
        { method: 'post', path: '/Users', bulkId: 'u', data: { schemas: [userUrn], userName } },
        { method: 'DELETE', path: '/Users/none' },
        { method: 'DELETE', path: '/Users/%' },
        { method: 'DELETE', path: '/Users/%00' },
        { method: 'PATCH', path: '/Users/none?count=many', data: {} },
      ])
      expect(status).toBe(200)
      expect(body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:BulkResponse'])
      const [group, user, gone, malformed, unstorable, invalid] = body.Operations
      expect(group).toMatchObject({ method: 'POST', bulkId: 'g', status: '201', version: expect.any(String) })
      const made = await d.send('GET', group.location.replace('https://muster.test/scim/v2', ''))
      expect(made.body.members).toMatchObject([{ $ref: user.location }])
      const location = 'https://muster.test/scim/v2/Users/none'
      expect(gone).toMatchObject({ location, status: '404', response: { status: '404' } })
      expect(malformed).toMatchObject({ status: '404' })
      expect(unstorable).toMatchObject({ status: '404' })
      expect(invalid).toMatchObject({ status: '400', response: { scimType: 'invalidValue' } })
      const stopped = await bulk(
        [
          { method: 'DELETE', path: '/Users/none' },
          { method: 'DELETE', path: '/Users/none' },
        ],
        { failOnErrors: 1 },
      )
      expect(stopped.body.Operations).toHaveLength(1)
      const many = await bulk(Array(101).fill({ method: 'DELETE', path: '/Users/none' }))
      expect([many.status, many.body.status]).toEqual([413, '413'])
      expect((await bulk([{ method: 'POST', path: '/Users', data: {} }])).body.scimType).toBe('invalidSyntax')
    })
  })
}
