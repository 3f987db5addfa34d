import { beforeEach, describe, expect, test } from 'vitest'
import { aPassword } from '../../../../test/support/agent-events.ts'
import { enrollBrowser } from '../../../../test/support/agents.ts'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import { goodPassword, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { type ObservedPerson, useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    let bob: ObservedPerson
    let owner: SignedIn
    beforeEach(async () => {
      bob = await o.person({ email: `bob-${o.caller.org}@example.com` })
      owner = await signedIn(h, o.caller.org)
    })

    const uses = async ({ employee: { email }, send }: ObservedPerson) =>
      send(
        o.make.login({ email, password: aPassword({ weakReasons: ['TOO_SHORT'] }) }),
        o.make.login({ email: 'team@example.com', loginUrl: 'https://slack.com/signin' }),
        o.make.login({ email, loginUrl: 'https://intranet.example.org/' }),
      )
    const preview = (id: string, who = owner) => who.call('GET', `employees/${id}/offboarding`)
    const offboard = (id: string, who = owner) => who.call('POST', `employees/${id}/offboard`)

    test('lists the effects and the accounts to close, with other users of shared ones', async () => {
      await uses(o.ada)
      await uses(bob)
      const { id, email } = bob.employee
      await h.call(o.caller, 'POST', `/v1/employees/${id}/enrollmentLink`)
      const app = await o.one('apps?type=SLACK')
      await h.call(o.caller, 'PATCH', `/v1/apps/${app.id}`, { body: { ownerId: id } })
      const { status, body } = await preview(id)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        licensed: true,
        browsers: 1,
        enrollmentLinks: 1,
        moreAccounts: false,
        ownedApps: [{ id: app.id, name: 'Slack' }],
        administrator: false,
        apiKeys: 0,
      })
      expect(body.openFindings).toBeGreaterThan(0)
      expect(body.accounts).toHaveLength(3)
      expect(body.accounts).toContainEqual(
        expect.objectContaining({ app: 'Slack', email: 'team@example.com', otherUsers: 1 }),
      )
      expect(body.accounts).toContainEqual(
        expect.objectContaining({
          kind: 'ACCOUNT_OTHER',
          app: 'example.org',
          email,
          otherUsers: 0,
          url: 'https://example.org',
        }),
      )
      expect((await o.one(`employees?email=${email}`)).licensed).toBe(true)
    })

    test('removes the license and revokes browsers and links, with one event for each act', async () => {
      const { id, email } = bob.employee
      const { credential } = await enrollBrowser(h, o.caller, id)
      await h.call(o.caller, 'POST', `/v1/employees/${id}/enrollmentLink`)
      const events = await auditEventsDuring(h.db, o.caller.org, async () => {
        expect((await offboard(id)).body).toEqual({
          licenseRemoved: true,
          browsersRevoked: 2,
          enrollmentLinksRevoked: 1,
        })
      })
      expect((await o.one(`employees?email=${email}`)).licensed).toBe(false)
      expect(events.map(({ object }) => object)).toEqual([
        'EMPLOYEE_UPDATED',
        'LICENSE_REMOVED',
        'SETTING_UPDATED',
        'SETTING_UPDATED',
      ])
      expect(events.at(-1)).toMatchObject({
        actor: { source: 'UI', email: owner.email },
        new: { setting: 'employees', changes: [{ name: 'offboarded', new: id }] },
      })
      const answer = await h.app.inject({
        method: 'GET',
        url: '/agent/v1/policy',
        headers: { authorization: `Bearer ${credential}` },
      })
      expect(answer.statusCode).toBe(401)
      await expect(bob.send(o.make.visit())).rejects.toThrow('401')
    })

    test('a second offboarding changes and records nothing', async () => {
      const { id } = bob.employee
      await offboard(id)
      const events = await auditEventsDuring(h.db, o.caller.org, async () => {
        expect((await offboard(id)).body).toEqual({
          licenseRemoved: false,
          browsersRevoked: 0,
          enrollmentLinksRevoked: 0,
        })
      })
      expect(events).toEqual([])
    })

    test('keeps the findings, which their rules resolve, and the browsers of others', async () => {
      await uses(o.ada)
      await uses(bob)
      const before = await o.list('findings')
      await offboard(bob.employee.id)
      expect(await o.list('findings')).toEqual(before)
      await o.ada.send(o.make.visit())
    })

    test('includes the browsers and links of merged employees, which cannot be offboarded alone', async () => {
      await h.call(o.caller, 'POST', `/v1/employees/${bob.employee.id}/enrollmentLink`)
      await h.call(o.caller, 'POST', `/v1/employees/${o.ada.employee.id}/merge`, {
        body: { employeeIds: [bob.employee.id] },
      })
      expectProblem(await offboard(bob.employee.id), 'conflict')
      expectProblem(await preview(bob.employee.id), 'conflict')
      expect((await preview(o.ada.employee.id)).body).toMatchObject({ browsers: 2, enrollmentLinks: 1 })
      expect((await offboard(o.ada.employee.id)).body).toMatchObject({
        browsersRevoked: 2,
        enrollmentLinksRevoked: 1,
      })
    })

    test('warns of an administrator with the same address and of API keys', async () => {
      const person = await o.person({ email: owner.email })
      await owner.call('POST', 'keys', { name: 'siem', permission: 'READ_ONLY' })
      expect((await preview(person.employee.id)).body).toMatchObject({ administrator: true, apiKeys: 1 })
    })

    test('the CSV file lists the accounts and is audited', async () => {
      await uses(bob)
      const events = await auditEventsDuring(h.db, o.caller.org, async () => {
        const { text, headers } = await owner.call(
          'GET',
          `employees/${bob.employee.id}/accounts-to-close.csv`,
        )
        expect(headers['content-disposition']).toContain('accounts-to-close.csv')
        const [head, ...lines] = text.trimEnd().split('\r\n')
        expect(head).toBe('app,account,lastUsed,singleSignOnOnly,otherUsers,website,passwordPage')
        expect(lines).toHaveLength(3)
        expect(lines.join()).toContain('team@example.com')
      })
      expect(events).toMatchObject([{ object: 'DATA_EXPORTED', new: { format: 'CSV' } }])
      expectProblem(await owner.call('GET', 'employees/nobody/accounts-to-close.csv'), 'not_found')
    })

    test('needs full access and recent re-authentication; others only read', async () => {
      const { id } = bob.employee
      const reader = await signedIn(h, o.caller.org, 'READ_ONLY')
      expect((await preview(id, reader)).status).toBe(200)
      expectProblem(await offboard(id, reader), 'role_too_low')
      const stranger = await signedIn(h, await h.addOrganization(`other-${o.caller.org}`))
      expectProblem(await preview(id, stranger), 'not_found')
      expectProblem(await offboard(id, stranger), 'not_found')
      h.clock.advanceMs(11 * 60_000)
      expectProblem(await offboard(id), 'reauthentication_required')
      await owner.call('POST', 'sign-in', { email: owner.email, password: goodPassword })
      expect((await offboard(id)).status).toBe(200)
    })
  })
}
