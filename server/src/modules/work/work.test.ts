import { type DetectionWork, type FindingWork, workStatuses } from '@muster/contract/console/work/work-fields'
import { detections } from '@muster/contract/records/detection'
import { type Finding, findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aDetection, aFinding, put, unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { deleteOrganizationRows } from '../../kernel/store/organization-rows.ts'
import { getRecordsByIds, removeRecord, updateRecord } from '../../kernel/store/records.ts'

type Row = Finding & FindingWork

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let bob: SignedIn
    let reader: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      ada = await signedIn(h, org, 'FULL_ACCESS')
      bob = await signedIn(h, org, 'OWNER')
      reader = await signedIn(h, org, 'READ_ONLY')
    })

    const now = () => unixSeconds(h.clock)
    const later = (seconds = 3600) => now() + seconds
    const added = async (members: Partial<Finding> = {}) => {
      const finding = aFinding({ state: 'OPEN', type: 'WEAK_PASSWORD', ...members })
      await put(h, ada.org, findings, [finding])
      return finding
    }
    const change = (ids: readonly string[], what: object, by = ada) =>
      by.call('POST', 'work', { list: 'findings', ids, change: what })
    const workOf = async (id: string) => (await ada.call('GET', `work/${id}`)).body
    const list = async (query: string, by = ada, name = 'findings'): Promise<Row[]> => {
      const rows: Row[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const at: string = cursor === '' ? '' : `&cursor=${cursor}`
        const { status, body } = await by.call('GET', `lists/${name}?${query}${at}`)
        expect(status).toBe(200)
        rows.push(...body.records)
        cursor = body.cursor
      }
      return rows
    }
    const setState = async (id: string, state: Finding['state']) => {
      h.clock.advanceMs(1000)
      await h.db.inTransaction(async (tx) => {
        const [stored] = await getRecordsByIds(tx, findings, ada.org, [id])
        if (!stored) throw new Error('not there')
        const record = { ...stored.record, state, lastUpdatedTimestamp: now() }
        await updateRecord(tx, findings, ada.org, stored, { record })
      })
    }

    test('a finding is assigned, snoozed and noted, and its history tells who did what', async () => {
      const { id } = await added()
      expect(await change([id], { assigneeId: bob.id })).toMatchObject({
        status: 200,
        body: { found: 1, changed: 1, cursor: null },
      })
      const untilTimestamp = later()
      await change([id], { status: 'SNOOZED', untilTimestamp, reason: 'On vacation' }, bob)
      const noted = await ada.call('POST', `work/${id}/notes`, { text: ' Called her.\nShe knows. ' })
      expect(noted.body).toEqual(await workOf(id))
      expect(await workOf(id)).toMatchObject({
        workStatus: 'SNOOZED',
        pausedUntilTimestamp: untilTimestamp,
        assigneeId: bob.id,
        assigneeName: 'Ada',
        entries: [
          { kind: 'NOTE', author: 'Ada', text: 'Called her.\nShe knows.' },
          { kind: 'STATUS', from: 'TO_DO', to: 'SNOOZED', untilTimestamp, text: 'On vacation' },
          { kind: 'ASSIGNEE', from: null, to: 'Ada' },
        ],
      })
      const shown = await h.call(await h.addKey(ada.org), 'GET', `/v1/findings/${id}`)
      expect(Object.keys(shown.body)).toEqual(Object.keys(findings.record.properties))
    })

    test('an accepted risk is to do again after its time, and when the finding is resolved and reopens', async () => {
      const { id } = await added()
      const accept = { status: 'RISK_ACCEPTED', untilTimestamp: later(10), reason: 'No other app' }
      await change([id], accept)
      expect((await workOf(id)).workStatus).toBe('RISK_ACCEPTED')
      h.clock.advanceMs(11_000)
      expect(await workOf(id)).toMatchObject({ workStatus: 'TO_DO', pausedUntilTimestamp: null })
      await change([id], { ...accept, untilTimestamp: later(1000) })
      await setState(id, 'RESOLVED')
      expect((await workOf(id)).workStatus).toBe('RESOLVED')
      await setState(id, 'OPEN')
      expect(await workOf(id)).toMatchObject({
        workStatus: 'TO_DO',
        entries: [
          { kind: 'STATE', from: 'RESOLVED', to: 'OPEN', author: null },
          { kind: 'STATE', from: 'OPEN', to: 'RESOLVED', author: null },
          { kind: 'STATUS', from: 'TO_DO', to: 'RISK_ACCEPTED' },
          { kind: 'STATUS', from: 'RISK_ACCEPTED', to: 'TO_DO', author: null },
          { kind: 'STATUS', from: 'TO_DO', to: 'RISK_ACCEPTED', text: 'No other app' },
        ],
      })
    })

    test('detections are assigned and noted, and have no work status', async () => {
      const detection = aDetection()
      await put(h, ada.org, detections, [detection])
      const assign = (what: object) =>
        ada.call('POST', 'work', { list: 'detections', ids: [detection.id], change: what })
      expect(await assign({ assigneeId: ada.id })).toMatchObject({ body: { changed: 1 } })
      await ada.call('POST', `work/${detection.id}/notes`, { text: 'Known test.' })
      expect(await workOf(detection.id)).toMatchObject({
        workStatus: null,
        assigneeId: ada.id,
        entries: [{ text: 'Known test.' }, { kind: 'ASSIGNEE' }],
      })
      const mine = (await list('assignee=ME', ada, 'detections')) as unknown as DetectionWork[]
      expect(mine).toMatchObject([{ id: detection.id, assigneeName: 'Ada' }])
      expect(await list('assignee=ME', bob, 'detections')).toEqual([])
      expect(await assign({ status: 'SNOOZED', untilTimestamp: later() })).toMatchObject({ status: 400 })
    })

    test('wrong requests change nothing and say what would be right', async () => {
      const { id } = await added()
      const messages = async (body: object) => {
        const answer = await ada.call('POST', 'work', body)
        expect(answer.status).toBe(400)
        return answer.body.errors.map(({ message }: { message: string }) => message)
      }
      const snooze = { status: 'SNOOZED', untilTimestamp: later() }
      expect(await messages({ list: 'findings', change: snooze })).toEqual([
        'must be given, or `query`, but not both',
      ])
      expect(await messages({ list: 'findings', ids: [id], change: { assigneeId: unknownId() } })).toEqual([
        'must be the ID of an administrator, or null',
      ])
      expect(await messages({ list: 'findings', query: 'severity=HIGH', change: snooze })).toMatchObject([
        expect.stringContaining('is not a parameter of this call'),
      ])
      expect(await messages({ list: 'findings', ids: [id], change: {} })).toHaveLength(1)
      expect((await change([unknownId()], snooze)).body).toMatchObject({ found: 1, changed: 0 })
      expect((await ada.call('POST', `work/${id}/notes`, { text: ' ' })).status).toBe(400)
      expect((await ada.call('GET', `work/${unknownId()}`)).status).toBe(404)
      expect((await workOf(id)).entries).toEqual([])
    })

    test('read-only administrators see work but do not change it; another organization does not see it', async () => {
      const { id } = await added()
      const stranger = await signedIn(h, await h.addOrganization('other'))
      expect((await change([id], { assigneeId: ada.id }, reader)).status).toBe(403)
      expect((await reader.call('POST', `work/${id}/notes`, { text: 'x' })).status).toBe(403)
      expect((await reader.call('GET', `work/${id}`)).status).toBe(200)
      expect((await stranger.call('GET', `work/${id}`)).status).toBe(404)
      expect((await change([id], { assigneeId: stranger.id }, stranger)).body).toMatchObject({ changed: 0 })
      expect((await change([id], { assigneeId: ada.id }, stranger)).status).toBe(400)
      expect((await workOf(id)).assigneeId).toBeNull()
    })

    test('work disappears with its record, and an assignee with the administrator', async () => {
      const [one, other] = [await added(), await added()]
      const carl = await signedIn(h, ada.org, 'FULL_ACCESS')
      await change([one.id, other.id], { assigneeId: carl.id })
      await h.db.inTransaction(async (tx) => {
        const [stored] = await getRecordsByIds(tx, findings, ada.org, [one.id])
        if (stored) await removeRecord(tx, findings, ada.org, stored)
      })
      const rows = await h.db.all<{ id: string }>(
        'SELECT record_id AS id FROM work_states WHERE assignee_id = ?',
        [carl.id],
      )
      expect(rows).toEqual([{ id: other.id }])
      expect((await bob.call('DELETE', `administrators/${carl.id}`, { revokeKeys: false })).status).toBe(200)
      expect((await workOf(other.id)).assigneeId).toBeNull()
    })

    test('no work is left of a removed organization', async () => {
      const dora = await signedIn(h, await h.addOrganization('removed'))
      const finding = aFinding({ state: 'OPEN' })
      await put(h, dora.org, findings, [finding])
      await change([finding.id], { assigneeId: dora.id }, dora)
      await h.db.inTransaction((tx) => deleteOrganizationRows(tx, dora.org))
      for (const table of ['work_states', 'work_entries'])
        expect(await h.db.all(`SELECT 1 FROM ${table} WHERE org = ?`, [dora.org])).toEqual([])
    })

    describe('with many findings', () => {
      const random = seededRandom(5)
      let eva: SignedIn
      let fred: SignedIn

      beforeAll(async () => {
        const org = await h.addOrganization('many')
        eva = await signedIn(h, org)
        fred = await signedIn(h, org)
        const made = Array.from({ length: 600 }, () =>
          aFinding({
            type: random.pick(['WEAK_PASSWORD', 'LEAKED_PASSWORD']),
            state: random.pick(['OPEN', 'OPEN', 'RESOLVED']),
          }),
        )
        await put(h, org, findings, made)
        for (const finding of made.slice(0, 200)) {
          const what = random.pick([
            { assigneeId: eva.id },
            { assigneeId: fred.id },
            { status: 'SNOOZED', untilTimestamp: now() + random.pick([60, 7200]) },
            { status: 'RISK_ACCEPTED', untilTimestamp: now() + random.pick([60, 7200]), reason: 'x' },
          ])
          await change([finding.id], what, eva)
        }
        h.clock.advanceMs(120_000)
      })

      test('each combination of filters finds exactly the findings whose members meet it', async () => {
        const all = await list('limit=500', eva)
        expect(all).toHaveLength(600)
        for (const status of workStatuses) expect(all.some((row) => row.workStatus === status)).toBe(true)
        for (let round = 0; round < 40; round += 1) {
          const statuses = workStatuses.filter(() => random.below(2) === 1)
          const assignees = ['ME', 'NOBODY', fred.id].filter(() => random.below(3) === 1)
          const query = [
            ...statuses.map((status) => `workStatus=${status}`),
            ...assignees.map((assignee) => `assignee=${assignee}`),
            ...random.pick([[], ['type=WEAK_PASSWORD'], ['sort=-lastUpdatedTimestamp']]),
          ].join('&')
          const idsOf = { ME: eva.id, NOBODY: null } as Record<string, string | null>
          const wanted = assignees.map((one) => (one in idsOf ? idsOf[one] : one))
          const expected = all.filter(
            (row) =>
              (statuses.length === 0 || statuses.includes(row.workStatus)) &&
              (assignees.length === 0 || wanted.includes(row.assigneeId)) &&
              (!query.includes('type=') || row.type === 'WEAK_PASSWORD'),
          )
          const found = await list(`limit=500&${query}`, eva)
          expect(found.map(({ id }) => id).sort(), query).toEqual(expected.map(({ id }) => id).sort())
          const counted = await eva.call('GET', `lists/findings/count?${query.replace(/&?sort=.*/, '')}`)
          expect(counted.body).toEqual({ count: expected.length, more: false })
        }
      })

      test('a change of all that match filters reaches each of them once, also those that leave the filters', async () => {
        const query = 'workStatus=TO_DO&type=LEAKED_PASSWORD'
        const before = await list(`limit=500&${query}`, eva)
        const { body: counted } = await eva.call('POST', 'work/count', { list: 'findings', query })
        expect(counted).toEqual({ count: before.length })
        let changed = 0
        let cursor: string | undefined
        let requests = 0
        do {
          const { body } = await eva.call('POST', 'work', {
            list: 'findings',
            query,
            ...(cursor && { cursor }),
            change: { status: 'SNOOZED', untilTimestamp: later(), assigneeId: eva.id },
          })
          changed += body.changed
          cursor = body.cursor ?? undefined
          requests += 1
        } while (cursor !== undefined)
        expect(changed).toBe(before.length)
        expect(requests).toBeLessThan(5)
        expect(await list(query, eva)).toEqual([])
        const ids = before.map(({ id }) => id)
        const after = (await list('workStatus=SNOOZED&assignee=ME&limit=500', eva)).map(({ id }) => id)
        expect(ids.filter((id) => !after.includes(id))).toEqual([])
        const events = await eva.call('GET', 'audit?object=SETTING_UPDATED')
        expect(events.text).toContain('snoozed and assigned to Ada')
      })

      test('the CSV file has the work status, its end and the assignee', async () => {
        const file = await eva.call(
          'GET',
          'lists/findings/export?format=csv&workStatus=SNOOZED&assignee=ME&column=workStatus&column=pausedUntilTime&column=assigneeName',
        )
        const [head, first] = file.text.replace(/^\uFEFF/, '').split('\r\n')
        expect(head).toBe('workStatus,pausedUntilTime,assigneeName')
        expect(first).toMatch(/^SNOOZED,20[0-9-]+T[0-9:]+Z,Ada$/)
      })
    })
  })
}
