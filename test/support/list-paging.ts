import { beforeAll, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inQuery, page } from './answers.ts'
import type { Caller, Harness, HarnessResponse } from './harness.ts'

/** List to page through. */
export interface PagedList {
  /**
   * Stores records in order. @returns them in the form of the API, and the path of their list
   */
  fill(org: number, count: number): Promise<{ records: readonly unknown[]; path: string }>
}

const anyToken = expect.stringMatching(/^[\w-]{1,200}$/)

/** Tests the Paging table of the REST contract on lists of 101 records in two organizations. */
export function describePaging(h: Harness, { fill }: PagedList): void {
  describe('paging', () => {
    let caller: Caller
    let other: Caller
    let all: readonly unknown[]
    let path: string
    let otherPath: string
    const get = (query = ''): Promise<HarnessResponse> => h.call(caller, 'GET', `${path}?${query}`)
    const tokenOf = async (query: string) => String((await get(query)).body.paging.nextToken)

    beforeAll(async () => {
      caller = await h.addCaller()
      other = await h.addCaller()
      const filled = await fill(caller.org, 101)
      all = filled.records
      path = filled.path
      otherPath = (await fill(other.org, 101)).path
    })

    test('the first page has 100 records, a token and an offset of the next page', async () => {
      expectAnswer(await get(), page(all.slice(0, 100), anyToken, '100'))
    })

    test('paging by token returns each record once in the order of creation, without offsets', async () => {
      const first = await get('limit=40')
      expectAnswer(first, page(all.slice(0, 40), anyToken, '40'))
      const second = await get(`limit=40&nextToken=${first.body.paging.nextToken}`)
      expectAnswer(second, page(all.slice(40, 80), anyToken))
      const third = await get(`limit=40&nextToken=${second.body.paging.nextToken}`)
      expectAnswer(third, page(all.slice(80)))
    })

    test('paging by offset returns each record once in the order of creation, without tokens', async () => {
      expectAnswer(await get('limit=40&offset=0'), page(all.slice(0, 40), null, '40'))
      expectAnswer(await get('limit=40&offset=40'), page(all.slice(40, 80), null, '80'))
      expectAnswer(await get('limit=40&offset=80'), page(all.slice(80)))
    })

    test('an empty nextToken counts as missing', async () => {
      expectAnswer(await get('nextToken=&limit=1'), page(all.slice(0, 1), anyToken, '1'))
      expectAnswer(await get('nextToken=&limit=1&offset=0'), page(all.slice(0, 1), null, '1'))
    })

    test('a full last page has no next page', async () => {
      expectAnswer(await get('limit=101'), page(all))
      expectAnswer(await get('limit=1&offset=100'), page(all.slice(100)))
      expectAnswer(await get(`limit=1&nextToken=${await tokenOf('limit=100')}`), page(all.slice(100)))
    })

    test('an offset after the last record returns an empty page', async () => {
      expectAnswer(await get('offset=101'), page([]))
      expectAnswer(await get('offset=1000000000'), page([]))
    })

    test('limit can be 1 and 1000 and differ between pages', async () => {
      expectAnswer(await get('limit=1000'), page(all))
      expectAnswer(await get(`limit=1000&nextToken=${await tokenOf('limit=1')}`), page(all.slice(1)))
    })

    test.each([
      ['limit', '0', 'must be between 1 and 1000'],
      ['limit', '1001', 'must be between 1 and 1000'],
      ['limit', '-1', 'must be between 1 and 1000'],
      ['limit', '1.5', 'must be a whole number between 1 and 1000'],
      ['limit', 'ten', 'must be a whole number between 1 and 1000'],
      ['limit', '', 'must be a whole number between 1 and 1000'],
      ['offset', '-1', 'must be between 0 and 1000000000'],
      ['offset', '1000000001', 'must be between 0 and 1000000000'],
      ['offset', '1e3', 'must be a whole number between 0 and 1000000000'],
      ['offset', '', 'must be a whole number between 0 and 1000000000'],
    ])('refuses %s=%s', async (name, value, message) => {
      expectProblem(await get(`${name}=${value}`), 'invalid_request', [inQuery(name, message)])
    })

    test('refuses nextToken together with offset, naming both', async () => {
      expectProblem(await get(`nextToken=${await tokenOf('limit=1')}&offset=0`), 'invalid_request', [
        inQuery('nextToken', 'must not be set together with offset'),
        inQuery('offset', 'must not be set together with nextToken'),
      ])
    })

    test('refuses a token that is modified, invented or of another organization', async () => {
      const token = await tokenOf('limit=1')
      const foreign = (await h.call(other, 'GET', `${otherPath}?limit=1`)).body.paging.nextToken
      const last = token.endsWith('A') ? 'B' : 'A'
      const wrong = [foreign, `${token.slice(0, -1)}${last}`, `B${token.slice(1)}`, `${token}A`, 'x', '100']
      for (const nextToken of wrong) {
        expectProblem(await get(`nextToken=${nextToken}`), 'invalid_request', [
          inQuery(
            'nextToken',
            'must be the nextToken of the previous page, with the same endpoint and filters; omit it to start over',
          ),
        ])
      }
    })

    test('records of another organization are neither returned nor counted', async () => {
      const nobody = await h.addCaller()
      const { path: emptyPath } = await fill(nobody.org, 0)
      expectAnswer(await h.call(nobody, 'GET', emptyPath), page([]))
      expectAnswer(await h.call(nobody, 'GET', `${emptyPath}?offset=0`), page([]))
    })
  })
}
