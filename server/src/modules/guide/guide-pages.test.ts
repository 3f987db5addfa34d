import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guideSiteFiles } from '../../../../console/guide-site/guide-site.ts'
import { useHarness } from '../../../../test/support/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'muster-guide-'))
const guide = join(import.meta.dirname, '../../../../docs/guide')

describe('the guide at /docs/guide/', () => {
  const h = useHarness('sqlite', { app: { consoleDist: folder } })
  const get = (path: string) => h.call(null, 'GET', path)

  beforeAll(() => {
    writeFileSync(join(folder, 'index.html'), 'console')
    for (const [path, content] of guideSiteFiles(guide)) {
      const file = join(folder, 'guide-site', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is open to everybody, with the headers of the console', async () => {
    const console = await get('/console/')
    for (const path of [
      '',
      'quick-start',
      'threat-model.md',
      'search.json',
      'site.css',
      'search.js',
      'recipes/offboard.py',
    ]) {
      const { status, headers } = await get(`/docs/guide/${path}`)
      expect([path, status]).toEqual([path, 200])
      for (const name of [
        'content-security-policy',
        'x-frame-options',
        'referrer-policy',
        'x-content-type-options',
      ])
        expect(headers[name]).toBe(console.headers[name])
    }
    expect((await get('/docs/guide/')).headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await get('/docs/guide/recipes/offboard.py')).headers['content-type']).toBe(
      'text/plain; charset=utf-8',
    )
    expect((await get('/docs/guide')).headers.location).toBe('/docs/guide/')
  })

  test('returns 404 for unknown pages, and nothing outside of it', async () => {
    for (const path of ['nowhere', '../index.html', '..%2findex.html', 'images/', '__proto__'])
      expect([path, (await get(`/docs/guide/${path}`)).status]).toEqual([path, 404])
  })
})

describe('a server without a built console', () => {
  const h = useHarness('sqlite', { app: { consoleDist: join(folder, 'missing') } })

  test('says how to build the guide', async () => {
    const { status, text } = await h.call(null, 'GET', '/docs/guide/')
    expect(status).toBe(503)
    expect(text).toContain('npm run console:build')
  })
})
