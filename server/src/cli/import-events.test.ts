import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../test/support/command-line.ts'
import { eventReader, wishFor } from '../../../test/support/events-written.ts'
import { anAccount, anEmployee } from '../../../test/support/fixtures.ts'
import { STORES } from '../../../test/support/stores.ts'
import { openStore } from '../storage/open.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    test('what an import adds and changes is told, and what it finds as it is is not', async () => {
      await cli.run('org list')
      const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = cli.settings
      await cli.run('import', cli.file('employees.jsonl', [anEmployee()]))
      const db = await openStore({ dataDir, databaseUrl }, 1)
      const org = (await db.get<{ no: number }>('SELECT no FROM organisations'))?.no ?? 0
      await wishFor({ db }, org, ['EMPLOYEE', 'ACCOUNT'])
      const read = eventReader({ db }, org)

      const people = Array.from({ length: 620 }, () => anEmployee())
      const account = anAccount({ employeeId: people[0]?.id ?? '' })
      await cli.run('import', cli.file('employees.jsonl', people))
      await cli.run('import', cli.file('accounts.jsonl', [account]))
      const added = await read()
      expect(added.map((event) => event.new)).toEqual(expect.arrayContaining([...people, account]))
      expect(added).toHaveLength(people.length + 1)

      const [first, ...others] = people
      const changed = { ...first, department: 'Research' }
      await cli.run('import', cli.file('employees.jsonl', [changed, ...others]))
      expect(await read()).toMatchObject([{ object: 'EMPLOYEE', type: 'UPDATE', old: first, new: changed }])
      await db.close()
    })
  })
}
