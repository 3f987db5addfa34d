import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import { goodPassword, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import {
  defaultOrganization,
  ensureDefaultOrganization,
  findOrganization,
} from '../../kernel/organizations/organizations.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'

const secret = 'very-secret'
const env = {
  MUSTER_RANGE_URL: `https://reader:${secret}@range.example.com`,
  MUSTER_SECRET_KEY: 'ab'.repeat(32),
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store, { env })
    let owner: SignedIn
    let manager: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      await h.addOrganization('taken')
      owner = await signedIn(h, org, 'OWNER')
      manager = await signedIn(h, org, 'FULL_ACCESS')
    })

    const rename = (name: string, who = owner) => who.call('PATCH', 'settings/organization', { name })
    const signInAgain = (who = owner) =>
      who.call('POST', 'sign-in', { email: who.email, password: goodPassword })

    test('owners see the settings in effect and their sources, without secrets', async () => {
      const { status, body, text } = await owner.call('GET', 'settings')
      expect(status).toBe(200)
      expect(body).toMatchObject({ organization: { name: 'default' }, mailWay: 'FILE' })
      expect(body.settings).toContainEqual(
        expect.objectContaining({ name: 'rate_limit_burst', value: '10', source: 'default' }),
      )
      expect(body.settings).toContainEqual(
        expect.objectContaining({ environment: 'MUSTER_RANGE_URL', source: 'environment' }),
      )
      expect(text).not.toContain(secret)
      expect(text).not.toContain('abababab')
    })

    test('only owners read or change settings', async () => {
      expectProblem(await manager.call('GET', 'settings'), 'role_too_low')
      expectProblem(await rename('Mine', manager), 'role_too_low')
      expectProblem(await manager.call('POST', 'settings/test-mail'), 'role_too_low')
    })

    test('renames the organization and informs its browsers; it stays the default one', async () => {
      await signInAgain()
      const before = await policyRevision(h.db, owner.org)
      expect((await rename('  Example Inc. ')).body).toMatchObject({ name: 'Example Inc.' })
      expect((await owner.call('GET', 'session')).body.organization).toBe('Example Inc.')
      expect(await policyRevision(h.db, owner.org)).toBeGreaterThan(before)
      expect((await findOrganization(h.db, defaultOrganization))?.no).toBe(owner.org)
      const ensured = await h.db.inTransaction((tx) => ensureDefaultOrganization(tx, 'x', 0))
      expect(ensured.no).toBe(owner.org)
    })

    test('concurrent renames are recorded one after the other, each with its previous name', async () => {
      await signInAgain()
      const name = async () => (await owner.call('GET', 'settings')).body.organization.name
      const first = await name()
      const events = await auditEventsDuring(h.db, owner.org, () =>
        Promise.all(['One', 'Two', 'Three', 'Four'].map((one) => rename(one))),
      )
      const changes = events.flatMap((event) => (event.object === 'SETTING_UPDATED' ? event.new.changes : []))
      expect(changes).toHaveLength(4)
      const names = changes.map((change) => change.new)
      expect(names.at(-1)).toBe(await name())
      expect(changes.map(({ old }) => old)).toEqual([first, ...names.slice(0, -1)])
    })

    test('refuses a name that is taken, empty or invalid', async () => {
      await signInAgain()
      expectProblem(await rename('taken'), 'conflict')
      for (const name of ['', '   ', 'a\u0007b', 'x'.repeat(129)])
        expect((await rename(name)).status).toBe(400)
      const other = await signedIn(h, await h.addOrganization('third'))
      expectProblem(await rename(defaultOrganization, other), 'conflict')
    })

    test('renaming and test mails need recent re-authentication', async () => {
      h.clock.advanceMs(11 * 60_000)
      expectProblem(await rename('Later'), 'reauthentication_required')
      expectProblem(await owner.call('POST', 'settings/test-mail'), 'reauthentication_required')
    })

    test('a test mail goes only to the administrator who requests it', async () => {
      await signInAgain()
      const { body } = await owner.call('POST', 'settings/test-mail')
      expect(body).toEqual({ to: owner.email, sentBy: 'FILE', reason: null })
      const folder = join(h.dataDir, 'mail')
      const [file = ''] = readdirSync(folder)
      expect(readFileSync(join(folder, file), 'utf8')).toContain(`To: ${owner.email}`)
    })
  })

  describe(`${store}, with an unreachable mail server`, () => {
    const smtpUrl = `smtp://mailer:${secret}@127.0.0.1:1`
    const h = useHarness(store, { env: { MUSTER_SMTP_URL: smtpUrl } })

    test('a failed test mail reports the reason and no secret', async () => {
      const owner = await signedIn(h, await h.addOrganization('default'))
      const { body, text } = await owner.call('POST', 'settings/test-mail')
      expect(body).toMatchObject({ sentBy: 'FAILED', reason: expect.stringContaining('ESOCKET') })
      expect(text).not.toContain(secret)
    })
  })
}
