import { defaultRequestTemplate } from '@muster/contract/console/work/request-template'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aFinding, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { renderMessage } from '../notices/notice-layout.ts'
import { type FindingsRequestFacts, findingsRequestMessage } from '../notices/request-message.ts'

const path = 'work/request-template'
const own = {
  subject: 'Bitte handeln, {name}',
  text: 'Hallo {name} <b>,\nhier {organization}.\n\n{findings}\n\nFragen an {contact}',
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let reader: SignedIn
    let stranger: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('Northgate')
      ada = await signedIn(h, org, 'FULL_ACCESS')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'), 'OWNER')
    })

    const person = async (firstName: string | null) => {
      const employee = anEmployee({ firstName })
      await put(h, ada.org, employees, [employee])
      const finding = { type: 'WEAK_PASSWORD', state: 'OPEN', accountId: null, appId: null } as const
      await put(h, ada.org, findings, [aFinding({ ...finding, employeeId: employee.id })])
      return employee
    }

    test('is the default until it is changed, and after it is reset', async () => {
      const initial = { ...defaultRequestTemplate, isDefault: true }
      expect((await reader.call('GET', path)).body).toEqual(initial)
      expect((await ada.call('PUT', path, own)).body).toEqual({ ...own, isDefault: false })
      expect((await reader.call('GET', path)).body).toEqual({ ...own, isDefault: false })
      expect((await stranger.call('GET', path)).body).toEqual(initial)
      expect((await ada.call('DELETE', path)).body).toEqual(initial)
    })

    test('the preview of a template that is not saved has the findings of a real person, and saves nothing', async () => {
      const { id } = await person('Rosa')
      const { body } = await ada.call('POST', `employees/${id}/request/preview`, own)
      expect(body).toMatchObject({ subject: 'Bitte handeln, Rosa', findings: 1 })
      expect(body.text).toMatch(
        /^Hallo Rosa <b>,\nhier Northgate\.\n\n.*password.*\n\nFragen an your security team\n$/s,
      )
      expect((await ada.call('GET', path)).body.isDefault).toBe(true)
    })

    test('an e-mail has the text of the time when it was asked for, escaped in HTML', async () => {
      const { id, email } = await person(null)
      await ada.call('PUT', path, own)
      expect((await ada.call('POST', `employees/${id}/request`)).status).toBe(200)
      await ada.call('DELETE', path)
      const row = await h.db.get<{ facts: string }>('SELECT facts FROM notices WHERE address = ?', [email])
      const facts = JSON.parse(row?.facts ?? '') as FindingsRequestFacts
      const { subject, text, html } = renderMessage(
        findingsRequestMessage(facts, { organization: 'North<gate>', address: email }),
      )
      expect(subject).toBe(`Bitte handeln, ${email}`)
      expect(text).toContain(`Hallo ${email} <b>,\nhier North<gate>.`)
      expect(html).toContain('&#60;b&#62;,<br>hier North&#60;gate&#62;.')
      expect(html).not.toContain('<b>')
    })

    test('a template with mistakes is refused with what would be right', async () => {
      const { id } = await person('Rosa')
      const wrong = { subject: 'For {who}', text: 'No list' }
      for (const answer of [
        await ada.call('PUT', path, wrong),
        await ada.call('POST', `employees/${id}/request/preview`, wrong),
      ]) {
        expect(answer.status).toBe(400)
        expect(answer.body.errors.map(({ message }: { message: string }) => message)).toEqual([
          'must not have the placeholder {who}; it takes {name}, {organization}, {count}, {contact}',
          'must have {findings} exactly once, in a line of its own',
        ])
      }
      expect((await ada.call('PUT', path, { ...own, text: `{findings}\n${'x'.repeat(5000)}` })).status).toBe(
        400,
      )
      expect((await ada.call('PUT', path, { ...own, subject: 'two\nlines' })).status).toBe(400)
      expect((await reader.call('PUT', path, own)).status).toBe(403)
      expect((await reader.call('DELETE', path)).status).toBe(403)
      expect((await reader.call('POST', `employees/${id}/request/preview`, own)).status).toBe(403)
    })

    test('the audit trail has a change and a reset once each', async () => {
      const events = await auditEventsDuring(h.db, ada.org, async () => {
        await ada.call('PUT', path, own)
        await ada.call('PUT', path, own)
        await ada.call('DELETE', path)
        await ada.call('DELETE', path)
      })
      expect(events.map(({ object }) => object)).toEqual(['SETTING_UPDATED', 'SETTING_UPDATED'])
    })

    test('the audit trail has what was changed, before and after', async () => {
      await ada.call('PUT', path, own)
      const text = 'Bitte sofort:\n{findings}'
      const events = await auditEventsDuring(h.db, ada.org, async () => {
        await ada.call('PUT', path, { ...own, text })
        await ada.call('DELETE', path)
      })
      expect(events.map((event) => event.new)).toMatchObject([
        { changes: [{ name: 'requestText', old: own.text, new: text }] },
        {
          changes: [
            { name: 'requestSubject', old: own.subject, new: null },
            { name: 'requestText', old: text, new: null },
          ],
        },
      ])
    })
  })
}
