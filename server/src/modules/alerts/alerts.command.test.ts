import { describe, expect, test } from 'vitest'
import { integrationKey } from '../../../../test/support/alert-world.ts'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { startReceiver } from '../../../../test/support/webhook-receiver.ts'

for (const store of STORES) {
  describe(store, () => {
    const muster = useCommandLine(store)

    test('adds, tests, logs, changes, disables and removes a rule', async () => {
      const receiver = await startReceiver((response) => void response.writeHead(202).end())
      const added = await muster.json(
        'alerts add --webhooks-allow-private --on DETECTION,finding --destination PAGERDUTY --min-severity HIGH',
        '--name',
        'On call',
        '--key',
        integrationKey,
        '--url',
        receiver.url,
      )
      const { id } = added
      expect(added).toMatchObject({
        name: 'On call',
        triggers: ['DETECTION', 'FINDING'],
        minSeverity: 'HIGH',
      })
      expect(await muster.json(`alerts test ${id} --webhooks-allow-private`)).toEqual({
        delivered: true,
        error: null,
      })
      expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({ routing_key: integrationKey })
      expect(await muster.json(`alerts log ${id}`)).toMatchObject([{ state: 'DELIVERED', test: true }])
      const weekly = await muster.json(`alerts set ${id} --schedule WEEKLY --weekday FRIDAY --hour 8`)
      expect(weekly).toMatchObject({ schedule: 'WEEKLY', weekday: 5, hour: 8, minSeverity: 'HIGH' })
      expect(await muster.json(`alerts disable ${id}`)).toEqual({ id, enabled: false })
      const { stdout } = await muster.run('alerts list')
      expect(stdout).toContain('disabled')
      expect(stdout).not.toContain(integrationKey)
      expect(await muster.json(`alerts remove ${id}`)).toEqual({ id, name: 'On call' })
      expect(await muster.json('alerts list')).toEqual([])
      await receiver.close()
    })

    test('an empty text clears a list', async () => {
      const add = 'alerts add --name x --destination EMAIL --to soc@example.com --groups Finance'
      const { id } = await muster.json(`${add} --detection-types PHISHING`)
      const set = (...words: string[]) => muster.json(`alerts set ${id}`, ...words)
      expect(await set('--groups', '', '--detection-types', '')).toMatchObject({
        groups: [],
        detectionTypes: [],
        addresses: ['soc@example.com'],
      })
    })

    test('says what would be right', async () => {
      const run = (words: string) => muster.run(`alerts ${words}`)
      expect(await run('add --name x --destination SLACK')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--url must be given.'),
      })
      expect(await run('add --name x --destination EMAIL --on PHISHING')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--on: unknown value "PHISHING"'),
      })
      expect(await run('add --name x --destination EMAIL --to soc --to a@example.com,b@example.com')).toEqual(
        {
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(/^--to must .+\n--to must /),
        },
      )
      expect(await run('set 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Nothing to change.'),
      })
      expect(await run('remove 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Run muster alerts list'),
      })
    })
  })
}
