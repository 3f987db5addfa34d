import { describe, expect, test } from 'vitest'
import { auditEventsDuring, schemaMistakes } from '../../../../test/support/audit.ts'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aBlockedUrl, aDetection, anAccount, anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { eventReader, subscribeEndpoint } from '../../../../test/support/outbox-events.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { verifyChain } from '../audit/audit-chain.store.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    test('records events for added and changed records, not for unchanged ones', async () => {
      await cli.run('org list')
      const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = cli.settings
      await cli.run('import', cli.file('employees.jsonl', [anEmployee()]))
      const db = await openStore({ dataDir, databaseUrl }, 1)
      const org = (await db.get<{ no: number }>('SELECT no FROM organizations'))?.no ?? 0
      await subscribeEndpoint({ db }, org, ['EMPLOYEE', 'ACCOUNT'])
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

    test('records the audit events of each changed employee, app, detection and pattern', async () => {
      await cli.run('import', cli.file('employees.jsonl', [anEmployee()]))
      const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = cli.settings
      const db = await openStore({ dataDir, databaseUrl }, 1)
      const org = (await db.get<{ no: number }>('SELECT no FROM organizations'))?.no ?? 0
      const imports = async (name: string, records: readonly object[]) => {
        const events = await auditEventsDuring(db, org, async () => {
          const { code, stderr } = await cli.run('import', cli.file(`${name}.jsonl`, records))
          expect(code, stderr).toBe(0)
        })
        expect(events.flatMap(schemaMistakes)).toEqual([])
        expect(new Set(events.map(({ actor }) => actor?.source))).toEqual(new Set(['CLI']))
        return events.slice(1).map(({ object }) => object)
      }
      const person = anEmployee({ licensed: true, groups: ['Admins'] })
      const other = anEmployee({ licensed: true, groups: [] })
      expect(await imports('employees', [person, other])).toEqual([
        ...['EMPLOYEE_ADDED', 'LICENSE_ASSIGNED', 'EMPLOYEE_ADDED_TO_GROUP'],
        ...['EMPLOYEE_ADDED', 'LICENSE_ASSIGNED'],
      ])
      const unlicensed = { ...person, licensed: false, groups: ['Berlin'], email: 'new@example.com' }
      expect(await imports('employees', [unlicensed, other])).toEqual([
        ...['EMPLOYEE_UPDATED', 'EMPLOYEE_EMAIL_UPDATED', 'LICENSE_REMOVED'],
        ...['EMPLOYEE_REMOVED_FROM_GROUP', 'EMPLOYEE_ADDED_TO_GROUP'],
      ])
      const merged = { ...other, licensed: false, mergedIntoId: person.id }
      expect(await imports('employees', [merged])).toEqual([
        ...['EMPLOYEES_MERGED', 'EMPLOYEE_UPDATED', 'LICENSE_REMOVED'],
      ])
      expect(await imports('employees', [{ ...merged, mergedIntoId: null }])).toEqual([
        ...['EMPLOYEE_UPDATED', 'EMPLOYEE_UNMERGED'],
      ])
      const app = anApp({
        approvalStatus: null,
        sensitivityLevel: null,
        ownerId: null,
        notes: '',
        labels: [],
      })
      expect(await imports('apps', [app])).toEqual([])
      const decided = { ...app, approvalStatus: 'APPROVED', labels: ['GenAI'] }
      expect(await imports('apps', [decided])).toEqual(['APP_UPDATED', 'APP_LABELS_ADDED'])
      const detection = aDetection({ archived: false })
      expect(await imports('detections', [detection])).toEqual([])
      expect(await imports('detections', [{ ...detection, archived: true }])).toEqual(['DETECTION_UPDATED'])
      expect(await imports('blockedUrls', [aBlockedUrl(), aBlockedUrl()])).toEqual(['BLOCKED_URLS_ADDED'])
      const { broken } = await verifyChain(db, org)
      expect(broken).toBeUndefined()
      await db.close()
    })

    test('an import of many employees leaves an intact audit chain with the events of each', async () => {
      const people = Array.from({ length: store === 'sqlite' ? 20_001 : 2_600 }, () =>
        anEmployee({ licensed: true, groups: [] }),
      )
      await cli.run('import', cli.file('employees.jsonl', people))
      expect(await cli.json('audit verify')).toMatchObject({
        sound: true,
        organizations: [{ events: 2 * people.length + 1 }],
      })
    })
  })
}
