import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    const put = (...people: object[]) => cli.run('import', cli.file('employees.jsonl', people))

    describe('employee erase', () => {
      test('deletes nothing without --yes', async () => {
        const ada = anEmployee()
        await put(ada)
        const { code, stderr } = await cli.run('employee erase', ada.email)
        expect(code).toBe(1)
        expect(stderr).toContain('--yes')
        expect(await cli.json('employee erase', ada.id, '--yes')).toMatchObject({
          employees: 1,
          addresses: 1,
        })
        expect((await cli.run('employee erase', ada.id, '--yes')).stderr).toContain('No employee')
      })

      test('finds the employee by address, regardless of case', async () => {
        const ada = anEmployee()
        await put(ada)
        const { code, stdout } = await cli.run('employee erase', ada.email.toUpperCase(), '--yes')
        expect(code).toBe(0)
        expect(stdout).toContain('employees: 1')
      })

      test('rejects a merged employee', async () => {
        const ada = anEmployee()
        const bob = anEmployee({ mergedIntoId: ada.id })
        await put(ada, bob)
        expect((await cli.run('employee erase', bob.id, '--yes')).stderr).toContain(ada.id)
        expect(await cli.json('employee erase', ada.id, '--yes')).toMatchObject({ employees: 2 })
      })
    })

    test('replay does nothing for an organization without events', async () => {
      await put(anEmployee())
      expect(await cli.json('replay')).toEqual({ removed: 0, batches: 0, events: 0 })
      expect((await cli.run('replay')).stdout).toContain('0 events')
    })
  })
}
