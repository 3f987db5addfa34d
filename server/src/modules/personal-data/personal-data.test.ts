import { employees } from '@muster/contract/records/employee'
import { beforeEach, describe, expect, test } from 'vitest'
import { anExtension, aPassword } from '../../../../test/support/agent-events.ts'
import { browserFacts } from '../../../../test/support/agents.ts'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { subscribeEndpoint } from '../../../../test/support/outbox-events.ts'
import { type ObservedPerson, useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    let bob: ObservedPerson
    let owner: SignedIn
    beforeEach(async () => {
      bob = await o.person({ email: `bob-${o.caller.org}@example.com`, firstName: '<b>Bob</b>' })
      owner = await signedIn(h, o.caller.org)
    })

    const everything = async ({ employee: { email, id }, send }: ObservedPerson) => {
      await send(
        o.make.heartbeat(browserFacts({ profileEmail: email })),
        // Longer than the reports that are read together.
        o.make.extensions({
          extensions: [anExtension({ name: 'x'.repeat(9000), description: 'y'.repeat(9000) })],
        }),
        o.make.login({ email, password: aPassword({ weakReasons: ['TOO_SHORT'], manuallyTyped: true }) }),
        o.make.login({ email, loginUrl: 'https://intranet.example.org/' }),
        o.make.login({ email: 'team@example.com', loginUrl: 'https://slack.com/signin' }),
        o.make.pageThreat(),
      )
      await h.call(o.caller, 'POST', `/v1/employees/${id}/enrollmentLink`)
      await h.call(o.caller, 'POST', '/v1/controls/stolenCredentials', {
        body: { credentials: [{ email, password: 'hunter2' }] },
      })
    }
    const download = (id: string, format: string, who = owner) =>
      who.call('GET', `employees/${id}/data?format=${format}`)

    test('the JSON file has everything that is stored about the person, and nothing about others', async () => {
      await subscribeEndpoint(h, o.caller.org, ['LOGIN', 'ACCOUNT'])
      await everything(o.ada)
      await everything(bob)
      const { id, email } = bob.employee
      const { status, body, text } = await download(id, 'json')
      expect(status).toBe(200)
      expect(body.about).toMatchObject({ email })
      const counts = Object.fromEntries(
        Object.entries(body).flatMap(([name, list]) => (Array.isArray(list) ? [[name, list.length]] : [])),
      )
      expect(counts).toMatchObject({
        employees: 1,
        browsers: 1,
        accounts: 1,
        sharedAccounts: 1,
        accountsOther: 1,
        browserExtensions: 1,
        detections: 1,
        enrollmentLinks: 2,
        stolenCredentials: 1,
        rawEvents: 6,
      })
      expect(counts.findings).toBeGreaterThan(0)
      expect(counts.events).toBeGreaterThan(0)
      expect(counts.auditTrail).toBeGreaterThan(0)
      expect(body.sharedAccounts[0].email).toBe('team@example.com')
      expect(text).not.toContain(o.ada.employee.email)
      expect(text).not.toContain(o.ada.browserId)
      expect(text).not.toMatch(/"(hash|tokenHash|salt|address_hmac)"/)
    })

    test('has what others reported and saved with an address of the person', async () => {
      const { id, email } = bob.employee
      await o.ada.send(
        o.make.heartbeat(browserFacts({ profileEmail: email })),
        o.make.login({ email }),
        o.make.login({ email, loginUrl: 'https://intranet.example.org/' }),
      )
      for (const query of [`email=${encodeURIComponent(email)}`, 'licensed=true'])
        await owner.call('POST', 'saved-filters', { list: 'employees', name: query, query })
      const { body } = await download(id, 'json')
      const ada = { employeeId: o.ada.employee.id }
      expect(body.recordsOfOthers).toMatchObject([
        { ...ada, email },
        { ...ada, email },
        { ...ada, profileEmail: email },
      ])
      expect(body.accounts).toEqual([])
      expect(body.savedFilters).toMatchObject([{ list: 'employees', query: expect.stringContaining('bob') }])
    })

    test('an imported ID can have any characters', async () => {
      const imported = anEmployee({ id: 'Ünit "7"' })
      await put(h, o.caller.org, employees, [imported])
      const { status, headers } = await download(encodeURIComponent(imported.id), 'json')
      expect(status).toBe(200)
      expect(headers['content-disposition']).toBe('attachment; filename="personal-data-_nit__7_.json"')
    })

    test('includes merged employees, who cannot be exported alone', async () => {
      await everything(bob)
      await h.call(o.caller, 'POST', `/v1/employees/${o.ada.employee.id}/merge`, {
        body: { employeeIds: [bob.employee.id] },
      })
      const { body } = await download(o.ada.employee.id, 'json')
      expect(body.employees).toHaveLength(2)
      expect(body.rawEvents).toHaveLength(6)
      expectProblem(await download(bob.employee.id, 'json'), 'conflict')
    })

    test('the HTML file is self-contained and escapes what was reported', async () => {
      await everything(bob)
      const { headers, text } = await download(bob.employee.id, 'html')
      expect(headers['content-type']).toContain('text/html')
      expect(headers['content-disposition']).toContain(`personal-data-${bob.employee.id}.html`)
      expect(text).toContain('&#60;b&#62;Bob&#60;/b&#62;')
      expect(text).not.toContain('<b>')
      expect(text).not.toMatch(/<(script|img|link|a|iframe)\b|\son\w+=|src=/i)
      expect(text.endsWith('</html>\n')).toBe(true)
      expect(text).toContain('2026-')
    })

    test('is audited, and needs full access and recent re-authentication', async () => {
      const { id } = bob.employee
      const events = await auditEventsDuring(h.db, o.caller.org, () => download(id, 'html'))
      expect(events).toMatchObject([
        { object: 'DATA_EXPORTED', new: { what: `all data of employee ${id}`, format: 'HTML' } },
      ])
      expect((await owner.call('GET', `employees/${id}/data-scope`)).body).toEqual({
        email: bob.employee.email,
        mergedEmployees: 0,
      })
      expectProblem(await download(id, 'json', await signedIn(h, o.caller.org, 'READ_ONLY')), 'role_too_low')
      const stranger = await signedIn(h, await h.addOrganization(`other-${o.caller.org}`))
      expectProblem(await download(id, 'json', stranger), 'not_found')
      h.clock.advanceMs(11 * 60_000)
      expectProblem(await download(id, 'json'), 'reauthentication_required')
    })
  })
}
