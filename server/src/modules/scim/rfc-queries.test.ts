import { beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../../../../test/support/harness.ts'
import {
  connectDirectory,
  enterpriseUrn,
  useDirectory,
  userUrn,
} from '../../../../test/support/scim-client.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { insertGroup, insertMembers, insertUser } from './scim-rows.store.ts'

const people = [
  {
    userName: 'Ada@example.com',
    displayName: 'Ada Byron',
    title: 'Countess',
    externalId: 'x1',
    city: 'London',
  },
  {
    userName: 'bob@example.com',
    displayName: 'bob Stone',
    title: 'Engineer',
    externalId: 'X1',
    city: 'Leeds',
  },
  { userName: 'cy@example.com', displayName: 'Cy "C" Lee', externalId: 'x3', active: false },
  { userName: 'dee@example.org', title: 'engineer' },
]

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const d = useDirectory(h)
    const ids: Record<string, string> = {}
    let middle = ''
    beforeAll(async () => {
      for (const { city, ...person } of people) {
        const name = person.userName.slice(0, 3).toLowerCase().replace('@', '')
        const user = await d.addUser({
          ...person,
          emails: [
            { value: person.userName, type: 'work', primary: true },
            { value: `${name}@home.example`, type: 'home' },
          ],
          ...(city ? { addresses: [{ type: 'work', locality: city }] } : {}),
          [enterpriseUrn]: {
            department: `Dept ${name}`,
            ...(name === 'bob' ? { manager: { value: ids.ada } } : {}),
          },
        })
        ids[name] = user.id
        if (name === 'bob') middle = user.meta.created
      }
      await d.addGroup('Engineers', ids.ada ?? '', ids.bob ?? '')
    })

    const found = async (filter: string) => {
      const { status, body } = await d.filter('/Users', filter)
      expect({ filter, status, body: status === 200 ? undefined : body }).toEqual({ filter, status: 200 })
      const names = Object.entries(ids)
      const got = body.Resources.map(({ id }: { id: string }) => names.find(([, own]) => own === id)?.[0])
      expect(body.totalResults).toBe(got.length)
      return got.sort().join(' ')
    }

    test.each([
      ['userName eq "ADA@EXAMPLE.COM"', 'ada'],
      ['username EQ "bob@example.com"', 'bob'],
      [`${userUrn}:userName eq "bob@example.com"`, 'bob'],
      ['userName ne "bob@example.com"', 'ada cy dee'],
      ['userName co "EXAMPLE.COM"', 'ada bob cy'],
      ['userName sw "a"', 'ada'],
      ['userName ew ".org"', 'dee'],
      ['userName pr', 'ada bob cy dee'],
      ['userName gt "bob@example.com"', 'cy dee'],
      ['userName ge "bob@example.com"', 'bob cy dee'],
      ['userName lt "bob@example.com"', 'ada'],
      ['userName le "bob@example.com"', 'ada bob'],
      ['externalId eq "x1"', 'ada'],
      ['externalId ne "x1"', 'bob cy dee'],
      ['not (externalId eq "x1")', 'bob cy dee'],
      ['not (externalId pr)', 'dee'],
      ['externalId eq null', 'dee'],
      ['externalId ne null', 'ada bob cy'],
      ['title eq "ENGINEER"', 'bob dee'],
      ['title pr and userName co "bob"', 'bob'],
      ['title eq "engineer" and (active eq true or userName pr)', 'bob dee'],
      // and binds closer than or (section 3.4.2.2)
      ['userName sw "cy" or title eq "engineer" and displayName pr', 'bob cy'],
      ['(userName sw "cy" or title eq "engineer") and displayName pr', 'bob cy'],
      ['active eq false', 'cy'],
      ['active eq "False"', 'cy'],
      ['displayName eq "cy \\"c\\" lee"', 'cy'],
      ['emails eq "BOB@home.example"', 'bob'],
      ['emails.value eq "bob@example.com"', 'bob'],
      ['emails[type eq "work"].value eq "bob@example.com"', 'bob'],
      ['emails[type eq "home"].value eq "bob@example.com"', ''],
      ['emails[type eq "work" and value co "example.org"]', 'dee'],
      ['emails[not (type eq "work") and value sw "ada"]', 'ada'],
      ['emails.type eq "home" and emails.primary eq true', 'ada bob cy dee'],
      ['addresses.locality sw "L" and addresses[type eq "work"]', 'ada bob'],
      [`${enterpriseUrn}:department eq "dept bob"`, 'bob'],
      [`${enterpriseUrn}:manager pr`, 'bob'],
      ['groups.display eq "engineers"', 'ada bob'],
      ['nickName pr', ''],
      ['not (nickName pr) and not (active eq false)', 'ada bob dee'],
    ])('RFC 7644 3.4.2.2: %s', async (filter, expected) => {
      expect(await found(filter)).toBe(expected)
    })

    test('RFC 7644 3.4.2.2: times are compared as times, IDs and memberships by value', async () => {
      expect(await found(`meta.created lt "${middle}"`)).toBe('ada')
      expect(await found(`meta.created eq "${middle}"`)).toBe('bob')
      expect(await found(`meta.lastModified ge "${middle.replace('Z', '+00:00')}"`)).toBe('ada bob cy dee')
      expect(await found(`id eq "${ids.cy}" or id eq "${ids.dee}"`)).toBe('cy dee')
      const [group] = (await d.filter('/Groups', 'displayName eq "ENGINEERS"')).body.Resources
      expect(await found(`groups.value eq "${group.id}"`)).toBe('ada bob')
      const groups = async (filter: string) => (await d.filter('/Groups', filter)).body.totalResults
      expect(await groups(`members eq "${ids.bob}"`)).toBe(1)
      expect(await groups(`id eq "${group.id}" and members[value eq "${ids.cy}"]`)).toBe(0)
      expect(await groups('members.display co "byron"')).toBe(1)
      expect(await groups('externalId pr')).toBe(0)
    })

    test.each([
      'userName',
      'userName eq',
      'userName eq bob',
      'userName xx "bob"',
      'userName eq "bob" and',
      '(userName eq "bob"',
      'userName eq "bob")',
      'not userName pr',
      'emails[type eq "work"',
      'emails[type eq "work"].nothing eq "x"',
      'emails[emails[type eq "a"]]',
      'favoriteColor eq "blue"',
      'name eq "Ada"',
      'active gt true',
      'active co "t"',
      'userName eq 5',
      'meta.created gt "yesterday"',
      'password eq "x"',
      'userName gt null',
      `${'('.repeat(40)}userName pr${')'.repeat(40)}`,
      Array.from({ length: 201 }, () => 'userName pr').join(' or '),
    ])('RFC 7644 3.12: the filter %s is a 400 with scimType invalidFilter', async (filter) => {
      const { status, body } = await d.filter('/Users', filter)
      expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: 'invalidFilter' })
    })

    const names = async (query: string) =>
      (await d.send('GET', `/Users?${query}`)).body.Resources.map((one: { id: string }) =>
        Object.keys(ids).find((name) => ids[name] === one.id),
      )

    test('RFC 7644 3.4.2.3: results are sorted without case; those without a value come last, or first if descending', async () => {
      expect(await names('sortBy=userName')).toEqual(['ada', 'bob', 'cy', 'dee'])
      expect(await names('sortBy=userName&sortOrder=descending')).toEqual(['dee', 'cy', 'bob', 'ada'])
      expect(await names('sortBy=displayName')).toEqual(['ada', 'bob', 'cy', 'dee'])
      expect(await names('sortBy=displayName&sortOrder=descending')).toEqual(['dee', 'cy', 'bob', 'ada'])
      expect((await names('sortBy=title')).slice(0, 1)).toEqual(['ada'])
      expect((await names('sortBy=title')).at(-1)).toBe('cy')
      expect(await names('sortBy=emails')).toEqual(['ada', 'bob', 'cy', 'dee'])
      expect(await names('sortBy=meta.created&sortOrder=descending')).toEqual(['dee', 'cy', 'bob', 'ada'])
      for (const query of ['sortBy=nothing', 'sortBy=name', 'sortBy=userName&sortOrder=up'])
        expect((await d.send('GET', `/Users?${query}`)).status).toBe(400)
    })

    test('a filter on members tests all groups, also those after many members', async () => {
      const other = await connectDirectory(h)
      const { org } = other.caller
      const meta = { version: 1, createdMs: 0, modifiedMs: 0 }
      const userIds = Array.from({ length: 150 }, (_, at) => `member-${at}`)
      await h.db.inTransaction(async (tx) => {
        for (const id of userIds) {
          const user = {
            id,
            employeeId: null,
            active: true,
            problem: null,
            values: { userName: id },
            ...meta,
          }
          await insertUser(tx, org, user)
        }
        for (let at = 0; at < 140; at++) {
          const id = `group-${at}`
          await insertGroup(tx, org, { id, name: id, externalId: null, ...meta })
          await insertMembers(tx, org, id, userIds)
        }
      })
      const { body } = await other.filter('/Groups', 'members.display eq "member-7"')
      expect(body.totalResults).toBe(140)
    })

    test('RFC 7644 3.4.2.4: startIndex and count select a page; totalResults stays', async () => {
      const page = async (query: string) => {
        const { totalResults, startIndex, itemsPerPage, Resources } = (await d.send('GET', `/Users?${query}`))
          .body
        expect(Resources).toHaveLength(itemsPerPage)
        return [totalResults, startIndex, itemsPerPage]
      }
      expect(await page('')).toEqual([4, 1, 4])
      expect(await page('startIndex=2&count=2')).toEqual([4, 2, 2])
      expect(await page('startIndex=4&count=9')).toEqual([4, 4, 1])
      expect(await page('startIndex=9')).toEqual([4, 9, 0])
      expect(await page('startIndex=0&count=1')).toEqual([4, 1, 1])
      expect(await page('startIndex=-3&count=-1')).toEqual([4, 1, 0])
      expect(await page('count=0')).toEqual([4, 1, 0])
      expect(await page('filter=title%20pr&count=1&startIndex=2')).toEqual([3, 2, 1])
      expect(await names('sortBy=title&startIndex=2&count=1')).toHaveLength(1)
      expect((await d.send('GET', '/Users?count=many')).body.scimType).toBe('invalidValue')
      const pages = []
      for (const startIndex of [1, 2, 3, 4]) pages.push(...(await names(`startIndex=${startIndex}&count=1`)))
      expect(pages.sort()).toEqual(['ada', 'bob', 'cy', 'dee'])
    })

    test('RFC 7644 3.4.2: a list without results has no resources and is no error', async () => {
      const { status, body } = await d.filter('/Users', 'userName eq "nobody@example.com"')
      expect(status).toBe(200)
      expect(body).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 0,
        startIndex: 1,
        itemsPerPage: 0,
        Resources: [],
      })
    })

    test('RFC 7644 3.4.3: POST to .search queries with a body, also over all types', async () => {
      const search = (path: string, more: object) =>
        d.send('POST', `${path}/.search`, {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
          ...more,
        })
      const { status, body } = await search('/Users', {
        attributes: ['displayName'],
        filter: 'displayName sw "B"',
        startIndex: 1,
        count: 10,
      })
      expect(status).toBe(200)
      expect(body.Resources).toEqual([
        { schemas: [userUrn, enterpriseUrn], id: ids.bob, displayName: 'bob Stone' },
      ])
      const all = await search('', { filter: 'displayName co "E"', sortBy: 'displayName' })
      expect(all.body.totalResults).toBe(3)
      expect(all.body.Resources.map((one: { displayName: string }) => one.displayName)).toEqual([
        'bob Stone',
        'Cy "C" Lee',
        'Engineers',
      ])
      expect((await search('', { filter: 'meta.resourceType eq "Group"' })).body.totalResults).toBe(1)
      expect((await search('', { filter: 'userName pr', startIndex: 4, count: 5 })).body).toMatchObject({
        totalResults: 4,
        itemsPerPage: 1,
      })
      expect((await d.send('GET', '?filter=displayName%20sw%20%22Eng%22')).body.totalResults).toBe(1)
      expect((await d.send('POST', '/.search', { filter: 'userName pr' })).body.scimType).toBe(
        'invalidSyntax',
      )
    })

    test('RFC 7644 4: the service describes itself; filters on these documents are refused', async () => {
      const config = await h.call(null, 'GET', '/scim/v2/ServiceProviderConfig')
      expect(config.status).toBe(200)
      expect(config.headers['content-type']).toMatch(/^application\/scim\+json/)
      expect(config.body).toMatchObject({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
        documentationUri: 'https://muster.test/docs/guide/scim',
        patch: { supported: true },
        bulk: { supported: true, maxOperations: 100, maxPayloadSize: 1048576 },
        filter: { supported: true, maxResults: 1000 },
        changePassword: { supported: false },
        sort: { supported: true },
        etag: { supported: true },
        authenticationSchemes: [{ type: 'oauthbearertoken', name: expect.any(String) }],
      })
      const types = (await d.send('GET', '/ResourceTypes')).body
      expect(types.Resources.map((one: { endpoint: string }) => one.endpoint)).toEqual(['/Users', '/Groups'])
      expect((await d.send('GET', '/ResourceTypes/User')).body).toEqual(types.Resources[0])
      const schemas = (await d.send('GET', '/Schemas')).body
      expect(schemas.totalResults).toBe(3)
      for (const schema of schemas.Resources) {
        expect((await d.send('GET', `/Schemas/${schema.id}`)).body).toEqual(schema)
        for (const attribute of schema.attributes)
          expect(attribute).toMatchObject({ name: expect.any(String), returned: expect.any(String) })
      }
      expect((await d.send('GET', '/Schemas/urn:none')).status).toBe(404)
      for (const path of ['/Schemas', '/ResourceTypes'])
        expect((await d.send('GET', `${path}?filter=id%20pr`)).status).toBe(403)
    })
  })
}
