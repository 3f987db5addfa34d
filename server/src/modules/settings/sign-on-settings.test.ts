import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import {
  consoleBrowser,
  consoleOrigin,
  type SignedIn,
  signedIn,
} from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { type IdentityProvider, identityProvider } from '../../../../test/support/identity-provider.ts'
import { changeSettings, seenSetting } from '../../../../test/support/settings.ts'
import { STORES } from '../../../../test/support/stores.ts'

const callback = `${consoleOrigin}/console/api/oidc/callback`
const app = { console: { webhooks: { allowPrivate: true } } }

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store, { app })
    let idp: IdentityProvider
    let owner: SignedIn
    let other: SignedIn

    beforeAll(async () => {
      idp = await identityProvider(callback)
      owner = await signedIn(h, await h.addOrganization('default'))
      other = await signedIn(h, await h.addOrganization('second'))
    })
    afterAll(() => idp.close())

    const provider = () => ({
      oidc_issuer: idp.issuer,
      oidc_client_id: idp.clientId,
      oidc_client_secret: idp.clientSecret,
      oidc_name: 'Example ID',
    })
    const tried = async (who = owner) => (await who.call('POST', 'settings/test-sign-on')).body
    const signInAs = async (name: string) => {
      const browser = consoleBrowser(h)
      const { headers } = await browser.call('GET', 'oidc/start')
      const location = await idp.signIn(headers.location ?? '', name)
      const crossSite = { 'sec-fetch-site': 'cross-site' }
      const answer = await browser.call('GET', location.slice(consoleOrigin.length), undefined, crossSite)
      return { browser, location: answer.headers.location }
    }
    const person = (name: string, email: string) =>
      idp.people.set(name, { email, email_verified: true, name })

    test('without a provider there is no single sign-on', async () => {
      const browser = consoleBrowser(h)
      expect((await browser.call('GET', 'session')).body.oidcName).toBeNull()
      expectProblem(await browser.call('GET', 'oidc/start'), 'not_found')
      expect(await tried()).toEqual({ target: null, works: false, reason: 'No identity provider is set.' })
    })

    test('a provider signs people in as soon as it is saved', async () => {
      const answer = await changeSettings(owner, provider())
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(idp.clientSecret)
      expect(answer.body.redirectUri).toBe(callback)
      expect(await tried()).toEqual({ target: idp.issuer, works: true, reason: null })
      expect((await consoleBrowser(h).call('GET', 'session')).body.oidcName).toBe('Example ID')
      person('ada', owner.email)
      const { browser, location } = await signInAs('ada')
      expect(location).toBe('/console/')
      expect((await browser.call('GET', 'session')).body.administrator.id).toBe(owner.id)
    })

    test('the provider of the first organization signs in nobody of another one', async () => {
      person('impostor', other.email)
      expect((await signInAs('impostor')).location).toBe('/console/?signInError=unknown')
      await other.call('POST', 'invitations', { email: 'invited@example.com', role: 'OWNER' })
      person('invited', 'invited@example.com')
      expect((await signInAs('invited')).location).toBe('/console/?signInError=unknown')
      // They are not offered it either.
      expect((await other.call('GET', 'session')).body.oidcName).toBeNull()
    })

    test('other organizations neither see nor change it', async () => {
      expect(await seenSetting(other, 'oidc_issuer')).toMatchObject({ value: null, changeable: false })
      expect(await seenSetting(other, 'oidc_client_secret')).toMatchObject({ isSet: false })
      const events = await auditEventsDuring(h.db, other.org, async () =>
        expectProblem(await changeSettings(other, provider()), 'role_too_low'),
      )
      expect(events).toEqual([])
      expect(await tried(other)).toMatchObject({ target: null, works: false })
    })

    test('a changed issuer needs the client secret again, and an incomplete provider is refused', async () => {
      const moved = await changeSettings(owner, { oidc_issuer: 'https://login.example.net' })
      expectProblem(moved, 'invalid_request', [
        {
          in: 'body',
          name: 'oidc_client_secret',
          message: expect.stringContaining('entered again') as never,
        },
      ])
      const incomplete = await changeSettings(owner, { oidc_client_id: null })
      expect(incomplete.body.errors).toMatchObject([{ name: 'oidc_client_id' }])
    })

    test('the test reports the exact error', async () => {
      const others = { oidc_client_id: 'x', oidc_client_secret: 'y' }
      await changeSettings(owner, { oidc_issuer: 'http://127.0.0.1:9', ...others })
      expect((await tried()).reason).toContain('ECONNREFUSED')
      const wrong = createServer((_request, response) => response.writeHead(404).end('no such page'))
      await new Promise<void>((resolve) => wrong.listen(0, '127.0.0.1', () => resolve()))
      const { port } = wrong.address() as AddressInfo
      await changeSettings(owner, { oidc_issuer: `http://127.0.0.1:${port}`, ...others })
      const { works, reason, target } = await tried()
      expect({ works, target }).toEqual({ works: false, target: `http://127.0.0.1:${port}` })
      expect(reason).toMatch(/HTTP|status/i)
      expect(reason).not.toContain('no such page')
      await new Promise((resolve) => wrong.close(resolve))
    })

    test('a removed provider ends single sign-on', async () => {
      const nothing = { oidc_issuer: null, oidc_client_id: null, oidc_client_secret: null, oidc_name: null }
      expect((await changeSettings(owner, nothing)).status).toBe(200)
      expectProblem(await consoleBrowser(h).call('GET', 'oidc/start'), 'not_found')
    })
  })

  describe(`${store}, without MUSTER_WEBHOOKS_ALLOW_PRIVATE`, () => {
    const h = useHarness(store)

    test('no request goes to an internal provider', async () => {
      const owner = await signedIn(h, await h.addOrganization('default'))
      let requests = 0
      const internal = createServer((_request, response) => {
        requests += 1
        response.end('{}')
      })
      await new Promise<void>((resolve) => internal.listen(0, '127.0.0.1', () => resolve()))
      const { port } = internal.address() as AddressInfo
      const others = { oidc_client_id: 'x', oidc_client_secret: 'y' }
      const literal = await changeSettings(owner, { oidc_issuer: `https://10.0.0.1`, ...others })
      expect(literal.body.errors[0]).toMatchObject({ name: 'oidc_issuer' })
      const named = await changeSettings(owner, { oidc_issuer: `http://localhost:${port}`, ...others })
      expect(named.status).toBe(200)
      const { body } = await owner.call('POST', 'settings/test-sign-on')
      expect(body).toMatchObject({ works: false, reason: expect.stringContaining('loopback address') })
      expect(requests).toBe(0)
      await new Promise((resolve) => internal.close(resolve))
    })
  })

  describe(`${store}, with a provider of the operator`, () => {
    const issuer = 'https://login.example.com'
    const env = {
      MUSTER_OIDC_ISSUER: issuer,
      MUSTER_OIDC_CLIENT_ID: 'muster',
      MUSTER_OIDC_CLIENT_SECRET: 'secret-of-the-operator',
    }
    const h = useHarness(store, { app, env })

    test('it wins, and an owner cannot send its secret elsewhere', async () => {
      const owner = await signedIn(h, await h.addOrganization('default'))
      const refused = await changeSettings(owner, { oidc_issuer: 'https://evil.example.com' })
      expect(refused.body.errors[0].message).toContain('the operator has set MUSTER_OIDC_ISSUER')
      const seen = await owner.call('GET', 'settings/pages')
      expect(seen.text).not.toContain('secret-of-the-operator')
      expect(await seenSetting(owner, 'oidc_client_secret')).toMatchObject({ isSet: true, value: null })
    })
  })
}
