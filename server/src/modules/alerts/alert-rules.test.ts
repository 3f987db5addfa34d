import { alertRulesMaximum } from '@muster/contract/console/alerts/alert-rule'
import { beforeAll, describe, expect, test } from 'vitest'
import { addRule, integrationKey, logOf } from '../../../../test/support/alert-world.ts'
import { auditTrail } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { startReceiver } from '../../../../test/support/webhook-receiver.ts'
import { findAlertRule, putAlertRule } from './alert-rules.service.ts'

const slackUrl = 'https://hooks.slack.com/services/T0/B0/secret-of-the-channel'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let reader: SignedIn
    let stranger: SignedIn
    beforeAll(async () => {
      const org = await h.addOrganization('one')
      ada = await signedIn(h, org, 'FULL_ACCESS')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('two'))
    })
    const slack = { destination: 'SLACK', target: { url: slackUrl } } as const

    test('a rule is shown without its secrets, which are stored encrypted, and each change is audited', async () => {
      const rule = await addRule(ada, { ...slack, name: 'Channel' })
      expect(rule).toMatchObject({
        name: 'Channel',
        enabled: true,
        target: 'https://hooks.slack.com',
        minSeverity: 'LOW',
        schedule: 'IMMEDIATE',
        waiting: 0,
      })
      const changed = await ada.call('PATCH', `alerts/${rule.id}`, {
        minSeverity: 'HIGH',
        groups: ['Finance'],
      })
      expect(changed.body).toMatchObject({ minSeverity: 'HIGH', groups: ['Finance'] })
      const other = { destination: 'PAGERDUTY', target: { key: integrationKey } }
      const moved = await ada.call('PATCH', `alerts/${rule.id}`, other)
      expect(moved.body).toMatchObject({ target: 'https://events.pagerduty.com' })
      expect((await ada.call('PATCH', `alerts/${rule.id}`, { minSeverity: 'HIGH' })).status).toBe(200)
      expect((await ada.call('DELETE', `alerts/${rule.id}`)).status).toBe(200)
      const trail = await auditTrail(h.db, ada.org)
      const events = trail.filter(({ object }) => object === 'SETTING_UPDATED')
      expect(events.map(({ description }) => description)).toEqual([
        expect.stringContaining('Alert rule "Channel" was added'),
        expect.stringContaining('Alert rule "Channel" was changed'),
        expect.stringContaining('Alert rule "Channel" was changed'),
        expect.stringContaining('Alert rule "Channel" was removed'),
      ])
      const rows = await h.db.all('SELECT * FROM webhooks')
      const all = JSON.stringify([trail, rows, await h.db.all('SELECT * FROM alert_rules')])
      expect(all).not.toContain('secret-of-the-channel')
      expect(all).not.toContain(integrationKey)
    })

    test('read-only administrators see rules and change nothing; others see none', async () => {
      const { id } = await addRule(ada, slack)
      const listed = (await reader.call('GET', 'alerts')).body.rules
      expect(listed.map((rule: { id: string }) => rule.id)).toContain(id)
      expect(await logOf(reader, { id })).toEqual([])
      const input = { name: 'x', triggers: ['FINDING'], ...slack }
      const calls = [
        ['POST', 'alerts', input],
        ['PATCH', `alerts/${id}`, { enabled: false }],
        ['DELETE', `alerts/${id}`, undefined],
        ['POST', `alerts/${id}/test`, {}],
        ['POST', `alerts/${id}/send-again`, { messageId: unknownId() }],
      ] as const
      for (const [method, path, body] of calls)
        expect((await reader.call(method, path, body)).status).toBe(403)
      expect((await stranger.call('GET', 'alerts')).body.rules).toEqual([])
      for (const [method, path, body] of calls.slice(1))
        expect((await stranger.call(method, path, body)).status).toBe(404)
      expect((await stranger.call('GET', `alerts/${id}/deliveries`)).status).toBe(404)
      expect((await ada.call('DELETE', `alerts/${id}`)).status).toBe(200)
    })

    test.each([
      [{ target: { url: 'http://hooks.example.com/x' } }, 'target.url must start with https://'],
      [{ target: { url: 'http://127.0.0.1/x' } }, 'target.url must start with https://'],
      [
        { target: { url: 'https://user:pass@hooks.example.com/' } },
        'target.url must not contain a user name',
      ],
      [{ target: { url: slackUrl, key: 'x'.repeat(20) } }, 'target.key must not be given'],
      [{ target: {} }, 'target.url must be given'],
      [{ target: undefined }, 'target.url must be given'],
      [{ destination: 'PAGERDUTY', target: { key: 'short' } }, 'target.key must be the integration key'],
      [{ destination: 'EMAIL', target: undefined }, 'addresses must have at least one'],
      [{ triggers: [] }, 'triggers'],
      [{ triggers: ['NEW_APP'], groups: ['Finance'] }, 'groups must be empty'],
      [{ hour: 24 }, 'hour'],
    ])('a wrong rule is refused: %j', async (members, words) => {
      const body = { name: 'wrong', triggers: ['FINDING'], ...slack, ...members }
      const { status, text } = await ada.call('POST', 'alerts', body)
      expect(status).toBe(400)
      const { errors } = JSON.parse(text)
      const said = errors.map(({ name, message }: { name: string; message: string }) => `${name} ${message}`)
      expect(said.join('; ')).toContain(words)
    })

    test('the secret of one destination is not sent to another', async () => {
      const { id } = await addRule(ada, slack)
      expect((await ada.call('PATCH', `alerts/${id}`, { destination: 'WEBHOOK' })).status).toBe(400)
      const body = { destination: 'EMAIL', addresses: ['soc@example.com'] }
      expect((await ada.call('PATCH', `alerts/${id}`, body)).body).toMatchObject({ target: null })
      expect((await ada.call('DELETE', `alerts/${id}`)).status).toBe(200)
    })

    test('a test message does not reach the network of the server', async () => {
      const receiver = await startReceiver()
      const url = `https://127.0.0.1:${receiver.port}/hook`
      const { id } = await addRule(ada, { destination: 'WEBHOOK', target: { url } })
      const { body } = await ada.call('POST', `alerts/${id}/test`, {})
      expect(body).toMatchObject({ delivered: false, error: expect.stringContaining('loopback address') })
      expect(await logOf(ada, { id })).toMatchObject([{ test: true, state: 'FAILED', attempts: 1 }])
      expect(receiver.connections()).toBe(0)
      await receiver.close()
      expect((await ada.call('DELETE', `alerts/${id}`)).status).toBe(200)
    })

    test('the number of rules is limited', async () => {
      const { id } = await addRule(ada, slack)
      const existing = (await ada.call('GET', 'alerts')).body.rules.length
      await h.db.inTransaction(async (tx) => {
        const rule = await findAlertRule(tx, ada.org, id)
        for (let number = existing; rule && number < alertRulesMaximum; number++)
          await putAlertRule(tx, { ...rule, endpoint: { ...rule.endpoint, id: unknownId() } })
      })
      const { status } = await ada.call('POST', 'alerts', { name: 'more', triggers: ['FINDING'], ...slack })
      expect(status).toBe(409)
    })
  })
}
