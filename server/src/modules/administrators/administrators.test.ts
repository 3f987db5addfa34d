import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditTrail } from '../../../../test/support/audit.ts'
import {
  consoleBrowser,
  goodPassword,
  type SignedIn,
  signedIn,
} from '../../../../test/support/console-browser.ts'
import { unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { updateAdministrator } from './administrators.service.ts'

const dayMs = 24 * 60 * 60 * 1000
const tokenOf = ({ link }: { link: string }): string => link.split('#')[1] ?? ''

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number
    let ada: SignedIn
    let count = 0

    beforeAll(async () => {
      org = await h.addOrganization('default')
      ada = await signedIn(h, org)
    })

    const fresh = () => ada.call('POST', 'sign-in', { email: ada.email, password: goodPassword })
    const invite = async (role = 'READ_ONLY', email = `new-${++count}@example.com`) => {
      await fresh()
      return { email, ...(await ada.call('POST', 'invitations', { email, role })) }
    }
    const accept = (token: string, more: object = {}) =>
      consoleBrowser(h).call('POST', 'links/accept', { token, password: goodPassword, ...more })
    const people = async () => (await ada.call('GET', 'administrators')).body

    test('an invited person gets a mail with a link and becomes an administrator with the role', async () => {
      const { email, body, status } = await invite('FULL_ACCESS')
      expect(status).toBe(200)
      expect(body).toMatchObject({ sentBy: 'FILE' })
      expect(body.link).toMatch(/^https:\/\/muster\.test\/console\/invitation#[\w-]{43}$/)
      const folder = join(h.dataDir, 'mail')
      const files = readdirSync(folder).map((name) => join(folder, name))
      const file = files.find((path) => readFileSync(path, 'utf8').includes(`To: ${email}`)) ?? ''
      expect(readFileSync(file, 'utf8').replaceAll('=\r\n', '')).toContain(tokenOf(body))
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect((await people()).invitations).toContainEqual(
        expect.objectContaining({ email, role: 'FULL_ACCESS', invitedBy: ada.email }),
      )
      const joined = await accept(tokenOf(body), { name: 'Bob' })
      expect(joined.body.administrator).toMatchObject({ email, name: 'Bob', role: 'FULL_ACCESS' })
      expect((await people()).invitations).toEqual([])
    })

    test('a link works once, for its address only, and not once revoked or expired', async () => {
      const used = await invite()
      expect((await accept(tokenOf(used.body), { email: 'eve@example.com' })).status).toBe(400)
      expect((await accept(tokenOf(used.body))).status).toBe(200)
      expectProblem(await accept(tokenOf(used.body)), 'sign_in_failed')
      const taken = await invite()
      const { id } = (await people()).invitations.find((one: { email: string }) => one.email === taken.email)
      expect((await ada.call('DELETE', `invitations/${id}`)).status).toBe(200)
      expectProblem(await accept(tokenOf(taken.body)), 'sign_in_failed')
      const late = await invite()
      h.clock.advanceMs(7 * dayMs)
      expectProblem(await accept(tokenOf(late.body)), 'sign_in_failed')
    })

    test('a new invitation for an address replaces the older one', async () => {
      const first = await invite('OWNER', 'twice@example.com')
      const second = await invite('READ_ONLY', 'Twice@example.com')
      expectProblem(await accept(tokenOf(first.body)), 'sign_in_failed')
      expect((await accept(tokenOf(second.body))).body.administrator.role).toBe('READ_ONLY')
      expectProblem(await invite('OWNER', 'twice@EXAMPLE.com'), 'conflict')
    })

    test('two concurrent uses of an invitation add one administrator', async () => {
      const { email, body } = await invite()
      const answers = await Promise.all([accept(tokenOf(body)), accept(tokenOf(body))])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
      const { administrators } = await people()
      expect(administrators.filter((one: { email: string }) => one.email === email)).toHaveLength(1)
    })

    test('a reset link sets a new password and ends all sessions of the person', async () => {
      const bob = await signedIn(h, org, 'READ_ONLY')
      await fresh()
      const { body } = await ada.call('POST', `administrators/${bob.id}/reset-password`, {})
      expect((await bob.call('GET', 'keys')).status).toBe(200)
      const opened = await consoleBrowser(h).call('POST', 'links/open', { token: tokenOf(body) })
      expect(opened.body).toMatchObject({ kind: 'RESET', email: bob.email })
      const answer = await accept(tokenOf(body), { password: 'nine purple elephants dance' })
      expect(answer.body.administrator.id).toBe(bob.id)
      expectProblem(await bob.call('GET', 'keys'), 'signed_out')
      const old = await consoleBrowser(h).call('POST', 'sign-in', {
        email: bob.email,
        password: goodPassword,
      })
      expectProblem(old, 'sign_in_failed')
    })

    test('a full reset leaves only the link: neither the old password nor the known identity provider works', async () => {
      const bob = await signedIn(h, org)
      await h.db.inTransaction((tx) =>
        updateAdministrator(tx, org, bob.id, { oidcIssuer: 'https://id.example', oidcSubject: 'mallory' }),
      )
      await fresh()
      const all = { removeSecondFactors: true }
      const { body } = await ada.call('POST', `administrators/${bob.id}/reset-password`, all)
      expectProblem(await bob.call('GET', 'keys'), 'signed_out')
      const signIn = (password: string) =>
        consoleBrowser(h).call('POST', 'sign-in', { email: bob.email, password })
      expectProblem(await signIn(goodPassword), 'sign_in_failed')
      expect((await people()).administrators).toContainEqual(
        expect.objectContaining({ id: bob.id, signsInByPassword: false, signsInByOidc: false }),
      )
      const password = 'nine purple elephants dance'
      expect((await accept(tokenOf(body), { password })).body.state).toBe('SIGNED_IN')
      expect((await signIn(password)).body.state).toBe('SIGNED_IN')
    })

    test.each([
      ['removed', 'DELETE', { revokeKeys: false }],
      ['demoted', 'PATCH', { role: 'FULL_ACCESS' }],
    ] as const)(
      'links created by an owner stop working once the owner is %s',
      async (_what, method, body) => {
        const eve = await signedIn(h, org)
        const bob = await signedIn(h, org)
        const reset = () => eve.call('POST', `administrators/${bob.id}/reset-password`, {})
        const invitation = await eve.call('POST', 'invitations', {
          email: `eve-${++count}@example.com`,
          role: 'OWNER',
        })
        const link = await reset()
        await fresh()
        const [change, concurrent] = await Promise.all([
          ada.call(method, `administrators/${eve.id}`, body),
          reset(),
        ])
        expect(change.status).toBe(200)
        const tokens = [invitation, link, concurrent].flatMap(({ status, body }) =>
          status === 200 ? [tokenOf(body)] : [],
        )
        for (const token of tokens) expectProblem(await accept(token), 'sign_in_failed')
        expect((await bob.call('GET', 'keys')).status).toBe(200)
      },
    )

    test('of several concurrent reset links one works, and none after a password change', async () => {
      const bob = await signedIn(h, org)
      await fresh()
      const reset = async () =>
        tokenOf((await ada.call('POST', `administrators/${bob.id}/reset-password`, {})).body)
      const opened = async (token: string) =>
        (await consoleBrowser(h).call('POST', 'links/open', { token })).status === 200
      const tokens = await Promise.all([reset(), reset(), reset(), reset()])
      expect((await Promise.all(tokens.map(opened))).filter(Boolean)).toEqual([true])
      const changed = await bob.call('PUT', 'sign-in-methods/password', {
        password: 'nine purple elephants dance',
        currentPassword: goodPassword,
      })
      expect(changed.status).toBe(200)
      expect((await Promise.all(tokens.map(opened))).filter(Boolean)).toEqual([])
    })

    test('the last owner is neither removed nor demoted, even by concurrent requests', async () => {
      const other = await h.addOrganization('owners')
      const one = await signedIn(h, other)
      expectProblem(await one.call('DELETE', `administrators/${one.id}`, { revokeKeys: false }), 'conflict')
      expectProblem(await one.call('PATCH', `administrators/${one.id}`, { role: 'FULL_ACCESS' }), 'conflict')
      const two = await signedIn(h, other)
      const removals = await Promise.all([
        one.call('DELETE', `administrators/${two.id}`, { revokeKeys: false }),
        two.call('DELETE', `administrators/${one.id}`, { revokeKeys: false }),
      ])
      expect(removals.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await h.db.all('SELECT id FROM administrators WHERE org = ?', [other])).toHaveLength(1)
    })

    test.each([true, false])(
      'a removed administrator is signed out at once; their keys are revoked on request: %s',
      async (revokeKeys) => {
        const bob = await signedIn(h, org, 'FULL_ACCESS')
        const { body } = await bob.call('POST', 'keys', { name: 'bob', permission: 'READ_ONLY' })
        await fresh()
        expect((await ada.call('DELETE', `administrators/${bob.id}`, { revokeKeys })).body).toEqual({})
        expectProblem(await bob.call('GET', 'keys'), 'signed_out')
        const { keys } = (await ada.call('GET', 'keys')).body
        const state = keys.find(({ id }: { id: string }) => id === body.id).state
        expect(state).toBe(revokeKeys ? 'REVOKED' : 'ACTIVE')
      },
    )

    test('demoting an administrator revokes the keys that exceed the new role', async () => {
      const bob = await signedIn(h, org)
      const make = async (permission: string) =>
        (await bob.call('POST', 'keys', { name: 'bob', permission })).body
      const [reads, writes] = [await make('READ_ONLY'), await make('FULL_ACCESS')]
      const lower = async (role: string) => {
        await fresh()
        expect((await ada.call('PATCH', `administrators/${bob.id}`, { role })).status).toBe(200)
        const { keys } = (await ada.call('GET', 'keys')).body
        return [reads, writes].map(({ id }) => keys.find((key: { id: string }) => key.id === id).state)
      }
      expect(await lower('FULL_ACCESS')).toEqual(['ACTIVE', 'ACTIVE'])
      expect(await lower('READ_ONLY')).toEqual(['ACTIVE', 'REVOKED'])
      expect((await auditTrail(h.db, org)).at(-1)).toMatchObject({
        object: 'SETTING_UPDATED',
        description: expect.stringMatching(
          new RegExp(
            `^The role of administrator \\S+ was changed to read only by \\S+\\. These API keys were revoked: ${writes.start}\\.$`,
          ),
        ),
      })
    })

    test('returns 404 for an unknown administrator or invitation', async () => {
      await fresh()
      for (const [method, path, body] of [
        ['PATCH', `administrators/${unknownId()}`, { role: 'OWNER' }],
        ['DELETE', `administrators/${unknownId()}`, { revokeKeys: true }],
        ['POST', `administrators/${unknownId()}/reset-password`, {}],
        ['DELETE', `invitations/${unknownId()}`],
      ] as const)
        expectProblem(await ada.call(method, path, body), 'not_found')
    })
  })
}
