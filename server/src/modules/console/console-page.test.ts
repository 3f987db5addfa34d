import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { consoleBrowser } from '../../../../test/support/console-browser.ts'
import { startHarness } from '../../../../test/support/harness.ts'

const index = '<!doctype html><title>Muster</title>'
const script = 'console.log(1)'
const headers = { 'sec-fetch-site': 'none' }

/** Creates a folder with a built page. */
function builtPage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-page-'))
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of [
    ['index.html', index],
    ['assets/index-a1b2.js', script],
  ] as const) {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  writeFileSync(join(folder, 'inputs.sha256'), 'not for browsers')
  return folder
}

async function servedFrom(consoleDist: string) {
  const harness = await startHarness('sqlite', { app: { consoleDist } })
  const browser = consoleBrowser(harness)
  const get = (path: string, more: Record<string, string> = {}) =>
    browser.call('GET', path, undefined, { ...headers, ...more })
  const dispose = async () => {
    await harness.close()
    rmSync(consoleDist, { recursive: true })
  }
  return { get, [Symbol.asyncDispose]: dispose }
}

describe('the console page', () => {
  test('is served for every path within it and is revalidated each time', async () => {
    await using served = await servedFrom(builtPage())
    for (const path of [
      '/console/',
      '/console/detections/some-id',
      '/console/extensions/one@example.com',
      '/console/setup',
    ]) {
      const answer = await served.get(path)
      expect([answer.status, answer.text]).toEqual([200, index])
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['cache-control']).toBe('no-cache')
    }
    const bare = await served.get('/console')
    expect([bare.status, bare.headers.location]).toEqual([308, '/console/'])
    const root = await served.get('/')
    expect([root.status, root.headers.location]).toEqual([302, '/console/'])
  })

  test('runs only its own scripts and styles, cannot be framed and sends no referrer', async () => {
    await using served = await servedFrom(builtPage())
    const { headers: sent } = await served.get('/console/')
    expect(sent['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(sent).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  test('is served precompressed, with permanently cached assets', async () => {
    await using served = await servedFrom(builtPage())
    const answer = await served.get('/console/assets/index-a1b2.js', { 'accept-encoding': 'gzip, br' })
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    const zipped = await served.get('/console/assets/index-a1b2.js', { 'accept-encoding': 'gzip' })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect((await served.get('/console/assets/index-a1b2.js')).text).toBe(script)
  })

  test('serves no other files for any path', async () => {
    await using served = await servedFrom(builtPage())
    for (const path of ['/console/assets/gone.js', '/console/inputs.sha256', '/console/robots.txt'])
      expect((await served.get(path)).status).toBe(404)
    expect((await served.get('/console/..%2f..%2fpackage.json')).text).toBe(index)
  })

  test('returns 404 for unknown paths under its API', async () => {
    await using served = await servedFrom(builtPage())
    expectProblem(await served.get('/console/api/nothing'), 'not_found')
  })

  test('returns 503 with the build command if it is missing', async () => {
    await using served = await servedFrom(mkdtempSync(join(tmpdir(), 'muster-page-')))
    const answer = await served.get('/console/')
    expect(answer.status).toBe(503)
    expect(answer.text).toContain('npm run console:build')
  })
})
