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

    test('an extension cannot hide itself or others by a NUL or half of a surrogate pair in its name', async () => {
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

    test('a home page is an address of the web or null, as soon as the browser reports again', async () => {
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

    test('the address of a profile is stored in NFC, and is null where it is no address', async () => {
      const profileOf = async (profileEmail: string | null) => {
        await send(make().heartbeat({ profileEmail }))
        return (await list('browsers'))[0].profileEmail
      }
      expect(await profileOf('jose\u0301@example.com')).toBe('jos\u00e9@example.com')
      for (const wrong of ['a..b@example.com', 'ada', 'ada\u202e@example.com', null])
        expect(await profileOf(wrong)).toBeNull()
    })

    test('who signs in is one account in each form of Unicode; what is no address is a user name', async () => {
      const names = ['jose\u0301', ' jos\u00e9 ', 'a..b@example.com', 'a\u202eb']
      for (const email of names) expect(await send(make().login({ email }))).toMatchObject({ accepted: 1 })
      expect((await list('accounts')).map(({ email }) => email)).toEqual([
        'jos\u00e9',
        'a..b@example.com',
        'a\u202eb',
      ])
    })

    test('the address of a page is stored without line breaks or text-direction controls', async () => {
      const url = 'https://bad.example/\u202egpj\t\u2028.html'
      expect(await send(make().pageThreat({ url, referrerUrl: url }))).toMatchObject({ accepted: 1 })
      const [{ url: stored, referrerUrl }] = await list('detections')
      expect([stored, referrerUrl]).toEqual(Array(2).fill('https://bad.example/%E2%80%AEgpj%E2%80%A8.html'))
    })

    test('a managed browser is refused with an address that no employee can have', async () => {
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
