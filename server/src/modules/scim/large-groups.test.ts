import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../../test/support/harness.ts'
import { connectDirectory } from '../../../../test/support/scim-client.ts'
import { STORES } from '../../../../test/support/stores.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import { groupType } from './protocol/resource-types.rules.ts'
import { patchResource } from './scim-operations.ts'
import { urlParameters } from './scim-query.rules.ts'
import { insertGroup, insertMembers, insertUser, membersAmong } from './scim-rows.store.ts'

/** Counts the statements of a store and the rows that they return. */
function counted(db: Db) {
  const counts = { statements: 0, rows: 0 }
  const countedReader = <R extends Reader | Tx>(reader: R): R => ({
    ...reader,
    all: async (sql: string, params) => {
      const rows = await reader.all(sql, params)
      counts.statements += 1
      counts.rows += rows.length
      return rows
    },
    get: async (sql: string, params) => {
      counts.statements += 1
      counts.rows += 1
      return reader.get(sql, params)
    },
  })
  const inTransaction: Db['inTransaction'] = (work) => db.inTransaction((tx) => work(countedReader(tx)))
  return { counts, db: { ...countedReader(db), slow: countedReader(db.slow), inTransaction } as Db }
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    test('a PATCH of one member of a large group reads as little as one of a small group', async () => {
      const { caller } = await connectDirectory(h)
      const { org } = caller
      const meta = { version: 1, createdMs: 0, modifiedMs: 0 }
      const ids = Array.from({ length: 1200 }, (_, at) => `member-${String(at).padStart(4, '0')}`)
      await h.db.inTransaction(async (tx) => {
        for (const id of ids) {
          const values = { userName: id }
          await insertUser(tx, org, { id, employeeId: null, active: true, problem: null, values, ...meta })
        }
        await insertGroup(tx, org, { id: 'large', name: 'Large', externalId: null, ...meta })
        await insertMembers(tx, org, 'large', ids.slice(0, -1))
      })
      const call = {
        org,
        actor: { source: 'CLI', user: 'test' } as never,
        nowMs: h.clock.nowMs(),
        assignsLicenses: true,
        base: 'https://muster.test/scim/v2',
        makeId: () => 'new',
        ifMatch: undefined,
      }
      const last = String(ids.at(-1))
      for (const operation of [
        { op: 'add', path: 'members', value: [{ value: last }] },
        { op: 'remove', path: `members[value eq "${last}"]` },
        { op: 'remove', path: 'members', value: [{ value: ids[0] }] },
      ]) {
        const { counts, db } = counted(h.db)
        const body = {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [operation],
        }
        const { status } = await patchResource(db, call, groupType, 'large', body, urlParameters('/'))
        expect(status).toBe(204)
        expect(counts.statements).toBeGreaterThan(0)
        expect(counts.statements).toBeLessThan(20)
        expect(counts.rows).toBeLessThan(20)
      }
      const left = await membersAmong(h.db, org, 'large', [last, String(ids[0]), String(ids[1])])
      expect([...left]).toEqual([ids[1]])
    })
  })
}
