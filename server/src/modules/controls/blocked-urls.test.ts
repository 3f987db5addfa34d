import { blockedUrls } from '@muster/contract/records/blocked-url'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAnswer, expectProblem, inBody, page } from '../../../../test/support/answers.ts'
import { aBlockedUrl, put, stateOf } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { isUuid } from '../../kernel/lib/secrets/id.ts'

const url = '/v1/controls/blockedUrls'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeEach(async () => {
      caller = await h.addCaller()
    })
    const add = (pattern: unknown, as = caller) => h.call(as, 'POST', url, { body: { url: pattern } })

    describe('GET /v1/controls/blockedUrls', () => {
      describeList(h, {
        path: url,
        collection: blockedUrls,
        make: aBlockedUrl,
        members: 'id url creationTimestamp',
      })
    })

    describe('POST /v1/controls/blockedUrls', () => {
      test('adds the pattern in canonical form', async () => {
        const answer = await add(' HTTPS://*.BÜCHER.example:444/Login/* ')
        expectAnswer(answer, {
          id: answer.body.id,
          url: 'https://*.xn--bcher-kva.example:444/Login/*',
          creationTimestamp: unixSeconds(h.clock),
        })
        expect(isUuid(answer.body.id)).toBe(true)
        expectAnswer(await h.call(caller, 'GET', url), page([answer.body]))
      })

      test('returns an existing pattern unchanged, whatever its spelling', async () => {
        const first = await add('bücher.example/*')
        const before = await stateOf(h, caller.org)
        for (const same of ['bücher.example/*', 'BÜCHER.example./*', 'xn--bcher-kva.example/*'])
          expectAnswer(await add(same), first.body)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('adds a pattern once for concurrent requests', async () => {
        const answers = await Promise.all([1, 2, 3].map(() => add('example.net')))
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
        expectAnswer(await h.call(caller, 'GET', url), page([answers[0]?.body]))
      })

      test('treats patterns with another scheme, port, path or case of the path as different', async () => {
        const patterns = [
          'a.example',
          'http://a.example',
          'a.example:80',
          'a.example/',
          'a.example/X',
          'a.example/x',
          '*.a.example',
        ]
        const added = []
        for (const pattern of patterns) added.push((await add(pattern)).body)
        expect(added.map((record) => record.url)).toEqual(patterns)
        expectAnswer(await h.call(caller, 'GET', url), page(added))
      })

      test('ignores patterns of other organizations', async () => {
        const other = await h.addCaller()
        const theirs = await add('example.net', other)
        const mine = await add('example.net')
        expect(mine.body.id).not.toBe(theirs.body.id)
        expectAnswer(await h.call(caller, 'GET', url), page([mine.body]))
      })

      test('a pattern has at most 2,048 characters', async () => {
        const longest = `a.example/${'x'.repeat(2038)}`
        expect((await add(longest)).body.url).toBe(longest)
        expectProblem(await add(`${longest}x`), 'invalid_request', [
          inBody('url', 'must have at most 2048 characters'),
        ])
        const wide = `a.example/${'😀'.repeat(2038)}`
        expect((await add(wide)).body.url).toBe(wide)
        expect((await add(`${wide}x`)).status).toBe(400)
      })

      test('stores long patterns with any characters and compares them completely', async () => {
        const characters = Array.from({ length: 2000 }, (_, at) =>
          String.fromCodePoint(0x20000 + ((at * 7919) % 40_000)),
        )
        const long = `a.example/${characters.join('')}`
        const first = await add(long)
        expectAnswer(first, { id: first.body.id, url: long, creationTimestamp: unixSeconds(h.clock) })
        expectAnswer(await add(long), first.body)
        const other = await add(`${long.slice(0, -2)}x`)
        expect(other.body.id).not.toBe(first.body.id)
        expectAnswer(await h.call(caller, 'GET', url), page([first.body, other.body]))
      })

      test('returns 400 for an invalid pattern, with a description of valid ones', async () => {
        const before = await stateOf(h, caller.org)
        for (const pattern of ['*', 'user:password@example.com', 'example.com/#top', 'ftp://example.com']) {
          expectProblem(await add(pattern), 'invalid_request', [
            inBody('url', expect.stringMatching(/^must /)),
          ])
        }
        expectProblem(await add(''), 'invalid_request', [inBody('url', 'must not be empty')])
        expectProblem(await add(7), 'invalid_request', [inBody('url', 'must be a text')])
        expectProblem(await h.call(caller, 'POST', url, { body: {} }), 'invalid_request', [
          inBody('url', 'is required'),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test.each([
        ['com', 'must not be the public suffix com, which is not a site, unless allowPublicSuffix is true'],
        [
          'co.uk/',
          'must not be the public suffix co.uk, which is not a site, unless allowPublicSuffix is true',
        ],
        ['*.COM', 'must not block every site under .com, unless allowPublicSuffix is true'],
        ['https://*.co.uk:443/*', 'must not block every site under .co.uk, unless allowPublicSuffix is true'],
        ['*.рф', 'must not block every site under .xn--p1ai, unless allowPublicSuffix is true'],
        ['*.github.io', 'must not block every site under .github.io, unless allowPublicSuffix is true'],
      ])('%s needs a confirmation unless it exists already', async (pattern, message) => {
        const before = await stateOf(h, caller.org)
        const wrong = [inBody('url', message)]
        expectProblem(await add(pattern), 'invalid_request', wrong)
        const body = { url: pattern, allowPublicSuffix: false }
        expectProblem(await h.call(caller, 'POST', url, { body }), 'invalid_request', wrong)
        expect(await stateOf(h, caller.org)).toEqual(before)
        const confirmed = await h.call(caller, 'POST', url, {
          body: { url: pattern, allowPublicSuffix: true },
        })
        expect(confirmed.status).toBe(200)
        expectAnswer(await add(pattern), confirmed.body)
      })

      test.each([
        'intranet',
        '*.intranet',
        'github.io',
        '*.user.github.io',
        '*.com/wp-login.php',
        '*.example.com',
      ])('%s needs no confirmation', async (pattern) => {
        expect((await add(pattern)).body.url).toBe(pattern)
      })

      test('limits an organization to 25,000 patterns and still returns existing ones', async () => {
        const many = Array.from({ length: 24_999 }, () => aBlockedUrl())
        for (let at = 0; at < many.length; at += 5000)
          await put(h, caller.org, blockedUrls, many.slice(at, at + 5000))
        await put(h, (await h.addCaller()).org, blockedUrls, [aBlockedUrl()])
        const last = await add('last.example')
        expect(last.status).toBe(200)
        expectProblem(await add('too-many.example'), 'invalid_request', [
          inBody('url', 'exceeds the limit by 1: an organization can have at most 25000 blocked URLs'),
        ])
        expectAnswer(await add('LAST.example'), last.body)
        expectAnswer(await add(many[0]?.url), many[0])
        expectAnswer(await h.call(caller, 'GET', `${url}?offset=24999`), page([last.body]))
        expectAnswer(await h.call(caller, 'DELETE', url), { count: 25_000 })
        expect((await add('too-many.example')).status).toBe(200)
      })
    })

    describe('DELETE /v1/controls/blockedUrls', () => {
      test('removes everything of the organization and returns the count', async () => {
        const other = await h.addCaller()
        await put(h, other.org, blockedUrls, [aBlockedUrl()])
        const theirs = await stateOf(h, other.org)
        await put(h, caller.org, blockedUrls, [aBlockedUrl(), aBlockedUrl(), aBlockedUrl()])
        expectAnswer(await h.call(caller, 'DELETE', url), { count: 3 })
        expectAnswer(await h.call(caller, 'GET', url), page([]))
        expect(await stateOf(h, caller.org)).toEqual([])
        expect(await stateOf(h, other.org)).toEqual(theirs)
        expectAnswer(await h.call(caller, 'DELETE', url), { count: 0 })
      })

      test('adds a removed pattern again as a new record', async () => {
        const first = await add('example.net')
        await h.call(caller, 'DELETE', url)
        const second = await add('example.net')
        expect(second.body.id).not.toBe(first.body.id)
      })
    })
  })
}
