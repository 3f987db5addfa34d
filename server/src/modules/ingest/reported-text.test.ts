import { beforeEach, describe, expect, test } from 'vitest'
import { anExtension, eventMaker, report } from '../../../../test/support/agent-events.ts'
import { addLicensed, askToEnroll, enrollBrowser, managedToken } from '../../../../test/support/agents.ts'
import { recordsOf } from '../../../../test/support/answers.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const make = () => eventMaker(h.clock)
    let caller: Caller
    let credential: string
    beforeEach(async () => {
      caller = await h.addCaller()
      ;({ credential } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id))
    })
    const list = async (path: string) => recordsOf(await h.call(caller, 'GET', `/v1/${path}`))
    const send = async (event: unknown) => (await report(h, credential, [event])).body

    test('stores extensions whose name has a NUL or a lone surrogate', async () => {
      const extensions = [
        anExtension({ extensionId: 'a', name: 'a\u0000b', permissions: ['ta\u0000bs'] }),
        anExtension({ extensionId: 'b', name: 'a\ud800b' }),
        anExtension({ extensionId: 'c', name: '\u202egpj.exe\n\u0007' }),
      ]
      expect(await send(make().extensions({ extensions }))).toMatchObject({ accepted: 1, rejected: [] })
      const names = (await list('browserExtensions')).map(({ name, permissions }) => [name, permissions[0]])
      expect(names).toEqual([
        ['a\ufffdb', 'ta\ufffdbs'],
        ['a\ufffdb', 'storage'],
        ['\u202egpj.exe\n\u0007', 'storage'],
      ])
    })

    test('stores only web addresses as home page', async () => {
      const homePages = [
        'https://example.com/a',
        'HTTP://example.com',
        'javascript:alert(1)',
        ' javascript:alert(1)',
        'data:text/html,x',
        'chrome-extension://a/b',
        'example.com',
        '',
        null,
      ]
      const extensions = homePages.map((homePageUrl, at) =>
        anExtension({ extensionId: `e${at}`, homePageUrl }),
      )
      expect(await send(make().extensions({ extensions }))).toMatchObject({ accepted: 1 })
      expect((await list('browserExtensions')).map(({ homePageUrl }) => homePageUrl)).toEqual([
        ...homePages.slice(0, 2),
        ...Array(7).fill(null),
      ])
    })

    test('stores the profile address in NFC, or null if invalid', async () => {
      const profileOf = async (profileEmail: string | null) => {
        await send(make().heartbeat({ profileEmail }))
        return (await list('browsers'))[0].profileEmail
      }
      expect(await profileOf('jose\u0301@example.com')).toBe('jos\u00e9@example.com')
      for (const wrong of ['a..b@example.com', 'ada', 'ada\u202e@example.com', null])
        expect(await profileOf(wrong)).toBeNull()
    })

    test('uses one account for all Unicode forms of an address or user name', async () => {
      const names = ['jose\u0301', ' jos\u00e9 ', 'a..b@example.com', 'a\u202eb']
      for (const email of names) expect(await send(make().login({ email }))).toMatchObject({ accepted: 1 })
      expect((await list('accounts')).map(({ email }) => email)).toEqual([
        'jos\u00e9',
        'a..b@example.com',
        'a\u202eb',
      ])
    })

    test('stores page URLs without line breaks and text-direction controls', async () => {
      const url = 'https://bad.example/\u202egpj\t\u2028.html'
      expect(await send(make().pageThreat({ url, referrerUrl: url }))).toMatchObject({ accepted: 1 })
      const [{ url: stored, referrerUrl }] = await list('detections')
      expect([stored, referrerUrl]).toEqual(Array(2).fill('https://bad.example/%E2%80%AEgpj%E2%80%A8.html'))
    })

    test('rejects a managed browser with an invalid employee address', async () => {
      const { token } = await managedToken(h, caller.org)
      for (const profileEmail of ['a..b@example.com', 'ada\u202e@example.com']) {
        const { status, body } = await askToEnroll(h, token, { browser: { profileEmail } })
        expect({ status, errors: body.errors }).toEqual({
          status: 400,
          errors: [{ in: 'body', name: 'browser.profileEmail', message: 'must be an e-mail address' }],
        })
      }
    })
  })
}
