import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    const put = (...people: object[]) => cli.run('import', cli.file('employees.jsonl', people))

    test('changes nothing without --yes, and nothing twice', async () => {
      const ada = anEmployee({ licensed: true })
      await put(ada)
      const asked = await cli.run('employee offboard', ada.email.toUpperCase())
      expect(asked.code).toBe(1)
      expect(asked.stdout).toContain('License: will be removed')
      expect(asked.stderr).toContain('--yes')
      expect(await cli.json('employee offboard', ada.id, '--yes')).toEqual({
        licenseRemoved: true,
        browsersRevoked: 0,
        enrollmentLinksRevoked: 0,
      })
      expect(await cli.json('employee offboard', ada.id, '--yes')).toMatchObject({ licenseRemoved: false })
    })

    test('--csv prints the accounts, which is recorded, and does nothing else', async () => {
      const ada = anEmployee({ licensed: true })
      await put(ada)
      expect((await cli.run('employee offboard', ada.email, '--csv')).stdout).toMatch(/^app,account,/)
      const { stdout } = await cli.run('audit list --json --limit 1')
      expect(JSON.parse(stdout)).toMatchObject({
        object: 'DATA_EXPORTED',
        new: { what: `accounts of employee ${ada.id}`, format: 'CSV' },
      })
      const both = await cli.run('employee offboard', ada.email, '--csv', '--yes')
      expect(both).toMatchObject({ code: 2, stdout: '' })
    })

    test('--erase deletes the employee afterwards', async () => {
      const ada = anEmployee({ licensed: true })
      await put(ada)
      expect(await cli.json('employee offboard', ada.email, '--yes', '--erase')).toMatchObject({
        employees: 1,
      })
      expect((await cli.run('employee offboard', ada.email, '--yes')).stderr).toContain('No employee')
    })

    test('rejects a merged employee', async () => {
      const ada = anEmployee()
      const bob = anEmployee({ mergedIntoId: ada.id })
      await put(ada, bob)
      expect((await cli.run('employee offboard', bob.id, '--yes')).stderr).toContain(ada.id)
    })
  })
}
