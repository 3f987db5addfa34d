import { generateKeySync } from 'node:crypto'
import type { AuditEvent } from '@muster/contract/console/console-audit'
import { describe, expect, test } from 'vitest'
import { auditedCommands } from '../../../../test/guards/audited-acts.ts'
import { schemaMistakes } from '../../../../test/support/audit.ts'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aBrowser, anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { insertAdministrator } from '../../modules/administrators/administrators.service.ts'
import { administratorRow } from '../../modules/administrators/redeem-link.ts'
import { insertBrowserCredential } from '../../modules/browsers/browser-credentials.service.ts'
import { openStore } from '../store/lifecycle/open.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    const trail = async (org = 'default'): Promise<AuditEvent[]> => {
      const { stdout } = await cli.run(`audit list --json --limit 1000 --org ${org}`)
      const lines = stdout.split('\n').filter((line) => line !== '')
      return lines.map((line) => JSON.parse(line) as AuditEvent).reverse()
    }

    test('each command that changes or exports data records an event', async () => {
      const secrets: string[] = [generateKeySync('hmac', { length: 64 }).export().toString('hex')]
      const done: string[] = []
      const does = async (name: string, rest = '', ...more: string[]) => {
        const outcome = await cli.run(`${name} ${rest}`.trim(), ...more)
        expect(outcome.code, `${name}: ${outcome.stderr}`).toBe(0)
        done.push(name)
        return outcome.stdout
      }
      const asks = async (name: string, rest = '', ...more: string[]) =>
        JSON.parse(await does(name, `${rest} --json`, ...more))
      const person = anEmployee({ email: 'gone@example.com', licensed: true, groups: ['Engineers'] })
      const browser = aBrowser({ employeeId: person.id })
      const change = cli.file('change.json', [{ contact: 'it@example.com' }])
      const products = cli.file('product.json', [
        {
          ...{ appType: 'INTRANET', friendlyName: 'Intranet', website: 'https://intranet.example.com' },
          ...{ description: 'Tells news.', domains: ['intranet.example.com'] },
          loginHosts: ['intranet.example.com'],
        },
      ])

      const key = await asks(
        'keys create',
        '--name siem --holder ada@example.com --permission read-only --expires 90d',
      )
      const next = await asks('keys rotate', `${key.id} --overlap 0`)
      await does('keys revoke', next.id)
      const invited = await asks('admin invite', 'ada@example.com --role owner')
      await does('api deprecate', 'v1 --on 2099-06-01')
      const token = await asks('enrollment-tokens create', '--name laptops')
      await does('enrollment-tokens revoke', token.id)
      const scimToken = await asks('scim token create', '--name Okta')
      secrets.push(scimToken.token)
      await does('scim token revoke', scimToken.id)
      await does('controls set', change)
      await does('catalog add', products)
      await does('catalog remove', 'INTRANET')
      await does(
        'range load',
        cli.file('leaked.txt', ['0018A45C4D1DEF81644B54AB7F969B88D65:1'.padStart(42, '0')]),
      )
      await does('import', cli.file('employees.jsonl', [person]))
      await does('import', cli.file('browsers.jsonl', [browser]))
      await does('export', 'exported')
      const hook = await asks('webhooks add', '--url https://siem.example.com/x --objects LOGIN')
      const rotated = await asks('webhooks rotate', hook.id)
      await does('webhooks disable', hook.id)
      await does('webhooks enable', hook.id)
      await does('webhooks remove', hook.id)
      const alert = await asks('alerts add', '--name Phishing --destination EMAIL --to soc@example.com')
      await does('alerts set', `${alert.id} --schedule DAILY`)
      await does('alerts disable', alert.id)
      await does('alerts enable', alert.id)
      await does('alerts remove', alert.id)
      const db = await openStore({ dataDir: cli.dataDir, databaseUrl: cli.settings.MUSTER_DATABASE_URL }, 1)
      await db.inTransaction(async (tx) => {
        const made = { org: 1, creationTimestamp: 1 }
        for (const name of ['ada', 'bob'])
          await insertAdministrator(tx, {
            ...administratorRow(1, name, `${name}@example.org`, undefined, 1),
            role: 'OWNER',
          })
        await insertBrowserCredential(tx, {
          ...made,
          browserId: browser.id,
          employeeId: person.id,
          hash: 'x',
        })
      })
      await db.close()
      await does('admin reset-password', 'ada@example.org --remove-second-factors')
      await does('admin remove', 'ada@example.org --revoke-keys')
      await does('browsers revoke', browser.id)
      await does('employee offboard', 'gone@example.com --yes')
      await does('employee export', 'gone@example.com --format html')
      await does('employee erase', 'gone@example.com --yes')
      await does('replay')
      await does('audit export')
      await does('backup', 'all.db')
      secrets.push(key.key.slice(9), next.key.slice(9), invited.link.split('#')[1], token.token)
      secrets.push(hook.secret, rotated.secret)

      const events = await trail()
      const imported = ['EMPLOYEE_ADDED', 'LICENSE_ASSIGNED', 'EMPLOYEE_ADDED_TO_GROUP']
      const ofRecords = [...imported, 'EMPLOYEE_UPDATED', 'LICENSE_REMOVED']
      const objects = events.map(({ object }) => object)
      expect(objects.filter((object) => !ofRecords.includes(object))).toEqual(
        done.map((name) => auditedCommands[name]?.[0]),
      )
      expect(objects.filter((object) => ofRecords.includes(object))).toEqual(ofRecords)
      expect(events.flatMap(schemaMistakes)).toEqual([])
      expect(new Set(events.map(({ actor }) => actor?.source))).toEqual(new Set(['CLI']))
      const text = JSON.stringify(events)
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
      // These are recorded in another trail, or in that of another store: see below.
      const elsewhere = ['org add', 'org remove', 'restore']
      expect(new Set([...done, ...elsewhere])).toEqual(new Set(Object.keys(auditedCommands)))
    })

    test('an organization has its own trail, which starts with its name; a broken trail is detected', async () => {
      await cli.run('org add emea')
      await cli.run('enrollment-tokens create --name one --org emea')
      const [first, second] = await trail('emea')
      expect(first).toMatchObject({
        object: 'SETTING_UPDATED',
        new: { changes: [{ name: 'name', new: 'emea' }] },
      })
      expect(second?.new).toMatchObject({ setting: 'enrollment tokens' })
      const linesOf = async (period: string) => {
        const { stdout } = await cli.run(`audit list --json --org emea ${period}`)
        return stdout.split('\n').filter(Boolean).length
      }
      expect(await linesOf('--since 1h')).toBe(2)
      expect(await linesOf('--until 1h')).toBe(0)
      const verdict = await cli.json('audit verify')
      expect(verdict).toMatchObject({
        sound: true,
        organizations: [
          { organization: 'default', events: 0 },
          { organization: 'emea', events: 2 },
        ],
      })
    })

    test('a backup includes the trail, for either store, and the restore is recorded in it', async () => {
      await cli.run('keys create --name siem --holder ada@example.com --permission read-only')
      await cli.run('keys create --name other --holder ada@example.com --permission read-only')
      expect((await cli.run('backup taken.db')).code).toBe(0)
      const before = await cli.run('audit export')
      for (const other of STORES) {
        const elsewhere = await cli.another(other)
        expect((await elsewhere.run('restore taken.db')).code).toBe(0)
        const again = await elsewhere.run('restore taken.db --force')
        expect(again.code, again.stderr).toBe(0)
        const after = await elsewhere.run('audit export')
        const lines = (text: string) => text.trimEnd().split('\n')
        expect(lines(after.stdout).slice(0, 3)).toEqual(lines(before.stdout).slice(0, 3))
        expect(lines(after.stdout)).toHaveLength(5)
        expect(JSON.parse(lines(after.stdout)[3] ?? '')).toMatchObject({
          position: 4,
          event: { object: 'SETTING_UPDATED', new: { setting: 'store' } },
        })
        expect(await elsewhere.json('audit verify')).toMatchObject({ sound: true })
      }
    })
  })
}
