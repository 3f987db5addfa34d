import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { type MailServer, startMailServer } from '../../../../test/support/mail-server.ts'
import { changeSettings, proveAgain, seenSetting } from '../../../../test/support/settings.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { type SettingsWatch, settingsWatch } from './settings-watch.ts'

const password = 'sealed-secret-of-the-mail-server'
const app = { console: { webhooks: { allowPrivate: true } } }

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store, { app })
    let server: MailServer
    let owner: SignedIn
    let manager: SignedIn
    let other: SignedIn

    beforeAll(async () => {
      server = await startMailServer(
        {},
        {
          disabledCommands: ['STARTTLS'],
          allowInsecureAuth: true,
          onAuth: (auth, _session, done) =>
            auth.username === 'muster' && auth.password === password
              ? done(null, { user: 'muster' })
              : done(Object.assign(new Error('Wrong user or password'), { responseCode: 535 })),
        },
      )
      const org = await h.addOrganization('default')
      owner = await signedIn(h, org)
      manager = await signedIn(h, org, 'FULL_ACCESS')
      other = await signedIn(h, await h.addOrganization('second'))
    })
    afterAll(() => server.close())

    const url = (user = 'muster@') => `smtp://${user}127.0.0.1:${server.port}`
    const testMail = async (who: SignedIn) => (await who.call('POST', 'settings/test-mail')).body

    test('a mail server is in effect at once, and its password is never shown', async () => {
      expect(await testMail(owner)).toMatchObject({ sentBy: 'FILE' })
      const answer = await changeSettings(owner, {
        smtp_url: url(),
        smtp_password: password,
        mail_from: 'Example <muster@example.com>',
      })
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(password)
      expect(await testMail(owner)).toEqual({ to: owner.email, sentBy: 'SMTP', reason: null })
      expect(server.taken.at(-1)).toMatchObject({ to: owner.email })
      expect(server.taken.at(-1)?.raw).toContain('From: Example <muster@example.com>')
      expect(await seenSetting(owner, 'smtp_url')).toMatchObject({
        value: url(),
        source: 'console',
        setBy: null,
      })
      expect(await seenSetting(owner, 'smtp_password')).toMatchObject({
        value: null,
        isSet: true,
        secret: true,
      })
      const { text } = await owner.call('GET', 'settings')
      expect(text).toContain('"source":"console"')
      expect(text).not.toContain(password)
    })

    test('the password is sealed in the store', async () => {
      const rows = await h.db.all<{ value: string }>('SELECT value FROM organization_settings')
      expect(rows.length).toBeGreaterThan(2)
      expect(JSON.stringify(rows)).not.toContain(password)
    })

    test('other processes follow within seconds', async () => {
      const { operator, key, log } = watchOptions(h)
      const elsewhere: SettingsWatch = await settingsWatch({ db: h.db, config: operator, key, log })
      await changeSettings(owner, { mail_from: 'elsewhere@example.com' })
      await until('the change', () => elsewhere.of(owner.org).mailFrom === 'elsewhere@example.com')
      expect(elsewhere.of(owner.org).smtpPassword).toBe(password)
      await elsewhere.stop()
    })

    test('the audit trail names what has changed, without the password', async () => {
      const events = await auditEventsDuring(h.db, owner.org, async () => {
        await changeSettings(owner, { smtp_password: 'another', mail_from: 'new@example.com' })
        await changeSettings(owner, { mail_from: 'new@example.com' })
        await changeSettings(owner, { smtp_password: password })
      })
      expect(events).toMatchObject([
        {
          object: 'SETTING_UPDATED',
          actor: { email: owner.email },
          new: {
            setting: 'mail',
            changes: [
              { name: 'smtp_password', old: 'set', new: 'replaced' },
              { name: 'mail_from', old: 'elsewhere@example.com', new: 'new@example.com' },
            ],
          },
        },
        { new: { changes: [{ name: 'smtp_password', old: 'set', new: 'replaced' }] } },
      ])
      expect(JSON.stringify(events)).not.toContain(password)
    })

    test('another server needs the password again, so that nobody can read it by sending it elsewhere', async () => {
      const moved = { smtp_url: 'smtp://muster@mail.example.net' }
      expectProblem(await changeSettings(owner, moved), 'invalid_request', [
        { in: 'body', name: 'smtp_password', message: 'must be entered again, because smtp_url changes' },
      ])
      expect((await seenSetting(owner, 'smtp_url')).value).toBe(url())
      expect((await changeSettings(owner, { smtp_url: null })).status).toBe(200)
      expect(await seenSetting(owner, 'smtp_password')).toMatchObject({ isSet: false })
      await changeSettings(owner, { smtp_url: url(), smtp_password: password })
      expect(await testMail(owner)).toMatchObject({ sentBy: 'SMTP' })
    })

    test('the exact error of the mail server is reported, without the password', async () => {
      await changeSettings(owner, { smtp_password: 'not-the-password' })
      const failed = await owner.call('POST', 'settings/test-mail')
      expect(failed.body).toMatchObject({ sentBy: 'FAILED', reason: 'EAUTH: 535 Wrong user or password' })
      expect(failed.text).not.toContain('not-the-password')
      await changeSettings(owner, { smtp_url: 'smtp://127.0.0.1:9', smtp_password: null })
      expect((await testMail(owner)).reason).toMatch(/ECONNREFUSED|ESOCKET/)
      await changeSettings(owner, { smtp_url: url(), smtp_password: password })
    })

    test('settings of an organization are its own', async () => {
      expect(await testMail(other)).toMatchObject({ sentBy: 'FILE' })
      expect(await seenSetting(other, 'smtp_url')).toMatchObject({ value: null, isSet: false })
      expect(await seenSetting(other, 'smtp_password')).toMatchObject({ isSet: false })
      await changeSettings(other, { mail_from: 'second@example.com' })
      expect((await seenSetting(owner, 'mail_from')).value).toBe('new@example.com')
      expect((await other.call('GET', 'settings')).text).not.toContain(String(server.port))
    })

    test('invitations of each organization go through its own mail server', async () => {
      const invite = (who: SignedIn, email: string) =>
        who.call('POST', 'invitations', { email, role: 'READ_ONLY' })
      expect((await invite(owner, 'first@example.com')).body).toMatchObject({ sentBy: 'SMTP' })
      expect((await invite(other, 'theirs@example.com')).body).toMatchObject({ sentBy: 'FILE' })
      expect(server.taken.map(({ to }) => to)).not.toContain('theirs@example.com')
    })

    test('only owners with recent re-authentication may change settings', async () => {
      expectProblem(await manager.call('GET', 'settings/pages'), 'role_too_low')
      expectProblem(await changeSettings(manager, { mail_from: 'x@example.com' }), 'role_too_low')
      h.clock.advanceMs(11 * 60_000)
      expectProblem(await changeSettings(owner, { mail_from: 'x@example.com' }), 'reauthentication_required')
      await proveAgain(owner)
    })

    test.each([
      ['smtp_url', 'smtp://a:secret@mail.example.com', /^must be smtp:/],
      ['smtp_url', 'smtp://mail.example.com/?proxy=http://10.0.0.1', /^must be smtp:/],
      ['smtp_url', 'https://mail.example.com', /^must be smtp:/],
      ['mail_from', 'nobody', /^must be an e-mail address/],
      ['database_url', 'postgres://elsewhere/x', /is not a setting that can be changed/],
      ['events_file', '/etc/passwd', /is not a setting that can be changed/],
      ['silent_browser_days', '30', /a whole number from 31/],
    ])('%s = %s is refused with what is right', async (name, value, message) => {
      const answer = await changeSettings(owner, { [name]: value })
      expectProblem(answer, 'invalid_request', [
        { in: 'body', name, message: expect.stringMatching(message) as unknown as string },
      ])
      expect(answer.text).not.toContain('secret@')
    })

    test('all mistakes are reported at once, and nothing is changed', async () => {
      const { body } = await changeSettings(owner, {
        smtp_url: 'x',
        mail_from: 'ok@example.com',
        smtp_port: '1',
      })
      expect(body.errors.map(({ name }: { name: string }) => name)).toEqual(['smtp_url', 'smtp_port'])
      expect((await seenSetting(owner, 'mail_from')).value).toBe('new@example.com')
    })
  })

  describe(`${store}, without MUSTER_WEBHOOKS_ALLOW_PRIVATE`, () => {
    const h = useHarness(store)

    test('the server connects to no internal address', async () => {
      const owner = await signedIn(h, await h.addOrganization('default'))
      for (const host of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '[::1]', '[fd00:ec2::254]']) {
        const answer = await changeSettings(owner, { smtp_url: `smtp://${host}:25` })
        expect(answer.body.errors[0]).toMatchObject({
          name: 'smtp_url',
          message: expect.stringContaining('is not allowed: the host has a'),
        })
      }
      const server = await startMailServer()
      await changeSettings(owner, { smtp_url: `smtp://localhost:${server.port}` })
      const { body } = await owner.call('POST', 'settings/test-mail')
      expect(body).toMatchObject({ sentBy: 'FAILED', reason: expect.stringContaining('loopback address') })
      expect(server.taken).toEqual([])
      await server.close()
    })
  })

  describe(`${store}, with a mail server of the operator`, () => {
    const h = useHarness(store, { app, env: { MUSTER_SMTP_URL: 'smtp://mailer:hidden@mail.example.com' } })

    test('the environment wins, is shown as such, and cannot be changed', async () => {
      const owner = await signedIn(h, await h.addOrganization('default'))
      expect(await seenSetting(owner, 'smtp_url')).toMatchObject({
        value: 'smtp://mailer:***@mail.example.com',
        source: 'environment',
        setBy: 'MUSTER_SMTP_URL',
        changeable: false,
      })
      // Everything on the page belongs to that server.
      expect(await seenSetting(owner, 'mail_from')).toMatchObject({
        setBy: 'MUSTER_SMTP_URL',
        changeable: false,
      })
      const refused = await changeSettings(owner, { mail_from: 'x@example.com' })
      expect(refused.body.errors[0].message).toContain('the operator has set MUSTER_SMTP_URL')
      expect((await changeSettings(owner, { unused_account_days: '400' })).status).toBe(200)
      expect(await seenSetting(owner, 'unused_account_days')).toMatchObject({
        value: '400',
        source: 'console',
      })
    })

    test('a stored mail server has no effect while the environment has one', async () => {
      const org = await h.addOrganization('stored before')
      const row = [org, 'smtp_url', 'smtp://before.example.com', 0, 1]
      const names = ['org', 'name', 'value', 'sealed', 'changed_timestamp']
      await h.db.inTransaction((tx) => tx.insert('organization_settings', names, [row]))
      const owner = await signedIn(h, org)
      await changeSettings(owner, { unused_account_days: '401' })
      expect(await seenSetting(owner, 'smtp_url')).toMatchObject({ source: 'environment' })
    })
  })
}

function watchOptions({ settings, keys, log }: ReturnType<typeof useHarness>) {
  return { operator: settings.operator, key: keys.consoleSecrets, log }
}
