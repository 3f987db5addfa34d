import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../../test/support/harness.ts'
import {
  connectDirectory,
  enterpriseUrn,
  freshName,
  groupUrn,
  useDirectory,
  userUrn,
} from '../../../../test/support/scim-client.ts'
import { STORES } from '../../../../test/support/stores.ts'

const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const d = useDirectory(h)

    test('RFC 7644 3.3: POST creates a resource: 201, Location, ETag and the whole representation', async () => {
      const userName = freshName()
      const body = {
        schemas: [userUrn, enterpriseUrn],
        userName,
        externalId: 'bjensen',
        name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
        emails: [
          { value: userName, type: 'work', primary: true },
          { value: 'babs@jensen.org', type: 'home' },
        ],
        addresses: [{ type: 'work', locality: 'Hollywood', region: 'CA', country: 'USA' }],
        [enterpriseUrn]: { department: 'Tour Operations', employeeNumber: '701984' },
      }
      const made = await d.send('POST', '/Users', body)
      expect(made.status).toBe(201)
      expect(made.headers['content-type']).toBe('application/scim+json')
      const { id, meta, ...rest } = made.body
      expect(rest).toEqual({ ...body, active: true })
      expect(made.headers.location).toBe(`https://muster.test/scim/v2/Users/${id}`)
      expect(meta).toEqual({
        resourceType: 'User',
        created: new Date(h.clock.nowMs()).toISOString(),
        lastModified: new Date(h.clock.nowMs()).toISOString(),
        location: made.headers.location,
        version: made.headers.etag,
      })
      const got = await d.send('GET', `/Users/${id}`)
      expect(got.body).toEqual(made.body)
      expect(got.headers.etag).toBe(made.headers.etag)
    })

    test('RFC 7644 3.3: the name of an existing user, in any case, is a 409 with scimType uniqueness', async () => {
      const { userName } = await d.addUser()
      const again = await d.send('POST', '/Users', { schemas: [userUrn], userName: userName.toUpperCase() })
      expect(again.status).toBe(409)
      expect(again.body).toMatchObject({ schemas: [errorUrn], status: '409', scimType: 'uniqueness' })
      const group = await d.addGroup(`G ${userName}`)
      const double = await d.send('POST', '/Groups', { schemas: [groupUrn], displayName: group.displayName })
      expect([double.status, double.body.scimType]).toEqual([409, 'uniqueness'])
    })

    test('RFC 7643 2.1, 2.5, 7: names without case, null is unassigned, read-only values are ignored, passwords not kept', async () => {
      const userName = freshName()
      const { status, body } = await d.send('POST', '/Users', {
        Schemas: [userUrn],
        USERNAME: userName,
        Name: { GIVENNAME: 'Ada', familyname: null },
        nickName: null,
        emails: [],
        id: 'chosen',
        meta: { resourceType: 'Robot' },
        groups: [{ value: 'x' }],
        password: 's3cret-pass',
        favoriteColor: 'blue',
        'urn:example:unknown': { a: 1 },
      })
      expect(status).toBe(201)
      expect(Object.keys(body).sort()).toEqual(['active', 'id', 'meta', 'name', 'schemas', 'userName'])
      expect(body.name).toEqual({ givenName: 'Ada' })
      expect(body.id).not.toBe('chosen')
      expect(JSON.stringify(await h.db.all('SELECT record FROM scim_users'))).not.toContain('s3cret-pass')
    })

    test('texts in indexes may be long in characters of any size, and not longer', async () => {
      // Four bytes each, and in an order that PostgreSQL does not compress.
      const wide = (length: number) =>
        Array.from({ length }, (_, at) => String.fromCodePoint(0x1f300 + ((at * at * 7919) % 0x300))).join('')
      const values = { externalId: wide(512), displayName: wide(512), emails: [{ value: wide(512) }] }
      expect(await d.addUser(values)).toMatchObject(values)
      const { id } = await d.addUser()
      const longer = { externalId: wide(513), displayName: wide(513), emails: [{ value: wide(513) }] }
      for (const [path, value] of Object.entries(longer)) {
        const refused = await d.patch(`/Users/${id}`, { op: 'add', path, value })
        expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidValue'])
      }
    })

    test('RFC 7643 2.4: a value that is sent twice is kept once', async () => {
      const twice = [
        { value: 'ada@twice.example', type: 'work' },
        { value: 'ada@home.example', type: 'home' },
        { value: 'Ada@twice.example', type: 'Work', primary: true },
      ]
      const expected = [
        { value: 'Ada@twice.example', type: 'Work', primary: true },
        { value: 'ada@home.example', type: 'home' },
      ]
      const { id, emails } = await d.addUser({ emails: twice })
      expect(emails).toEqual(expected)
      const { body } = await d.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: twice })
      expect(body.emails).toEqual(expected)
    })

    test.each([
      ['no body', undefined, 'invalidSyntax'],
      ['no object', [], 'invalidSyntax'],
      ['no schemas', { userName: 'a' }, 'invalidSyntax'],
      ['the schema of another type', { schemas: [groupUrn], userName: 'a' }, 'invalidSyntax'],
      ['no user name', { schemas: [userUrn] }, 'invalidValue'],
      ['a blank user name', { schemas: [userUrn], userName: ' ' }, 'invalidValue'],
      ['a number as a text', { schemas: [userUrn], userName: 1 }, 'invalidValue'],
      ['a text as a boolean', { schemas: [userUrn], userName: 'a', active: 'maybe' }, 'invalidValue'],
      ['a text as an object', { schemas: [userUrn], userName: 'a', name: 'Ada' }, 'invalidValue'],
      [
        'two primary values',
        {
          schemas: [userUrn],
          userName: 'a',
          emails: [
            { value: 'a@b.c', primary: true },
            { value: 'd@b.c', primary: true },
          ],
        },
        'invalidValue',
      ],
      ['a NUL character', { schemas: [userUrn], userName: 'a\u0000' }, 'invalidValue'],
    ])('RFC 7644 3.12: a body with %s is refused', async (_, body, scimType) => {
      const refused = await d.send('POST', '/Users', body)
      expect(refused.status).toBe(400)
      expect(refused.body).toEqual({
        schemas: [errorUrn],
        scimType,
        status: '400',
        detail: expect.any(String),
      })
    })

    test('RFC 7644 3.12: JSON that is broken or too deep is invalidSyntax, another media type 415', async () => {
      const headers = { authorization: `Bearer ${d.token}`, 'content-type': 'application/scim+json' }
      for (const payload of ['{', '['.repeat(100) + ']'.repeat(100)]) {
        const refused = await h.call(null, 'POST', '/scim/v2/Users', { payload, headers })
        expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidSyntax'])
      }
      const text = await h.call(null, 'POST', '/scim/v2/Users', {
        payload: 'x',
        headers: { ...headers, 'content-type': 'text/plain' },
      })
      expect([text.status, text.body.status]).toEqual([415, '415'])
      const latin = await h.call(null, 'POST', '/scim/v2/Users', {
        payload: '{}',
        headers: { ...headers, 'content-type': 'application/scim+json; charset=iso-8859-1' },
      })
      expect(latin.status).toBe(415)
      const large = await h.call(null, 'POST', '/scim/v2/Users', {
        payload: JSON.stringify({ schemas: [userUrn], userName: 'x'.repeat(2 ** 20) }),
        headers,
      })
      expect(large.status).toBe(413)
    })

    test('RFC 7644 3.8: application/json is accepted and, if asked for, answered', async () => {
      const made = await d.send(
        'POST',
        '/Users',
        { schemas: [userUrn], userName: freshName() },
        { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
      )
      expect(made.status).toBe(201)
      expect(made.headers['content-type']).toBe('application/json')
      const got = await d.send('GET', `/Users/${made.body.id}`, undefined, { accept: '*/*' })
      expect(got.headers['content-type']).toBe('application/scim+json')
      const missing = await d.send('GET', '/Users/none')
      expect(missing.headers['content-type']).toBe('application/scim+json')
    })

    test('RFC 7644 3.5.1: PUT replaces all attributes, keeps the ID, and is idempotent', async () => {
      const { id, userName, meta } = await d.addUser({ title: 'Engineer', externalId: 'one' })
      const body = { schemas: [userUrn], id: 'other', userName, nickName: 'Babs' }
      const put = await d.send('PUT', `/Users/${id}`, body)
      expect(put.status).toBe(200)
      expect(put.body).toMatchObject({ id, userName, nickName: 'Babs', active: true })
      expect(put.body).not.toHaveProperty('title')
      expect(put.body).not.toHaveProperty('externalId')
      expect(put.body.meta.created).toBe(meta.created)
      expect(put.body.meta.version).not.toBe(meta.version)
      expect(Date.parse(put.body.meta.lastModified)).toBeGreaterThan(Date.parse(meta.lastModified))
      expect((await d.send('PUT', `/Users/${id}`, body)).body).toEqual(put.body)
    })

    test('RFC 7644 3.5.1: PUT of an unknown resource is 404, of a taken name 409', async () => {
      const body = { schemas: [userUrn], userName: freshName() }
      const missing = await d.send('PUT', '/Users/none', body)
      expect([missing.status, missing.body.status]).toEqual([404, '404'])
      const [one, two] = [await d.addUser(), await d.addUser()]
      const taken = await d.send('PUT', `/Users/${one.id}`, { ...body, userName: two.userName })
      expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness'])
    })

    test('RFC 7644 3.6: DELETE answers 204, then 404 for everything; the name is free again, the ID is not', async () => {
      const { id, userName } = await d.addUser()
      const gone = await d.send('DELETE', `/Users/${id}`)
      expect([gone.status, gone.text]).toEqual([204, ''])
      expect((await d.send('GET', `/Users/${id}`)).status).toBe(404)
      expect((await d.patch(`/Users/${id}`, { op: 'add', path: 'title', value: 'x' })).status).toBe(404)
      expect((await d.send('DELETE', `/Users/${id}`)).status).toBe(404)
      const again = await d.addUser({ userName })
      expect(again.id).not.toBe(id)
      expect((await d.send('GET', `/Users/${id}`)).status).toBe(404)
    })

    test('RFC 7644 3.14: If-None-Match gives 304, If-Match of another version 412', async () => {
      const { id, meta } = await d.addUser()
      const path = `/Users/${id}`
      const same = await d.send('GET', path, undefined, { 'if-none-match': meta.version })
      expect([same.status, same.text, same.headers.etag]).toEqual([304, '', meta.version])
      const body = { schemas: [userUrn], userName: freshName() }
      const current = await d.send('PUT', path, body, { 'if-match': meta.version })
      expect(current.status).toBe(200)
      expect((await d.send('GET', path, undefined, { 'if-none-match': meta.version })).status).toBe(200)
      for (const method of ['PUT', 'DELETE']) {
        const stale = await d.send(method, path, method === 'PUT' ? body : undefined, {
          'if-match': meta.version,
        })
        expect([stale.status, stale.body.status]).toEqual([412, '412'])
      }
      expect((await d.send('DELETE', path, undefined, { 'if-match': '*' })).status).toBe(204)
    })

    test('RFC 7644 3.9: attributes and excludedAttributes select what every response returns', async () => {
      const values = {
        userName: freshName(),
        name: { givenName: 'Ada', familyName: 'Byron' },
        emails: [{ value: 'a@b.example', type: 'work' }],
        [enterpriseUrn]: { department: 'Sales', division: 'West' },
      }
      const made = await d.send('POST', '/Users?attributes=userName', { schemas: [userUrn], ...values })
      const { id, schemas } = made.body
      expect(made.body).toEqual({ schemas, id, userName: values.userName })
      const only = async (query: string) => (await d.send('GET', `/Users/${id}?${query}`)).body
      expect(await only('attributes=NAME.givenname,emails.value')).toEqual({
        schemas,
        id,
        name: { givenName: 'Ada' },
        emails: [{ value: 'a@b.example' }],
      })
      expect(await only(`attributes=${enterpriseUrn}:division`)).toEqual({
        schemas,
        id,
        [enterpriseUrn]: { division: 'West' },
      })
      expect((await only(`attributes=${enterpriseUrn}`))[enterpriseUrn]).toEqual(values[enterpriseUrn])
      const without = await only(
        `excludedAttributes=id,schemas,emails,name.familyName,meta,${userUrn}:active`,
      )
      expect(without).toEqual({
        schemas,
        id,
        userName: values.userName,
        name: { givenName: 'Ada' },
        [enterpriseUrn]: values[enterpriseUrn],
      })
      expect((await d.send('GET', `/Users/${id}?attributes=a&excludedAttributes=b`)).status).toBe(400)
    })

    test('RFC 7643 4.2, 4.1.2: groups have members, and users show their groups, which clients cannot set', async () => {
      const user = await d.addUser({ displayName: 'Ada' })
      const group = await d.addGroup(`Engineers ${user.id}`, user.id)
      expect(group.members).toEqual([
        {
          value: user.id,
          $ref: `https://muster.test/scim/v2/Users/${user.id}`,
          display: 'Ada',
          type: 'User',
        },
      ])
      const got = await d.send('GET', `/Users/${user.id}`)
      expect(got.body.groups).toEqual([
        {
          value: group.id,
          $ref: `https://muster.test/scim/v2/Groups/${group.id}`,
          display: group.displayName,
          type: 'direct',
        },
      ])
      expect(got.body.meta.version).not.toBe(user.meta.version)
      const unknown = await d.send('POST', '/Groups', {
        schemas: [groupUrn],
        displayName: freshName(),
        members: [{ value: 'nobody' }],
      })
      expect([unknown.status, unknown.body.scimType]).toEqual([400, 'invalidValue'])
    })

    test('RFC 7644 2: no token, a wrong one, or one of another kind is a 401; organizations do not see each other', async () => {
      const { id } = await d.addUser()
      for (const authorization of ['', 'Bearer x', `Bearer msct_${'A'.repeat(43)}`, `Basic ${d.token}`]) {
        const refused = await d.send('GET', `/Users/${id}`, undefined, { authorization })
        expect([refused.status, refused.body.status, refused.headers['www-authenticate']]).toEqual([
          401,
          '401',
          'Bearer realm="SCIM"',
        ])
      }
      for (const path of ['/Groups', '/Schemas', '/ResourceTypes', '/nothing', '/'])
        expect((await h.call(null, 'GET', `/scim/v2${path}`)).status).toBe(401)
      const other = await connectDirectory(h)
      expect((await other.send('GET', `/Users/${id}`)).status).toBe(404)
      expect((await other.send('DELETE', `/Users/${id}`)).status).toBe(404)
      expect((await other.send('GET', '/Users')).body.totalResults).toBe(0)
    })

    test('a token has a rate limit of its own', async () => {
      const busy = await connectDirectory(h)
      const send = () =>
        h.call(null, 'GET', '/scim/v2/Users?count=0', {
          headers: { authorization: `Bearer ${busy.token}` },
          still: true,
        })
      const answers = []
      for (let count = 0; count < 101; count++) answers.push(await send())
      const last = answers.at(-1)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
      expect([last?.status, last?.headers['retry-after'], last?.body.status]).toEqual([429, '1', '429'])
    })

    test('a slash at the end of a path is ignored', async () => {
      const { id } = await d.addUser()
      for (const path of ['/', '/Users', `/Users/${id}`, '/Groups', '/Schemas', '/ServiceProviderConfig'])
        expect((await d.send('GET', path === '/' ? path : `${path}/`)).status).toBe(200)
      const made = await d.send('POST', '/Groups/', { schemas: [groupUrn], displayName: freshName() })
      expect(made.status).toBe(201)
      const put = await d.send('PUT', '/Schemas/', {})
      expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD'])
      expect((await d.send('GET', '/Users/none/')).body.detail).toContain('none')
    })

    test('RFC 7644 3.2, 3.11: unsupported methods are 405 with Allow, /Me is 501', async () => {
      const refused = await d.send('PUT', '/Users', {})
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
      expect((await d.send('GET', '/Nothing')).status).toBe(404)
      expect((await d.send('GET', '/Me')).status).toBe(501)
    })
  })
}
