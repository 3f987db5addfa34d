import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { startMuster } from '../../../../test/support/muster-process.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'

const refused: readonly [string, string][] = [
  ['v2 --on 2099-06-01', 'VERSION is "v2", but must be an API version: v1.'],
  ['v1', '--on is required: the deprecation date'],
  ['v1 --on tomorrow', '--on is "tomorrow", but must be a date such as 2027-06-01'],
  ['v1 --on 2099-02-31', '--on is "2099-02-31", but must be a date'],
  ['v1 --on 2020-01-01', '--on must be today (UTC) or later.'],
  ['v1 --on 2099-06-01 --sunset 2099-05-01', '--sunset must not be before'],
  ['v1 --withdraw --on 2099-06-01', '--withdraw cannot be combined with --on or --sunset'],
]

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    test('rejects invalid arguments with a message and sets nothing', async () => {
      await cli.run('org add emea')
      for (const [words, reason] of refused) {
        const { code, stderr } = await cli.run(`api deprecate ${words}`)
        expect(stderr).toContain(reason)
        expect(code).toBe(2)
      }
      expect(await cli.json('api status')).toMatchObject([{ version: 'v1', deprecationTimestamp: null }])
    })

    test('a running server picks up dates from the command line, sends headers and notifies holders', async () => {
      const server = await startMuster(cli.settings)
      const made = await cli.json('keys create --name siem --holder ada@example.com --permission read-only')
      expect(await cli.json('api deprecate v1 --on 2099-06-01')).toMatchObject({ changed: true, told: 1 })
      const headers = await until('Deprecation', async () => {
        const answer = await fetch(`${server.address}/v1/employees`, { headers: { 'x-api-key': made.key } })
        return answer.headers.get('deprecation') === `@${Date.parse('2099-06-01') / 1000}` && answer.headers
      })
      expect(headers.get('link')).toContain('/docs/versions/v1>; rel="deprecation"')
      await until('a mail', async () => (await cli.json('api status'))[0].messages.sent === 1)
      const files = readdirSync(join(cli.dataDir, 'mail'))
      expect(files).toHaveLength(1)
      expect(readFileSync(join(cli.dataDir, 'mail', files[0] ?? ''), 'utf8')).toContain('To: ada@example.com')
      expect(await cli.json('notices list')).toMatchObject([{ state: 'SENT', way: 'FILE' }])
      expect(await cli.json('api deprecate v1 --withdraw')).toMatchObject({ withdrawn: true, told: 1 })
      expect(await server.stop()).toBe(0)
    })
  })
}
