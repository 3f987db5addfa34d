import { describe, expect, onTestFinished, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { exampleRequests } from '../../../../test/support/example-requests.ts'
import { stateOf } from '../../../../test/support/fixtures.ts'
import { startHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { type Db, StoreUnavailableError } from '../store/sql.ts'

for (const store of STORES) {
  describe(store, () => {
    const harness = async () => {
      const h = await startHarness(store)
      onTestFinished(() => h.close())
      return h
    }

    test('an internal error is a 500 without internal details, on reads and writes', async () => {
      const h = await harness()
      const caller = await h.addCaller()
      const requests = await exampleRequests(h, caller.org)
      await h.db.inTransaction((tx) => tx.run('DROP TABLE apps'))
      for (const { method, url, body } of [requests.listApps, requests.getApp, requests.updateApp]) {
        const answer = await h.call(caller, method, url, { body })
        expectProblem(answer, 'internal')
        expect(answer.body.detail).toBe('Something went wrong on the server. Nothing was changed.')
        expect(answer.text).not.toMatch(/sql|table|select|relation|\.ts|stack/i)
        expect(answer.headers).toHaveProperty('ratelimit')
      }
    })

    test.each([
      [false, 'Nothing was changed.'],
      [true, 'The change may or may not have been made.'],
    ])(
      'a store that is away is a 503; whether it may have done what was asked: %s',
      async (mayBeDone, said) => {
        let away: Error | undefined
        const storeSeen = (db: Db): Db => ({
          ...db,
          inTransaction: (work) => (away ? Promise.reject(away) : db.inTransaction(work)),
        })
        const h = await startHarness(store, { storeSeen })
        onTestFinished(() => h.close())
        const caller = await h.addCaller()
        const { method, url, body } = (await exampleRequests(h, caller.org)).addEmployee
        away = new StoreUnavailableError('connection lost', { mayBeDone })
        const answer = await h.call(caller, method, url, { body })
        expectProblem(answer, 'unavailable')
        expect(answer.body.detail).toBe(`The database is unavailable or did not respond in time. ${said}`)
        expect(answer.headers).toHaveProperty('retry-after')
      },
    )

    test('an action that fails halfway changes nothing', async () => {
      const h = await harness()
      const caller = await h.addCaller()
      const requests = await exampleRequests(h, caller.org)
      const before = (await stateOf(h, caller.org)).filter((row) => !row.startsWith('detections '))
      await h.db.inTransaction((tx) => tx.run('ALTER TABLE detections RENAME TO hidden'))
      for (const { method, url, body } of [requests.mergeEmployees, requests.unmergeEmployee]) {
        expectProblem(await h.call(caller, method, url, { body }), 'internal')
      }
      await h.db.inTransaction((tx) => tx.run('ALTER TABLE hidden RENAME TO detections'))
      const after = (await stateOf(h, caller.org)).filter((row) => !row.startsWith('detections '))
      expect(after).toEqual(before)
      const { method, url, body } = requests.mergeEmployees
      expect((await h.call(caller, method, url, { body })).status).toBe(200)
    })

    test('a failure is not kept for an Idempotency-Key: a repeated request runs again', async () => {
      const h = await harness()
      const caller = await h.addCaller()
      const { url, body } = (await exampleRequests(h, caller.org)).addAppLabel
      const request = { body, headers: { 'idempotency-key': 'k' } }
      await h.db.inTransaction((tx) => tx.run('ALTER TABLE apps RENAME TO hidden'))
      expectProblem(await h.call(caller, 'POST', url, request), 'internal')
      await h.db.inTransaction((tx) => tx.run('ALTER TABLE hidden RENAME TO apps'))
      const again = await h.call(caller, 'POST', url, request)
      expect(again.status).toBe(200)
      expect(again.headers).not.toHaveProperty('idempotency-replayed')
    })
  })
}
