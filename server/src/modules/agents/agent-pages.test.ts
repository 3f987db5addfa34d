import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { addLicensed, askToEnroll, linkToken } from '../../../../test/support/agents.ts'
import { expectProblem } from '../../../../test/support/answers.ts'
import { stateOf } from '../../../../test/support/fixtures.ts'
import { type HarnessResponse, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { changeControls } from '../controls/change-controls.ts'
import { chromiumId } from './agent-downloads.ts'

const meta = '<meta name="muster-enrollment" content="1">'

/** Expects a page without scripts, caching and resources of other hosts. */
function expectPage(answer: HarnessResponse, status: number): void {
  expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  const style = /<style>([\s\S]*)<\/style>/.exec(answer.text)?.[1] ?? ''
  const sum = createHash('sha256').update(style).digest('base64')
  expect(answer.headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${sum}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  )
  expect(answer.text).not.toMatch(/<script|style="|\son\w+=/i)
  const links = [...answer.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link ?? '')
  for (const link of links) expect(link).toMatch(/^(?:data:,|\/agent\/[\w.-]*)$/)
}

for (const store of STORES) {
  describe(`${store}: the page of an enrollment link`, () => {
    const h = useHarness(store)
    const open = (token: string) => h.call(null, 'GET', `/enroll/${token}`)

    test('shows employee, server, expiry and contact, and has the marker for the agent', async () => {
      const caller = await h.addCaller()
      const employee = await addLicensed(h, caller, {
        firstName: 'Ada <b>',
        lastName: '"Byron" & Co',
        email: "ada'<i>@example.com",
      })
      await h.db.inTransaction((tx) => changeControls(tx, caller.org, { contact: 'it@example.com' }, 1))
      const answer = await open(await linkToken(h, caller, employee.id))
      expectPage(answer, 200)
      expect(answer.text).toContain(meta)
      expect(answer.text).toContain('<h1>Connect this browser to muster.test</h1>')
      expect(answer.text).toContain('<dd>Ada &#60;b&#62; &#34;Byron&#34; &#38; Co</dd>')
      expect(answer.text).toContain('<dd>ada&#39;&#60;i&#62;@example.com</dd>')
      expect(answer.text).toMatch(/<dt>Organization<\/dt><dd>[0-9a-f-]{36}<\/dd>/)
      expect(answer.text).toMatch(/<dd>2026-01-\d\d \d\d:\d\d UTC<\/dd>/)
      expect(answer.text).toContain('<strong>it@example.com</strong>')
      expect(answer.text).toContain('<a href="/agent/">get the agent</a>')
      expect(answer.text).toContain('Passwords. Neither they nor anything')
    })

    test('does not use up the link', async () => {
      const caller = await h.addCaller()
      const token = await linkToken(h, caller, (await addLicensed(h, caller)).id)
      const before = await stateOf(h, caller.org)
      for (const method of ['GET', 'HEAD', 'GET']) await h.call(null, method, `/enroll/${token}`)
      expect(await stateOf(h, caller.org)).toEqual(before)
      expect((await askToEnroll(h, token)).status).toBe(200)
    })

    test('says that a link is used, replaced or expired, without details of the employee', async () => {
      const caller = await h.addCaller()
      const employee = await addLicensed(h, caller, { lastName: 'Byron-Lovelace' })
      const replaced = await linkToken(h, caller, employee.id)
      const used = await linkToken(h, caller, employee.id)
      await askToEnroll(h, used)
      const expired = await linkToken(h, caller, employee.id)
      h.clock.advanceMs(14 * 24 * 60 * 60 * 1000)
      for (const [token, status, text] of [
        [replaced, 410, 'This enrollment link was replaced by a newer one'],
        [used, 410, 'has already been used'],
        [expired, 410, 'has expired'],
        ['made-up', 404, 'is invalid'],
        ['%3Cscript%3E', 404, 'is invalid'],
      ] as const) {
        const answer = await open(token)
        expectPage(answer, status)
        expect(answer.text).toContain(text)
        expect(answer.text).not.toContain(meta)
        expect(answer.text).not.toContain('Byron-Lovelace')
        expect(answer.text).not.toContain(employee.email)
      }
    })

    test('says that the link of an unlicensed employee cannot be used', async () => {
      const caller = await h.addCaller()
      const employee = await addLicensed(h, caller)
      const token = await linkToken(h, caller, employee.id)
      await h.call(caller, 'PATCH', `/v1/employees/${employee.id}`, { body: { licensed: false } })
      const answer = await open(token)
      expectPage(answer, 410)
      expect(answer.text).toContain('because the employee has no license')
      expect(answer.text).not.toContain(meta)
    })

    test('limits failed attempts', async () => {
      h.clock.advanceMs(60_000)
      const statuses: number[] = []
      for (let at = 0; at < 22; at += 1)
        statuses.push((await h.call(null, 'GET', '/enroll/made-up', { still: true })).status)
      expect(statuses).toEqual([...Array(20).fill(404), 429, 429])
    })
  })
}

describe('the download page of the agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-agent-dist-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const h = useHarness('sqlite', { app: { agentDist: folder } })
  const get = (path: string) => h.call(null, 'GET', path)
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const key = Buffer.from('a public key').toString('base64')

  test('says that the agent was not built, and how to build it', async () => {
    const answer = await get('/agent/')
    expectPage(answer, 200)
    expect(answer.text).toContain('No agent packages on this server.')
    expect(answer.text).toContain('<code>npm run agent:build</code>')
    expect((await get('/agent')).headers.location).toBe('/agent/')
  })

  test('offers the built packages with checksum, IDs and managed policy', async () => {
    write('chromium/manifest.json', JSON.stringify({ version: '0.2.0', key }))
    write('muster-agent-0.2.0-chromium.zip', 'chromium package')
    write('muster-agent-0.1.0-chromium.zip', 'an older one')
    write(
      'firefox/manifest.json',
      JSON.stringify({ version: '0.2.0', browser_specific_settings: { gecko: { id: 'agent@muster.test' } } }),
    )
    write('muster-agent-0.2.0-firefox.zip', 'firefox package')
    const answer = await get('/agent/')
    expectPage(answer, 200)
    for (const [name, content] of [
      ['chromium', 'chromium package'],
      ['firefox', 'firefox package'],
    ] as const) {
      const file = `muster-agent-0.2.0-${name}.zip`
      expect(answer.text).toContain(`<a href="/agent/${file}" download>`)
      expect(answer.text).toContain(createHash('sha256').update(content).digest('hex'))
      const fetched = await get(`/agent/${file}`)
      expect(fetched.text).toBe(content)
      expect(fetched.headers).toMatchObject({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${file}"`,
      })
    }
    expect(answer.text).not.toContain('0.1.0')
    const shown = answer.text.replaceAll('&#34;', '"')
    expect(shown).toContain(`"${chromiumId(key)}": {\n        "serverUrl": "https://muster.test"`)
    expect(shown).toContain('"agent@muster.test": {')
    expect(shown).toContain('enrolmentToken')
    write('muster-agent-0.2.0-firefox.zip', 'firefox package, built anew')
    const sum = createHash('sha256').update('firefox package, built anew').digest('hex')
    expect((await get('/agent/')).text).toContain(sum)
  })

  test.each([
    '/agent/muster-agent-0.1.0-chromium.zip',
    '/agent/muster-agent-9.9.9-firefox.zip',
    '/agent/other.zip',
    '/agent/..%2Fpackage.zip',
    '/agent/chromium/manifest.json',
    '/agent/manifest.json',
  ])('does not serve %s', async (path) => {
    expectProblem(await get(path), 'not_found')
  })

  test('returns 404 as a page for people and as a problem for programs', async () => {
    const asked = await h.call(null, 'GET', '/nowhere', { headers: { accept: 'text/html,*/*' } })
    expect(asked.status).toBe(404)
    expect(asked.text).toContain('<h1>Page not found</h1>')
    expectProblem(await get('/nowhere'), 'not_found')
  })

  test('derives the extension ID that Chromium derives from a key', () => {
    expect(
      chromiumId(
        'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtCOuT8gYwzkRE6cNXVDKtYhcR3zzrmC+7NxooVZ7wvmwxbn9Bmmdfmcyc3N1HMitnxEDiH7rKCIp+7MOwuXvfWaVWHrnqEmkaveGr5wRuBrr7lHDpqqqI2WOz34dvI2Iua7WKzZOpoZK62m92lONxSbH84RTeg/TRTHbLgwXzcWMwxWmfn4Jtuk0rYCkP5wz8iNmdVSGYP91RE281q6Uv4eZN+Im1Rn3DTCoepiloUmKbiRgokYGU5xja1x5s17aC3d/Yi0wfMSw+cqEXoi72ZUNvFLQJ3db3VrCPRyP16D2uC81hi8Okmn5exGwbuKWjZJuPKYlxdsJublYtH2zvQIDAQAB',
      ),
    ).toBe('ibldkgglafofgpgdbkgkanfdkbdgpakh')
    expect(chromiumId(undefined)).toBeNull()
  })
})
