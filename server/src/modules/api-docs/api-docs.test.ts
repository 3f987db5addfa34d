import { readFileSync } from 'node:fs'
import { errorCatalog } from '@muster/contract/errors'
import { openApiDefaults } from '@muster/contract/openapi'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { useHarness } from '../../../../test/support/harness.ts'

describe('the documentation is served without a key', () => {
  const h = useHarness('sqlite')
  const get = (url: string) => h.call(null, 'GET', url)

  test.each(Object.entries(errorCatalog))(
    'the error %s has the page that its type names',
    async (code, known) => {
      const answer = await get(`/docs/errors/${code}`)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.text).toContain(`<h1>${known.title}</h1>`)
      expect(answer.text).toContain(`Error ${known.status}`)
    },
  )

  test.each(['unheard_of', '__proto__', 'constructor', 'toString', '%00'])(
    'the error %s, which there is not, has none',
    async (code) => {
      expectProblem(await get(`/docs/errors/${code}`), 'not_found')
    },
  )

  test('the OpenAPI document has all endpoints', async () => {
    const { body, status } = await get('/openapi.json')
    expect(status).toBe(200)
    const endpoints = Object.values(body.paths).flatMap((item) => Object.keys(item as object))
    expect(endpoints).toHaveLength(36)
    expect(body.openapi).toMatch(/^3\.1\./)
  })

  test('the OpenAPI document is the committed one, but for the address of the server', async () => {
    const committed = readFileSync('docs/openapi.json', 'utf8')
    const { text } = await get('/openapi.json')
    const served = text.replaceAll('https://muster.test', openApiDefaults.serverUrl)
    expect(JSON.parse(served)).toEqual(JSON.parse(committed))
  })

  test('the reference loads nothing from another host, and may not', async () => {
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

  test('what is nowhere is a 404 of the one shape', async () => {
    for (const url of ['/nowhere', '/v2/accounts', '/docs/errors']) {
      expectProblem(await get(url), 'not_found')
    }
  })
})
