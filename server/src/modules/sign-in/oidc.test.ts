import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import {
  type ConsoleBrowser,
  consoleBrowser,
  consoleOrigin,
  goodPassword,
  setupToken,
  signedIn,
} from '../../../../test/support/console-browser.ts'
import { type Harness, startHarness } from '../../../../test/support/harness.ts'
import { type IdentityProvider, identityProvider } from '../../../../test/support/identity-provider.ts'
import { STORES } from '../../../../test/support/stores.ts'
import type { OidcSettings } from './oidc-client.ts'

const callback = `${consoleOrigin}/console/api/oidc/callback`
const providerOf = ({ issuer, clientId, clientSecret, name }: OidcSettings) => ({
  MUSTER_OIDC_ISSUER: issuer,
  MUSTER_OIDC_CLIENT_ID: clientId,
  MUSTER_OIDC_CLIENT_SECRET: clientSecret,
  MUSTER_OIDC_NAME: name,
})
const crossSite = { 'sec-fetch-site': 'cross-site' }

for (const store of STORES) {
  describe(store, () => {
    let h: Harness
    let idp: IdentityProvider
    let org: number

    beforeAll(async () => {
      idp = await identityProvider(callback)
      const { issuer, clientId, clientSecret } = idp
      h = await startHarness(store, {
        env: providerOf({ issuer, clientId, clientSecret, name: 'Example ID' }),
      })
      org = await h.addOrganization('default')
    })
    afterAll(async () => {
      await h.close()
      await idp.close()
    })

    const start = (browser: ConsoleBrowser, query = '') => browser.call('GET', `oidc/start${query}`)
    const callBack = (browser: ConsoleBrowser, location: string) =>
      browser.call('GET', location.slice(consoleOrigin.length), undefined, crossSite)
    const signInBy = async (
      browser: ConsoleBrowser,
      name: string,
      query = '',
      cookies: Map<string, string> = new Map(),
    ) => {
      const out = await start(browser, query)
      return callBack(browser, await idp.signIn(out.headers.location ?? '', name, cookies))
    }
    const person = (name: string, email: string, verified = true) =>
      idp.people.set(name, { email, email_verified: verified, name })

    test('signs in at the provider and returns to the requested page', async () => {
      const ada = await signedIn(h, org)
      person('ada', ada.email.toUpperCase())
      const browser = consoleBrowser(h)
      expect((await browser.call('GET', 'session')).body.oidcName).toBe('Example ID')
      const answer = await signInBy(browser, 'ada', '?returnTo=/console/detections%3Fseverity=HIGH')
      expect(answer.status).toBe(303)
      expect(answer.headers.location).toBe('/console/detections?severity=HIGH')
      expect((await browser.call('GET', 'session')).body).toMatchObject({
        state: 'SIGNED_IN',
        administrator: { id: ada.id, signsInByOidc: true },
      })
      expect([...browser.cookies.keys()]).toEqual(['__Host-muster_session'])
    })

    test('records one audit event for a sign-in, an accepted invitation and a refused sign-in', async () => {
      const ada = await signedIn(h, org)
      person('events', ada.email)
      const signIn = (name: string) => auditEventsDuring(h.db, org, () => signInBy(consoleBrowser(h), name))
      expect(await signIn('events')).toMatchObject([
        { object: 'ADMIN_SIGNED_IN', new: { email: ada.email, method: 'OIDC' }, actor: { source: 'UI' } },
      ])
      person('stranger', 'stranger@example.com')
      expect(await signIn('stranger')).toMatchObject([
        {
          object: 'ADMIN_SIGN_IN_FAILED',
          new: { email: 'stranger@example.com', method: 'OIDC' },
          actor: { source: 'UI', email: 'stranger@example.com', userAgent: 'lightMyRequest' },
        },
      ])
      const email = 'events-invited@example.com'
      await ada.call('POST', 'invitations', { email, role: 'READ_ONLY' })
      person('events invited', email)
      expect(await signIn('events invited')).toMatchObject([{ object: 'ADMIN_ADDED', new: { email } }])
    })

    test('never redirects to another site', async () => {
      const ada = await signedIn(h, org)
      person('open', ada.email)
      for (const target of ['https://evil.example', '//evil.example', '/console/../..//evil.example']) {
        const answer = await signInBy(consoleBrowser(h), 'open', `?returnTo=${encodeURIComponent(target)}`)
        expect(answer.headers.location).toBe('/console/')
      }
    })

    test('the state cookie is encrypted, SameSite=Lax and removed afterwards', async () => {
      const browser = consoleBrowser(h)
      const { setCookies } = await start(browser)
      expect(setCookies).toEqual([
        expect.stringMatching(
          /^__Host-muster_oidc=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ])
    })

    test('refuses unknown people and unverified e-mail addresses', async () => {
      const ada = await signedIn(h, org)
      person('stranger', 'stranger@example.com')
      person('claims-to-be-ada', ada.email, false)
      for (const name of ['stranger', 'claims-to-be-ada']) {
        const browser = consoleBrowser(h)
        const answer = await signInBy(browser, name)
        expect(answer.headers.location).toBe('/console/?signInError=unknown')
        expect((await browser.call('GET', 'session')).body.state).toBe('SIGNED_OUT')
      }
    })

    test('matches by subject once it is known, so a reassigned address gives no access', async () => {
      const ada = await signedIn(h, org)
      person('first', ada.email)
      await signInBy(consoleBrowser(h), 'first')
      person('first', 'moved@example.com')
      person('second', ada.email)
      const moved = consoleBrowser(h)
      await signInBy(moved, 'first')
      expect((await moved.call('GET', 'session')).body.administrator.id).toBe(ada.id)
      const answer = await signInBy(consoleBrowser(h), 'second')
      expect(answer.headers.location).toBe('/console/?signInError=unknown')
    })

    test('ignores the subject of another provider and matches by verified address', async () => {
      const ada = await signedIn(h, org)
      const bind = 'UPDATE administrators SET oidc_issuer = ?, oidc_subject = ? WHERE id = ?'
      await h.db.inTransaction((tx) => tx.run(bind, ['https://old.example', 'old-subject', ada.id]))
      person('rebound', ada.email)
      expect((await signInBy(consoleBrowser(h), 'rebound')).headers.location).toBe('/console/')
      person('other', ada.email)
      const other = await signInBy(consoleBrowser(h), 'other')
      expect(other.headers.location).toBe('/console/?signInError=unknown')
    })

    test('an invited person becomes an administrator by signing in at the provider, without a password', async () => {
      const ada = await signedIn(h, org)
      await ada.call('POST', 'invitations', { email: 'carol@example.com', role: 'FULL_ACCESS' })
      person('carol', 'Carol@example.com')
      const browser = consoleBrowser(h)
      await signInBy(browser, 'carol')
      expect((await browser.call('GET', 'session')).body.administrator).toMatchObject({
        role: 'FULL_ACCESS',
        name: 'carol',
        signsInByPassword: false,
      })
      const body = { email: 'carol@example.com', password: goodPassword }
      expectProblem(await consoleBrowser(h).call('POST', 'sign-in', body), 'sign_in_failed')
    })

    test('sensitive operations need a fresh sign-in at the provider by the same person', async () => {
      const ada = await signedIn(h, org)
      const bob = await signedIn(h, org)
      person('fresh-ada', ada.email)
      person('fresh-bob', bob.email)
      const browser = consoleBrowser(h)
      const known = new Map<string, string>()
      await signInBy(browser, 'fresh-ada', '', known)
      const addKey = () => browser.call('POST', 'keys', { name: 'x', permission: 'READ_ONLY' })
      expectProblem(await addKey(), 'reauthentication_required')
      // The provider's own session answers without asking the person, which is not a recent authentication.
      await signInBy(browser, 'fresh-ada', '', known)
      expectProblem(await addKey(), 'reauthentication_required')
      const other = await signInBy(browser, 'fresh-bob', '?reauthenticate=true')
      expect(other.headers.location).toBe('/console/?signInError=unknown')
      expectProblem(await addKey(), 'reauthentication_required')
      await signInBy(browser, 'fresh-ada', '?reauthenticate=true', known)
      expect((await addKey()).status).toBe(200)
    })

    test('re-authentication applies to the administrator of the current organization', async () => {
      const ada = await signedIn(h, org)
      person('of-two', ada.email)
      await signInBy(consoleBrowser(h), 'of-two')
      const token = await setupToken(h, await h.addOrganization('the second'))
      const second = consoleBrowser(h)
      const body = { token, email: ada.email, password: goodPassword }
      const { administrator } = (await second.call('POST', 'links/accept', body)).body
      h.clock.advanceMs(11 * 60_000)
      await signInBy(second, 'of-two', '?reauthenticate=true')
      const { body: state } = await second.call('GET', 'session')
      expect(state).toMatchObject({ organization: 'the second', administrator: { id: administrator.id } })
      expect((await second.call('POST', 'sign-in-methods/totp/begin')).status).toBe(200)
    })

    test('re-authentication at the provider does not extend the session', async () => {
      const ada = await signedIn(h, org)
      person('long', ada.email)
      const again = () => signInBy(ada, 'long', '?reauthenticate=true')
      for (let at = 0; at < 14; at++) {
        h.clock.advanceMs(51 * 60_000)
        expect(await auditEventsDuring(h.db, org, again)).toEqual([])
      }
      h.clock.advanceMs(6 * 60_000)
      expectProblem(await ada.call('GET', 'keys'), 'signed_out')
    })

    test('re-authentication for an ended session is recorded as a sign-in', async () => {
      const ada = await signedIn(h, org)
      person('ended', ada.email)
      const out = await start(ada, '?reauthenticate=true')
      const back = await idp.signIn(out.headers.location ?? '', 'ended')
      const other = consoleBrowser(h)
      await other.call('POST', 'sign-in', { email: ada.email, password: goodPassword })
      await other.call('POST', 'sign-out-everywhere')
      expect(await auditEventsDuring(h.db, org, () => callBack(ada, back))).toMatchObject([
        { object: 'ADMIN_SIGNED_IN', new: { email: ada.email, method: 'OIDC' } },
      ])
      expect((await ada.call('GET', 'keys')).status).toBe(200)
    })

    test('refuses a response to a flow that another browser started', async () => {
      const ada = await signedIn(h, org)
      person('mallory', ada.email)
      const mallory = consoleBrowser(h)
      const location = await idp.signIn((await start(mallory)).headers.location ?? '', 'mallory')
      const victim = consoleBrowser(h)
      expect((await callBack(victim, location)).headers.location).toBe('/console/?signInError=refused')
      await start(victim)
      expect((await callBack(victim, location)).headers.location).toBe('/console/?signInError=refused')
      expect((await victim.call('GET', 'session')).body.state).toBe('SIGNED_OUT')
    })

    test('failed responses are rate limited by address, and so are their audit events', async () => {
      const ada = await signedIn(h, org)
      person('limited', ada.email)
      const browser = consoleBrowser(h)
      const answerWith = async (code: string) => {
        const question = new URL((await start(browser)).headers.location ?? '')
        return callBack(browser, `${callback}?code=${code}&state=${question.searchParams.get('state')}`)
      }
      const events = await auditEventsDuring(h.db, org, async () => {
        for (let at = 0; at < 8; at++)
          expect((await answerWith('guessed')).headers.location).toBe('/console/?signInError=refused')
      })
      expect(events).toHaveLength(5)
      expect((await signInBy(browser, 'limited')).headers.location).toBe('/console/?signInError=refused')
      h.clock.advanceMs(30_000)
      expect((await signInBy(browser, 'limited')).headers.location).toBe('/console/')
      // A success clears the earlier failures.
      await answerWith('guessed')
      expect((await signInBy(browser, 'limited')).headers.location).toBe('/console/')
    })

    test('a person without access is limited by subject; others behind the same address can sign in', async () => {
      const ada = await signedIn(h, org)
      person('beside a stranger', ada.email)
      person('persistent', 'persistent@example.com')
      const events = await auditEventsDuring(h.db, org, async () => {
        for (let at = 0; at < 8; at++) {
          const answer = await signInBy(consoleBrowser(h), 'persistent')
          expect(answer.headers.location).toBe('/console/?signInError=unknown')
        }
      })
      expect(events).toHaveLength(5)
      expect((await signInBy(consoleBrowser(h), 'beside a stranger')).headers.location).toBe('/console/')
    })

    test('a response is accepted once, and within ten minutes', async () => {
      const ada = await signedIn(h, org)
      person('late', ada.email)
      const browser = consoleBrowser(h)
      const first = await idp.signIn((await start(browser)).headers.location ?? '', 'late')
      const state = browser.cookies.get('__Host-muster_oidc') ?? ''
      expect((await callBack(browser, first)).headers.location).toBe('/console/')
      browser.cookies.set('__Host-muster_oidc', state)
      expect((await callBack(browser, first)).headers.location).toBe('/console/?signInError=refused')
      const second = await idp.signIn((await start(browser)).headers.location ?? '', 'late')
      h.clock.advanceMs(11 * 60_000)
      expect((await callBack(browser, second)).headers.location).toBe('/console/?signInError=refused')
    })

    test('an unreachable provider is reported and affects nothing else', async () => {
      const gone = { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y', name: 'Away' }
      const away = await startHarness('sqlite', { env: providerOf(gone) })
      const browser = consoleBrowser(away)
      const answer = await browser.call('GET', 'oidc/start')
      expect(answer.headers.location).toBe('/console/?signInError=unreachable')
      expect((await browser.call('GET', 'session')).status).toBe(200)
      await away.close()
    })
  })
}
