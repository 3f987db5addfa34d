import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { STORES } from '../../../../test/support/stores.ts'
import { type WebhookWorld, webhookWorld } from '../../../../test/support/webhook-world.ts'
import { type AttemptRow, insertAttempts, listAttemptHours } from './webhook-attempts.store.ts'

for (const store of STORES) {
  describe(store, () => {
    let world: WebhookWorld
    beforeEach(async () => {
      world = await webhookWorld(store)
    })
    afterEach(() => world.close())

    test('counts attempts once that are inserted twice', async () => {
      const org = await world.addOrganization()
      const key = { org, webhookId: 'any' }
      const made = Array.from(
        { length: 50 },
        (_, at): AttemptRow => ({
          ...key,
          eventId: `event ${at}`,
          attempt: 1,
          atMs: 1,
          latencyMs: 2,
          answer: '',
          ...(at % 5 === 0 ? { status: 500, error: 'HTTP status 500' } : { status: 200, error: null }),
        }),
      )
      const note = (attempts: AttemptRow[]) => world.db.inTransaction((tx) => insertAttempts(tx, attempts))
      await note(made.slice(0, 30))
      await note(made)
      await note(made)
      expect(await listAttemptHours(world.db, key, 0)).toEqual([
        { hourTimestamp: 0, delivered: 40, failed: 10, latencyMsSum: 100 },
      ])
    })
  })
}
