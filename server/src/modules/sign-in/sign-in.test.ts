import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import {
  type ConsoleBrowser,
  consoleBrowser,
  goodPassword,
  setupToken,
  signedIn,
} from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { lockAdministrator } from '../administrators/administrators.service.ts'
import { createSession } from '../console/console-sessions.ts'
import { hashPassword } from './passwords.ts'

const sessionCookie = '__Host-muster_session'
const browserCookie = '__Host-muster_browser'
const minuteMs = 60_000

for (const store of STORES) {
  describe(store, () => {
    /** Runs once, after the server's next read of an administrator and before it uses the result. */
    let meanwhile: (() => Promise<unknown>) | undefined
    const intercept = async <T>(sql: string, found: T): Promise<T> => {
      if (sql.includes('FROM administrators WHERE')) {
        const work = meanwhile
        meanwhile = undefined
        await work?.()
      }
      return found
    }
    const h = useHarness(store, {
      storeSeen: (db) => ({
        ...db,
        all: async (sql, params) => intercept(sql, await db.all(sql, params)),
        get: async (sql, params) => intercept(sql, await db.get(sql, params)),
      }),
    })
    let org: number

    beforeAll(async () => {
      org = await h.addOrganization('default')
    })

    const signIn = (browser: ConsoleBrowser, email: string, password = goodPassword) =>
      browser.call('POST', 'sign-in', { email, password })

    test('the setup link works once and signs in the first owner', async () => {
      const [first, second] = [await setupToken(h, org), await setupToken(h, org)]
      const browser = consoleBrowser(h)
      expect((await browser.call('GET', 'session')).body).toMatchObject({
        state: 'SIGNED_OUT',
        setupNeeded: true,
        administrator: null,
      })
      expect((await browser.call('POST', 'links/open', { token: first })).body).toMatchObject({
        kind: 'SETUP',
        organization: 'default',
        email: null,
        role: 'OWNER',
      })
      const body = {
        token: first,
        email: 'Grace@example.com',
        name: ' Grace Hopper ',
        password: goodPassword,
      }
      const { status, body: state } = await browser.call('POST', 'links/accept', body)
      expect(status).toBe(200)
      expect(state).toMatchObject({
        state: 'SIGNED_IN',
        organization: 'default',
        administrator: { email: 'Grace@example.com', name: 'Grace Hopper', role: 'OWNER', secondFactors: [] },
      })
      expect((await browser.call('GET', 'session')).body).toEqual(state)
      for (const token of [first, second]) {
        const again = consoleBrowser(h)
        expectProblem(await again.call('POST', 'links/accept', { ...body, token }), 'sign_in_failed')
        expectProblem(await again.call('POST', 'links/open', { token }), 'sign_in_failed')
      }
      expect(await setupToken(h, org)).toBe('')
      expect((await consoleBrowser(h).call('GET', 'session')).body.setupNeeded).toBe(false)
    })

    test('the setup link can name the organization, other links cannot', async () => {
      const other = await h.addOrganization('unnamed')
      const token = await setupToken(h, other)
      const browser = consoleBrowser(h)
      const accept = (organization: string, more: object = {}) =>
        browser.call('POST', 'links/accept', {
          token,
          email: 'founder@example.com',
          password: goodPassword,
          organization,
          ...more,
        })
      expect((await accept('a\u0001b')).body.errors).toMatchObject([{ name: 'organization' }])
      expectProblem(await accept('default'), 'conflict')
      expect((await accept(' Engine Works ')).body).toMatchObject({
        state: 'SIGNED_IN',
        organization: 'Engine Works',
      })
      const audit = (await browser.call('GET', 'audit?object=SETTING_UPDATED')).body.records
      expect(audit[0].event).toMatchObject({
        new: {
          setting: 'organization',
          changes: [{ name: 'name', old: 'unnamed', new: 'Engine Works' }],
        },
      })
      const { link } = (
        await browser.call('POST', 'invitations', { email: 'two@example.com', role: 'READ_ONLY' })
      ).body
      const invited = link.split('#')[1]
      expect((await accept('Other', { token: invited, email: undefined })).body.errors).toMatchObject([
        { name: 'organization' },
      ])
    })

    test('of two concurrent uses of the setup link, one becomes the owner', async () => {
      const other = await h.addOrganization('raced')
      const token = await setupToken(h, other)
      const answers = await Promise.all(
        ['one@example.com', 'two@example.com'].map((email) =>
          consoleBrowser(h).call('POST', 'links/accept', { token, email, password: goodPassword }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
      const rows = await h.db.all('SELECT id FROM administrators WHERE org = ?', [other])
      expect(rows).toHaveLength(1)
    })

    test('a setup link expires after a day', async () => {
      const other = await h.addOrganization('late')
      const token = await setupToken(h, other)
      h.clock.advanceMs(24 * 60 * minuteMs)
      expectProblem(await consoleBrowser(h).call('POST', 'links/open', { token }), 'sign_in_failed')
    })

    test.each([
      ['short', 'must have at least 12 characters'],
      ['!!P4ssw0rd2026', 'must not be a common password, with or without added symbols'],
      ['weak@example.com', 'must not be the e-mail address'],
    ])('refuses to set the password %s', async (password, message) => {
      const other = await h.addOrganization(`weak ${password}`)
      const token = await setupToken(h, other)
      const body = { token, email: 'weak@example.com', password }
      expectProblem(await consoleBrowser(h).call('POST', 'links/accept', body), 'invalid_request', [
        { in: 'body', name: 'password', message },
      ])
    })

    test('signs in with e-mail in any case and password; any other input returns the same error', async () => {
      const { email } = await signedIn(h, org)
      const browser = consoleBrowser(h)
      const wrong = await signIn(browser, email, 'wrong horse battery staple')
      const unknown = await signIn(browser, 'nobody@example.com')
      expectProblem(wrong, 'sign_in_failed')
      expectProblem(unknown, 'sign_in_failed')
      expect(wrong.body.detail).toBe(unknown.body.detail)
      expect(browser.cookies.size).toBe(0)
      const right = await signIn(browser, email.toUpperCase())
      expect(right.body).toMatchObject({ state: 'SIGNED_IN', administrator: { email } })
    })

    test('the session cookie is host-bound, secure, HttpOnly and SameSite=Strict', async () => {
      const { email } = await signedIn(h, org)
      const { setCookies } = await signIn(consoleBrowser(h), email)
      expect(setCookies).toEqual([
        expect.stringMatching(
          /^__Host-muster_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
        ),
        expect.stringMatching(
          /^__Host-muster_browser=[\w-]{22}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
        ),
      ])
    })

    test('a session ends an hour after its last use and twelve hours after its start', async () => {
      const idle = await signedIn(h, org)
      h.clock.advanceMs(59 * minuteMs)
      expect((await idle.call('GET', 'session')).body.state).toBe('SIGNED_IN')
      h.clock.advanceMs(60 * minuteMs)
      expect((await idle.call('GET', 'session')).body.state).toBe('SIGNED_OUT')
      const busy = await signedIn(h, org)
      for (let at = 0; at < 14; at++) {
        h.clock.advanceMs(51 * minuteMs)
        expect((await busy.call('GET', 'session')).body.state).toBe('SIGNED_IN')
      }
      h.clock.advanceMs(6 * minuteMs)
      expectProblem(await busy.call('GET', 'keys'), 'signed_out')
    })

    test('signing out ends the session on the server, not only in the browser', async () => {
      const ada = await signedIn(h, org)
      const cookie = ada.cookies.get(sessionCookie) ?? ''
      expect((await ada.call('POST', 'sign-out')).body).toEqual({})
      expect([...ada.cookies.keys()]).toEqual([browserCookie])
      ada.cookies.set(sessionCookie, cookie)
      expectProblem(await ada.call('GET', 'keys'), 'signed_out')
    })

    const lockOut = async (email: string, browser?: ConsoleBrowser) => {
      for (let at = 0; at < 5; at++)
        expectProblem(await signIn(browser ?? consoleBrowser(h), email, 'wrong'), 'sign_in_failed')
    }

    test('guesses from other browsers do not lock out a known browser', async () => {
      const ada = await signedIn(h, org)
      await ada.call('POST', 'sign-out')
      await lockOut(ada.email)
      expect((await signIn(ada, ada.email)).status).toBe(200)
      expectProblem(await signIn(consoleBrowser(h), ada.email), 'rate_limited')
      await lockOut(ada.email, ada)
      expectProblem(await signIn(ada, ada.email), 'rate_limited')
    })

    test('a browser is known only for its own administrator, unmodified, and until the password changes', async () => {
      const ada = await signedIn(h, org)
      const bob = await signedIn(h, org)
      const altered = consoleBrowser(h)
      const known = ada.cookies.get(browserCookie) ?? ''
      altered.cookies.set(browserCookie, `${known.startsWith('A') ? 'B' : 'A'}${known.slice(1)}`)
      await lockOut(ada.email)
      expectProblem(await signIn(bob, ada.email), 'rate_limited')
      expectProblem(await signIn(altered, ada.email), 'rate_limited')
      const old = consoleBrowser(h)
      old.cookies.set(browserCookie, known)
      const password = 'nine purple elephants dance'
      await ada.call('PUT', 'sign-in-methods/password', { password, currentPassword: goodPassword })
      expectProblem(await signIn(old, ada.email, password), 'rate_limited')
      expect((await signIn(ada, ada.email, password)).status).toBe(200)
    })

    test('a browser becomes known only after the second step', async () => {
      const ada = await signedIn(h, org)
      await h.db.inTransaction((tx) =>
        tx.run("UPDATE administrators SET totp_secret = 'x' WHERE id = ?", [ada.id]),
      )
      const browser = consoleBrowser(h)
      expect((await signIn(browser, ada.email)).body.state).toBe('SECOND_FACTOR')
      expect([...browser.cookies.keys()]).toEqual([sessionCookie])
    })

    test('signing out everywhere ends all sessions of the person and of nobody else', async () => {
      const ada = await signedIn(h, org)
      const bob = await signedIn(h, org)
      const second = consoleBrowser(h)
      await signIn(second, ada.email)
      expect((await ada.call('GET', 'sessions')).body.sessions).toHaveLength(2)
      await ada.call('POST', 'sign-out-everywhere')
      expectProblem(await second.call('GET', 'keys'), 'signed_out')
      expect((await bob.call('GET', 'keys')).status).toBe(200)
    })

    test('sensitive operations need an authentication within the last ten minutes', async () => {
      const ada = await signedIn(h, org)
      const work = () => ada.call('POST', 'keys', { name: 'siem', permission: 'READ_ONLY' })
      h.clock.advanceMs(10 * minuteMs)
      expectProblem(await work(), 'reauthentication_required')
      const before = ada.cookies.get(sessionCookie)
      expectProblem(await ada.call('POST', 'reauthenticate', { password: 'wrong' }), 'sign_in_failed')
      expectProblem(await work(), 'reauthentication_required')
      expect((await ada.call('POST', 'reauthenticate', { password: goodPassword })).status).toBe(200)
      expect(ada.cookies.get(sessionCookie)).not.toBe(before)
      expect((await work()).status).toBe(200)
    })

    test('re-authentication does not extend the session', async () => {
      const ada = await signedIn(h, org)
      for (let at = 0; at < 14; at++) {
        h.clock.advanceMs(51 * minuteMs)
        await ada.call('POST', 'reauthenticate', { password: goodPassword })
      }
      h.clock.advanceMs(6 * minuteMs)
      expectProblem(await ada.call('GET', 'keys'), 'signed_out')
    })

    test('changing the password ends the other sessions and invalidates the old password', async () => {
      const ada = await signedIn(h, org)
      const second = consoleBrowser(h)
      await signIn(second, ada.email)
      const next = 'nine purple elephants dance'
      const change = (currentPassword?: string) =>
        ada.call('PUT', 'sign-in-methods/password', { password: next, currentPassword })
      expectProblem(await change(), 'sign_in_failed')
      expectProblem(await change('wrong'), 'sign_in_failed')
      expect((await change(goodPassword)).status).toBe(200)
      expect((await ada.call('GET', 'session')).body.state).toBe('SIGNED_IN')
      expectProblem(await second.call('GET', 'keys'), 'signed_out')
      expectProblem(await signIn(consoleBrowser(h), ada.email), 'sign_in_failed')
      expect((await signIn(consoleBrowser(h), ada.email, next)).status).toBe(200)
    })

    test('a password that changes during the check does not sign in', async () => {
      const ada = await signedIn(h, org)
      const browser = consoleBrowser(h)
      meanwhile = () =>
        ada.call('PUT', 'sign-in-methods/password', {
          password: 'nine purple elephants dance',
          currentPassword: goodPassword,
        })
      expectProblem(await signIn(browser, ada.email), 'sign_in_failed')
      expect(meanwhile).toBeUndefined()
      expect(browser.cookies.size).toBe(0)
      expect((await ada.call('GET', 'sessions')).body.sessions).toHaveLength(1)
    })

    test('an attempt that could not be checked is not counted', async () => {
      const ada = await signedIn(h, org)
      let isBusy = true
      /** Keeps the derivation queue full. */
      const keepBusy = async (): Promise<void> => {
        while (isBusy) await hashPassword('x')
      }
      const crowd = Promise.allSettled(Array.from({ length: 60 }, keepBusy))
      const change = { password: 'nine purple elephants dance', currentPassword: goodPassword }
      try {
        for (let at = 0; at < 6; at++)
          for (const answer of [
            await signIn(consoleBrowser(h), ada.email),
            await ada.call('PUT', 'sign-in-methods/password', change),
          ]) {
            expectProblem(answer, 'rate_limited')
            expect(answer.headers['retry-after']).toBe('5')
          }
      } finally {
        isBusy = false
        await crowd
      }
      expect((await signIn(consoleBrowser(h), ada.email)).status).toBe(200)
    })

    test('a second factor added during the password check is required', async () => {
      const ada = await signedIn(h, org)
      meanwhile = () =>
        h.db.inTransaction((tx) =>
          tx.run("UPDATE administrators SET totp_secret = 'x' WHERE id = ?", [ada.id]),
        )
      expect((await signIn(consoleBrowser(h), ada.email)).body.state).toBe('SECOND_FACTOR')
      expect(meanwhile).toBeUndefined()
    })

    test.each([
      ['reauthenticate', 'POST', { password: goodPassword }],
      [
        'sign-in-methods/password',
        'PUT',
        { password: 'nine purple elephants', currentPassword: goodPassword },
      ],
    ])('a session that ends during %s is not continued', async (path, method, body) => {
      const ada = await signedIn(h, org)
      const second = consoleBrowser(h)
      await signIn(second, ada.email)
      meanwhile = () => second.call('POST', 'sign-out-everywhere')
      expectProblem(await ada.call(method, path, body), 'signed_out')
      expect(meanwhile).toBeUndefined()
      expectProblem(await ada.call('GET', 'keys'), 'signed_out')
      expect((await signIn(consoleBrowser(h), ada.email)).status).toBe(200)
    })

    test('a session being created is ended by signing out everywhere', async () => {
      const ada = await signedIn(h, org)
      let signOut: Promise<unknown> | undefined
      await h.db.inTransaction(async (tx) => {
        await lockAdministrator(tx, org, ada.id)
        const origin = { address: '10.9.9.9', userAgent: undefined, nowSeconds: unixSeconds(h.clock) }
        await createSession(tx, ada, origin, { stage: 'ACTIVE', authenticatedTimestamp: 0 })
        signOut = ada.call('POST', 'sign-out-everywhere')
        // Long enough for the sign-out to finish if it did not wait.
        for (let at = 0; at < 100; at++) await tx.get('SELECT 1 AS one')
      })
      await signOut
      const rows = await h.db.all('SELECT hash FROM console_sessions WHERE administrator_id = ?', [ada.id])
      expect(rows).toEqual([])
    })

    test('an administrator of two organizations can name one', async () => {
      const other = await h.addOrganization('second')
      const ada = await signedIn(h, org)
      const token = await setupToken(h, other)
      const password = 'nine purple elephants dance'
      await consoleBrowser(h).call('POST', 'links/accept', { token, email: ada.email, password })
      const at = (organization: string, given: string) =>
        consoleBrowser(h).call('POST', 'sign-in', { email: ada.email, password: given, organization })
      expect((await at('second', password)).body.organization).toBe('second')
      expectProblem(await at('second', goodPassword), 'sign_in_failed')
      expectProblem(await at('no such', password), 'sign_in_failed')
    })

    test('an administrator of several organizations enters the first one with that password', async () => {
      const ada = await signedIn(h, org)
      const passwords = ['nine purple elephants dance', 'eight brown bears sing', 'eight brown bears sing']
      for (const [at, password] of passwords.entries()) {
        const token = await setupToken(h, await h.addOrganization(`several ${at}`))
        await consoleBrowser(h).call('POST', 'links/accept', { token, email: ada.email, password })
      }
      const organizationFor = async (password: string) =>
        (await signIn(consoleBrowser(h), ada.email, password)).body.organization
      expect(await organizationFor(goodPassword)).toBe('default')
      expect(await organizationFor('nine purple elephants dance')).toBe('several 0')
      expect(await organizationFor('eight brown bears sing')).toBe('several 1')
      expectProblem(await signIn(consoleBrowser(h), ada.email, 'seven red foxes'), 'sign_in_failed')
    })
  })
}
