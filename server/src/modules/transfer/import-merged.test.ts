import type { Employee } from '@muster/contract/records/employee'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import {
  aBrowser,
  aBrowserExtension,
  aDetection,
  aFinding,
  anAccount,
  anAccountOther,
  anAccountUser,
  anEmployee,
  asShownInDetection,
} from '../../../../test/support/fixtures.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'

type Line = Record<string, unknown>

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    const ada = anEmployee({ email: 'ada@example.com', creationTimestamp: 1 })
    const bob = anEmployee({ email: 'bob@example.com', creationTimestamp: 2 })
    const observed = (employee: Employee) => {
      const of = { employeeId: employee.id }
      return {
        accounts: anAccount({ ...of, email: employee.email }),
        accountsOther: anAccountOther({ ...of, email: employee.email }),
        browsers: aBrowser({ ...of, email: employee.email }),
        browserExtensions: aBrowserExtension(of),
        findings: aFinding(of),
        detections: aDetection({ ...of, employee: asShownInDetection(employee) }),
      }
    }
    const [ofAda, ofBob] = [observed(ada), observed(bob)]
    const lists = Object.keys(ofAda) as (keyof typeof ofAda)[]
    const uses = [
      { accountId: ofAda.accounts.id, ...anAccountUser({ employeeId: ada.id, lastUsedTimestamp: 5 }) },
      { accountId: ofAda.accounts.id, ...anAccountUser({ employeeId: bob.id, lastUsedTimestamp: 7 }) },
      { accountId: ofBob.accounts.id, ...anAccountUser({ employeeId: bob.id, lastUsedTimestamp: 9 }) },
    ]

    let h: Harness
    let caller: Caller
    beforeEach(async () => {
      cli.file('first/employees.jsonl', [ada, bob])
      for (const list of lists) cli.file(`first/${list}.jsonl`, [ofAda[list], ofBob[list]])
      cli.file('first/usedBy.jsonl', uses)
      expect((await cli.run('import first')).code).toBe(0)
      const { dataDir, settings } = cli
      h = await startHarness(store, { place: { dataDir, databaseUrl: settings.MUSTER_DATABASE_URL } })
      await cli.run('export before')
      caller = await h.addKey(firstOrganization)
    })
    afterEach(() => h.close())

    const call = async (method: string, path: string, body?: object): Promise<Line> => {
      const { status, body: answer } = await h.call(caller, method, path, body === undefined ? {} : { body })
      expect({ path, status }).toEqual({ path, status: 200 })
      return answer
    }
    const merge = () => call('POST', `/v1/employees/${ada.id}/merge`, { employeeIds: [bob.id] })
    const unmerge = () => call('POST', `/v1/employees/${bob.id}/unmerge`)
    const imported = async (...paths: string[]) => {
      const { total, ...result } = await cli.json<{ total: Line }>(`import ${paths.join(' ')}`)
      expect(result).not.toHaveProperty('error')
      return total
    }
    /** Returns the content of an export, except the order within a second and links, which name the server. */
    const state = async () => {
      await cli.run('export out --force')
      return Object.fromEntries(
        Object.entries(cli.files('out')).map(([name, text]) => [
          name,
          text
            .replaceAll(/(?<="detectionLink":")[^"]*/g, '')
            .split('\n')
            .sort(),
        ]),
      )
    }

    describe('an import that changes merges reassigns the records of the employees', () => {
      test('back to employees who are no longer merged', async () => {
        const apart = await state()
        await merge()
        expect(await imported('before/employees.jsonl')).toMatchObject({ replaced: 2, rejected: 0 })
        expect(await state()).toEqual(apart)
      })

      test('to the new primary, from which the API can return them', async () => {
        const apart = await state()
        await merge()
        const merged = await state()
        await cli.run('export merged')
        await unmerge()
        expect(await state()).toEqual(apart)
        expect(await imported('merged/employees.jsonl')).toMatchObject({ replaced: 2, rejected: 0 })
        expect(await state()).toEqual(merged)
        await unmerge()
        expect(await state()).toEqual(apart)
      })

      test('and rejects a merge into an unknown employee', async () => {
        const apart = await state()
        cli.file('employees.jsonl', [{ ...bob, mergedIntoId: anEmployee().id }])
        expect(await imported('employees.jsonl')).toMatchObject({ replaced: 0, rejected: 1 })
        expect(await state()).toEqual(apart)
      })
    })

    describe('an export from before a merge can be imported after it', () => {
      test.each([{ names: ['usedBy'] }, { names: ['accounts'] }, { names: [...lists, 'usedBy'] }])(
        'of these resources: $names',
        async ({ names }) => {
          const apart = await state()
          await merge()
          const merged = await state()
          const paths = names.map((name) => `before/${name}.jsonl`)
          expect(await imported(...paths)).toMatchObject({ added: 0, rejected: 0 })
          expect(await state()).toEqual(merged)
          await unmerge()
          expect(await state()).toEqual(apart)
        },
      )

      test('completely, which undoes the merge', async () => {
        const apart = await state()
        await merge()
        expect(await imported('before')).toMatchObject({ added: 0, rejected: 0 })
        expect(await state()).toEqual(apart)
      })
    })

    test('a late observation of a merged employee is shown under the primary', async () => {
      await merge()
      const more = observed(bob)
      const use = { accountId: more.accounts.id, ...anAccountUser({ employeeId: bob.id }) }
      for (const list of lists) cli.file(`more/${list}.jsonl`, [more[list]])
      cli.file('more/usedBy.jsonl', [use])
      expect(await imported('more')).toMatchObject({ rejected: 0 })
      const ids = [...lists.map((list) => more[list].id), `"accountId":"${use.accountId}","employeeId`]
      const employeeIds = async () => {
        const lines = Object.values(await state()).flat()
        return ids.map((id) => JSON.parse(lines.find((line) => line.includes(id)) ?? '{}').employeeId)
      }
      expect(new Set(await employeeIds())).toEqual(new Set([ada.id]))
      await unmerge()
      expect(new Set(await employeeIds())).toEqual(new Set([bob.id]))
    })

    test('changed facts of an employee show in other records', async () => {
      const changed = { ...ada, email: 'new@example.com', firstName: 'New' }
      cli.file('employees.jsonl', [changed])
      await imported('employees.jsonl')
      expect(await call('GET', `/v1/browsers/${ofAda.browsers.id}`)).toMatchObject({ email: changed.email })
      expect(await call('GET', `/v1/detections/${ofAda.detections.id}`)).toMatchObject({
        employee: asShownInDetection(changed),
      })
    })
  })
}
