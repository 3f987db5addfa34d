import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../data/list-search.ts'
import { listLink } from './list-paths.ts'
import { recordPath } from './record-path.ts'

const history = createMemoryHistory()
const router = createRouter({ routeTree: createRootRoute(), history, parseSearch, stringifySearch })
const hrefOf = (link: ReturnType<typeof listLink>) => router.buildLocation(link as object).href

test('links to lists have their filters in the URL and switch the default filters off', () => {
  expect(hrefOf(listLink({ list: 'findings', filters: { type: 'WEAK_PASSWORD' } }))).toBe(
    '/findings?workStatus=any&type=WEAK_PASSWORD',
  )
  expect(hrefOf(listLink({ list: 'apps', filters: { labels: ['a', 'b & c'] } }))).toBe(
    '/apps?labels=a&labels=b+%26+c',
  )
})

test('paths of records have encoded IDs', () => {
  expect(recordPath('/accounts/$id', 'an-id')).toBe('/accounts/an-id')
  expect(recordPath('/extensions/$id', '{a/b}@c')).toBe('/extensions/%7Ba%2Fb%7D%40c')
})
