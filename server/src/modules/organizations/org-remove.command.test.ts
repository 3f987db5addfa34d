import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aBrowser, aFinding, anAccount, anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { organizationTables } from '../../kernel/store/organization-rows.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    /** Returns the tables with rows of each organization, by number. */
    const tablesWithRows = async () => {
      const db = await openStore({ dataDir: cli.dataDir, databaseUrl: cli.settings.MUSTER_DATABASE_URL }, 1)
      const found: Record<number, string[]> = {}
      for (const table of await organizationTables(db))
        for (const { org } of await db.all<{ org: number }>(`SELECT DISTINCT org FROM ${table}`))
          found[Number(org)] = [...(found[Number(org)] ?? []), table]
      await db.close()
      return found
    }
    const figuresOf = async (org: number) => {
      const db = await openStore({ dataDir: cli.dataDir, databaseUrl: cli.settings.MUSTER_DATABASE_URL }, 1)
      const figures = await db.all(
        'SELECT app_id, people, accounts, open_findings FROM app_figures WHERE org = ? ORDER BY app_id',
        [org],
      )
      const people = await db.all('SELECT app_id, employee_id, accounts FROM app_people WHERE org = ?', [org])
      await db.close()
      return { figures, people }
    }
    const fill = async (org: string) => {
      const employee = anEmployee({ groups: ['Engineers'], email: `ada-${org}@example.com` })
      const app = anApp({ id: 'the-app' })
      const account = anAccount({ employeeId: employee.id, appId: app.id, appType: app.type })
      const finding = aFinding({
        state: 'OPEN',
        employeeId: employee.id,
        accountId: account.id,
        appId: app.id,
        appType: app.type,
      })
      const records = [
        ['employees', employee],
        ['apps', app],
        ['accounts', account],
        ['browsers', aBrowser({ employeeId: employee.id })],
        ['findings', finding],
      ] as const
      for (const [name, record] of records)
        await cli.run(`import --org ${org}`, cli.file(`${name}.jsonl`, [record]))
      await cli.run(`keys create --org ${org} --name siem --holder ada@example.com --permission read-only`)
      await cli.run(`enrollment-tokens create --org ${org} --name laptops`)
      await cli.run(`webhooks add --org ${org} --url https://siem.example.com/x --objects LOGIN`)
    }

    test('deletes all rows of the organization and no others, and records it', async () => {
      await cli.run('org add emea')
      for (const org of ['default', 'emea']) await fill(org)
      const before = await tablesWithRows()
      expect(before[2]).toEqual(expect.arrayContaining(['accounts', 'api_keys', 'audit_events', 'employees']))
      const figures = await figuresOf(1)
      expect(figures).toMatchObject({
        figures: [{ app_id: 'the-app', people: 1, accounts: 1, open_findings: 1 }],
        people: [{ app_id: 'the-app', accounts: 1 }],
      })
      const { counts } = await cli.json('org remove', 'emea', '--confirm', 'emea')
      expect(counts).toMatchObject({ employees: 1, api_keys: 1 })
      expect(await tablesWithRows()).toEqual({ 1: before[1] })
      expect(await figuresOf(1)).toEqual(figures)
      expect(await cli.json('org list')).toHaveLength(1)
      expect(await cli.json('audit verify')).toMatchObject({ sound: true })
      const { stdout } = await cli.run('audit list --json --limit 1')
      expect(JSON.parse(stdout)).toMatchObject({
        new: { setting: 'organizations', changes: [{ name: 'organization', new: null }] },
      })
      // The audit trail is protected again, and the number of the organization is not used again.
      await cli.run('org add apac')
      await fill('apac')
      expect(Object.keys(await tablesWithRows())).toEqual(['1', '3'])
      expect(await figuresOf(3)).toMatchObject({ figures: figures.figures, people: [{ accounts: 1 }] })
      expect(await cli.json('audit verify')).toMatchObject({ sound: true })
      // The audit trail is protected again.
      const db = await openStore({ dataDir: cli.dataDir, databaseUrl: cli.settings.MUSTER_DATABASE_URL }, 1)
      await expect(
        db.inTransaction((tx) => tx.run('DELETE FROM audit_events WHERE org = ?', [1])),
      ).rejects.toThrow('append-only')
      await db.close()
    })

    test('deletes nothing without its name, and never the first organization', async () => {
      await cli.run('org add emea')
      for (const more of [[], ['--confirm', 'EMEA']]) {
        const { code, stderr } = await cli.run('org remove', 'emea', ...more)
        expect(code).toBe(1)
        expect(stderr).toContain('--confirm "emea"')
      }
      const refused = await cli.run('org remove', 'default', '--confirm', 'default')
      expect(refused.stderr).toContain('cannot be removed')
      expect(await cli.json('org list')).toHaveLength(2)
    })
  })
}
