import { readFileSync } from 'node:fs'
import { errorCatalog } from '@muster/contract/api/errors'
import { openApiDefaults } from '@muster/contract/api/openapi'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { useHarness } from '../../../../test/support/harness.ts'

describe('the documentation without a key', () => {
  const h = useHarness('sqlite')
  const get = (url: string) => h.call(null, 'GET', url)

  test.each(Object.entries(errorCatalog))('serves a page for the error %s', async (code, known) => {
    const answer = await get(`/docs/errors/${code}`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain(`<h1>${known.title}</h1>`)
    expect(answer.text).toContain(`Error ${known.status}`)
  })

  test.each(['unheard_of', '__proto__', 'constructor', 'toString', '%00'])(
    'returns 404 for the unknown error %s',
    async (code) => {
      expectProblem(await get(`/docs/errors/${code}`), 'not_found')
    },
  )

  test('includes all endpoints in the OpenAPI document', async () => {
    const { body, status } = await get('/openapi.json')
    expect(status).toBe(200)
    const endpoints = Object.values(body.paths).flatMap((item) => Object.keys(item as object))
    expect(endpoints).toHaveLength(36)
    expect(body.openapi).toMatch(/^3\.1\./)
  })

  test('serves the committed OpenAPI document with the address of the server', async () => {
    const committed = readFileSync('docs/openapi.json', 'utf8')
    const { text } = await get('/openapi.json')
    const served = text.replaceAll('https://muster.test', openApiDefaults.serverUrl)
    expect(JSON.parse(served)).toEqual(JSON.parse(committed))
  })

  test('loads nothing from other hosts in the reference, and blocks it by policy', async () => {
    const answer = await get('/docs')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'self';/)
    const named = [...answer.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source ?? '')
    const sources = named.filter((source) => source !== 'data:,')
    expect(sources.length).toBeGreaterThan(0)
    for (const source of sources) {
      expect(source).toMatch(/^\/docs\/assets\//)
      expect((await get(source)).status).toBe(200)
    }
  })

  test('returns a standard 404 for unknown paths', async () => {
    for (const url of ['/nowhere', '/v2/accounts', '/docs/errors']) {
      expectProblem(await get(url), 'not_found')
    }
  })
})
