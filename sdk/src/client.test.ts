import { operations } from '@muster/contract/api/api'
import { responseSchema } from '@muster/contract/api/openapi'
import { type App, apps } from '@muster/contract/records/app'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { clientOf, useClientServer } from '../../test/support/client-server.ts'
import { allOperations, exampleRequests } from '../../test/support/example-requests.ts'
import { anAccountUser, anApp, put, storeAccountUsers, unknownId } from '../../test/support/fixtures.ts'
import type { Harness } from '../../test/support/harness.ts'
import { STORES } from '../../test/support/stores.ts'
import type { Client } from './client-types.ts'
import { MusterAnswerError, MusterApiError } from './muster-error.ts'

/** The id in an address of an operation; undefined if its path has none. */
const idIn = (path: string, url: string): string | undefined => url.split('/')[path.split('/').indexOf(':id')]

const namesOf = (records: readonly App[]) => records.map(({ friendlyName }) => friendlyName)
const named = (count: number) =>
  Array.from({ length: count }, (_, at) => anApp({ type: `T${at}`, friendlyName: `App ${at}`, labels: [] }))

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const record of records) found.push(record)
  return found
}

for (const store of STORES) {
  describe(store, () => {
    const at = useClientServer(store)

    describe('every operation is a method', () => {
      test('and iterate is the only other method', () => {
        expect(Object.keys(clientOf(at)).sort()).toEqual([...Object.keys(operations), 'iterate'].sort())
      })

      test.each(allOperations)('%s returns the declared response', async (name, operation) => {
        const { url, body } = (await exampleRequests(at.h, at.caller.org))[name]
        const id = idIn(operation.path, url)
        const method = clientOf(at)[name] as (...values: unknown[]) => Promise<object>
        const answer = await method(...[id, body].filter((value) => value !== undefined))
        const schema = responseSchema(operation, 'records') as TSchema
        expect(Compile(schema).Check(answer)).toBe(true)
        expect(at.proxy.seen).toHaveLength(1)
      })
    })

    describe('a list', () => {
      test('returns records and paging information, and accepts filters', async () => {
        await put(at.h, at.caller.org, apps, [
          anApp({ type: 'ONE', friendlyName: 'One', labels: ['GenAI', 'Finance'] }),
          anApp({ type: 'TWO', friendlyName: 'Two', labels: ['GenAI'] }),
          anApp({ type: 'THREE', friendlyName: 'Three', labels: ['GenAI', 'Finance'] }),
        ])
        const page = await clientOf(at).listApps({ labels: ['genai', 'finance'], limit: 1 })
        expect(namesOf(page.records)).toEqual(['One'])
        const { nextToken } = page.paging
        const rest = await clientOf(at).listApps({ labels: ['genai', 'finance'], limit: 1, nextToken })
        expect(namesOf(rest.records)).toEqual(['Three'])
        expect(rest.paging).toEqual({ moreResults: false, nextToken: null, next: null })
      })

      test('omits undefined parameters', async () => {
        await clientOf(at).listApps({ type: undefined, nextToken: null })
        expect(at.proxy.seen.map(({ url }) => url)).toEqual(['/v1/apps'])
      })
    })

    describe('an iteration', () => {
      test('returns every record once, in order, for any page size', async () => {
        const records = named(25)
        await put(at.h, at.caller.org, apps, records)
        expect(await all(clientOf(at).iterate('listApps', { limit: 10 }))).toEqual(records)
        expect(at.proxy.seen).toHaveLength(3)
      })

      test('requests the largest pages, and only as many as are read', async () => {
        await put(at.h, at.caller.org, apps, named(3))
        const walk = clientOf(at).iterate('listApps')
        expect(at.proxy.seen).toHaveLength(0)
        expect((await walk.next()).value).toMatchObject({ friendlyName: 'App 0' })
        await walk.return()
        expect(at.proxy.seen.map(({ url }) => url)).toEqual(['/v1/apps?limit=1000'])
      })

      test('continues after a page with the same filters', async () => {
        const records = named(5)
        await put(at.h, at.caller.org, apps, records)
        const client = clientOf(at)
        const { nextToken } = (await client.listApps({ limit: 2, approvalStatus: 'APPROVED' })).paging
        const rest = client.iterate('listApps', { limit: 2, approvalStatus: 'APPROVED', nextToken })
        expect(await all(rest)).toEqual(records.slice(2))
        expect(at.proxy.seen.every(({ url }) => url.includes('approvalStatus=APPROVED'))).toBe(true)
      })

      test('refuses an offset, which would end it after a page', async () => {
        const walk = clientOf(at).iterate('listApps', { offset: 0 as never, limit: 1 })
        await expect(walk.next()).rejects.toThrow(
          new TypeError('a walk goes by nextToken: it takes no offset'),
        )
        expect(at.proxy.seen).toEqual([])
      })

      test('iterates a list under a record', async () => {
        const { accountId, uses } = await anAccountWithUsers(at.h, at.caller.org)
        const found = await all(clientOf(at).iterate('listAccountUsers', accountId, { limit: 2 }))
        expect(found).toEqual(uses)
      })

      test('waits at the rate limit without losing records', async () => {
        const records = named(45)
        await put(at.h, at.caller.org, apps, records)
        expect(await all(clientOf(at).iterate('listApps', { limit: 1 }))).toEqual(records)
        expect(at.proxy.seen.length).toBeGreaterThan(45)
      })
    })

    describe('an error response', () => {
      const refusalOf = (call: Promise<unknown>): Promise<MusterApiError> =>
        call.then(
          () => Promise.reject(new Error('it was not refused')),
          (error) => error,
        )

      test('becomes an error with code, status and request ID', async () => {
        const error = await refusalOf(clientOf(at).getApp(unknownId()))
        expect(error).toBeInstanceOf(MusterApiError)
        expect(error).toMatchObject({ name: 'MusterApiError', status: 404, code: 'not_found', mistakes: [] })
        expect(error.requestId).toMatch(/./)
        expect(error.message).toContain(error.requestId)
      })

      test('lists every validation error', async () => {
        const error = await refusalOf(clientOf(at).listApps({ limit: 0, offset: -1 }))
        expect(error.mistakes.map(({ in: part, name }) => [part, name])).toEqual([
          ['query', 'limit'],
          ['query', 'offset'],
        ])
      })

      test('does not contain the key', async () => {
        const apiKey = `${at.caller.key.slice(0, -6)}000000`
        const error = await refusalOf(clientOf(at, { apiKey }).listApps())
        expect(error).toMatchObject({ status: 401, code: 'unauthenticated' })
        expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(apiKey)
      })
    })

    describe('a POST whose response is lost', () => {
      test('is repeated with the same key and runs once', async () => {
        at.proxy.next('lose')
        const employee = await clientOf(at).addEmployee({ email: 'ada@example.com' })
        const [first, second] = at.proxy.seen.map(({ headers }) => headers['idempotency-key'])
        expect(first).toMatch(/^[0-9a-f-]{36}$/)
        expect(second).toBe(first)
        expect((await clientOf(at).listEmployees()).records).toEqual([employee])
      })

      test('has a different key each time', async () => {
        const client = clientOf(at)
        await client.addEmployee({ email: 'ada@example.com' })
        await client.addEmployee({ email: 'bob@example.com' })
        expect(new Set(at.proxy.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
      })

      test('uses the key of the caller, even across programs', async () => {
        const options = { idempotencyKey: 'import line 17' }
        const first = await clientOf(at).addEmployee({ email: 'ada@example.com' }, options)
        expect(await clientOf(at).addEmployee({ email: 'ada@example.com' }, options)).toEqual(first)
      })
    })

    test('values with spaces, symbols and any letters can be added and deleted', async () => {
      const app = anApp({ labels: [] })
      await put(at.h, at.caller.org, apps, [app])
      const label = 'a&b=c+d %2F ü 日本'
      expect((await clientOf(at).addAppLabel(app.id, { label })).labels).toEqual([label])
      expect((await clientOf(at).deleteAppLabel(app.id, { label })).labels).toEqual([])
    })
  })
}

async function anAccountWithUsers(h: Harness, org: number) {
  const { listAccountUsers } = await exampleRequests(h, org)
  const accountId = idIn(operations.listAccountUsers.path, listAccountUsers.url) ?? ''
  const uses = [1, 2, 3, 4].map((minute) => anAccountUser({ lastUsedTimestamp: 1763712000 + minute }))
  await storeAccountUsers(h, org, accountId, uses)
  const first = (await h.call(await h.addKey(org), 'GET', listAccountUsers.url)).body['the service'][0]
  return { accountId, uses: [first, ...uses] }
}

describe('with another name of the records member', () => {
  const at = useClientServer('sqlite', { recordsMember: 'result' })

  test('the client uses the given name', async () => {
    await put(at.h, at.caller.org, apps, named(2))
    const client: Client = clientOf(at, { recordsMember: 'result' })
    expect(namesOf((await client.listApps()).records)).toEqual(['App 0', 'App 1'])
  })

  test('without it the error names the option', async () => {
    const answer = clientOf(at).listApps()
    await expect(answer).rejects.toThrow(MusterAnswerError)
    await expect(answer).rejects.toThrow(/"the service".*"result".*recordsMember/)
  })
})
