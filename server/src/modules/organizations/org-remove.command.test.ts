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
    const fill = async (org: string) => {
      const employee = anEmployee({ groups: ['Engineers'], email: `ada-${org}@example.com` })
      const app = anApp()
      const account = anAccount({ employeeId: employee.id, appId: app.id })
      const finding = {
        employeeId: employee.id,
        accountId: account.id,
        appId: app.id,
        state: 'OPEN',
      } as const
      const records = [
        ['employees', employee],
        ['apps', app],
        ['accounts', account],
        ['findings', aFinding(finding)],
        ['browsers', aBrowser({ employeeId: employee.id })],
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
      expect(before[2]).toEqual(
        expect.arrayContaining(['accounts', 'api_keys', 'app_figures', 'audit_events', 'findings']),
      )
      const { counts } = await cli.json('org remove', 'emea', '--confirm', 'emea')
      expect(counts).toMatchObject({ employees: 1, api_keys: 1 })
      expect(await tablesWithRows()).toEqual({ 1: before[1] })
      expect(await cli.json('org list')).toHaveLength(1)
      expect(await cli.json('audit verify')).toMatchObject({ sound: true })
      const { stdout } = await cli.run('audit list --json --limit 1')
      expect(JSON.parse(stdout)).toMatchObject({
        new: { setting: 'organizations', changes: [{ name: 'organization', new: null }] },
      })
      // A running server may still know the number, so no other organization gets it.
      await cli.run('org add apac')
      await fill('apac')
      expect(Object.keys(await tablesWithRows())).toEqual(['1', '3'])
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
