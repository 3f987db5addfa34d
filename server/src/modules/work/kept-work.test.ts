import { type Finding, findings } from '@muster/contract/records/finding'
import { describe, expect, test } from 'vitest'
import { aPassword } from '../../../../test/support/agent-events.ts'
import { noActor } from '../../../../test/support/audit.ts'
import { aFinding, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { replayed } from '../../../../test/support/replays.ts'
import { useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { getRecordsByIds, removeRecord } from '../../kernel/store/records.ts'
import { storeImported } from '../transfer/store-record.ts'
import { keepingWork } from './kept-work.service.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const addWork = (ids: readonly string[], status: string | null = null) =>
      h.db.inTransaction(async (tx) => {
        const { org } = o.caller
        const states = ids.map((id) => [org, id, 'ada', status, status && 9_000_000_000])
        await tx.insert(
          'work_states',
          ['org', 'record_id', 'assignee_id', 'status', 'until_timestamp'],
          states,
        )
        const notes = ids.map((id) => [org, id, 1, 'NOTE', 1, `on ${id}`])
        await tx.insert('work_entries', ['org', 'record_id', 'number', 'kind', 'timestamp', 'text'], notes)
      })
    const work = async () => {
      const rows = await Promise.all(
        ['work_states', 'work_entries'].map((table) =>
          h.db.all(`SELECT * FROM ${table} WHERE org IN (?, ?) ORDER BY record_id`, [
            o.caller.org,
            -o.caller.org,
          ]),
        ),
      )
      return rows.flat()
    }

    test('a replay recreates findings and detections and keeps the work on them', async () => {
      const password = aPassword({ weakReasons: ['TOO_SHORT'], manuallyTyped: true })
      await o.ada.send(o.make.login({ password }), o.make.pageThreat())
      const records = [...(await o.list('findings')), ...(await o.list('detections'))]
      expect(records.length).toBeGreaterThan(1)
      await addWork(records.map(({ id }) => id))
      const before = await work()
      const { removed } = await replayed(h, o.caller.org)
      expect(removed).toBeGreaterThan(1)
      expect(await work()).toEqual(before)
    })

    test('an imported finding that moves in the order of creation keeps its work', async () => {
      const [moved, other] = [aFinding({ state: 'OPEN' }), aFinding({ state: 'OPEN' })]
      await put(h, o.caller.org, findings, [moved, other])
      await addWork([moved.id, other.id], 'SNOOZED')
      const before = await work()
      const importFinding = (finding: Finding) =>
        h.db.inTransaction((tx) => storeImported(tx, o.caller.org, noActor, 'findings', [finding]))
      const creationTimestamp = moved.creationTimestamp - 86_400
      expect(await importFinding({ ...moved, creationTimestamp })).toMatchObject({ replaced: 1 })
      expect(await work()).toEqual(before)
      await importFinding({ ...moved, creationTimestamp: creationTimestamp - 1, state: 'RESOLVED' })
      expect(await work()).toMatchObject([
        ...[moved, other].map(({ id }) => ({ record_id: id })),
        ...[moved, other].map(({ id }) => ({ record_id: id, text: `on ${id}` })),
      ])
      const statuses = await h.db.all<{ id: string; status: string | null }>(
        'SELECT record_id AS id, status FROM work_states WHERE org = ?',
        [o.caller.org],
      )
      const statusOf = new Map(statuses.map(({ id, status }) => [id, status]))
      expect([statusOf.get(moved.id), statusOf.get(other.id)]).toEqual([null, 'SNOOZED'])
    })

    test('work on records that are not added again is deleted', async () => {
      const gone = aFinding({ state: 'OPEN' })
      await put(h, o.caller.org, findings, [gone])
      await addWork([gone.id])
      await h.db.inTransaction((tx) =>
        keepingWork(tx, o.caller.org, async () => {
          const [stored] = await getRecordsByIds(tx, findings, o.caller.org, [gone.id])
          if (stored) await removeRecord(tx, findings, o.caller.org, stored)
        }),
      )
      expect(await work()).toEqual([])
    })
  })
}
