import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { verifyChain } from './audit-chain.store.ts'
import { type AuditLink, walkAudit } from './audit-list.store.ts'

/** Number of events in the chain of these tests. */
const length = 6

/** Manipulations of the database, with the position and reason that verification reports. */
const tamperings: Record<
  string,
  { position: number; reason: RegExp; does: (tx: Tx, org: number) => Promise<unknown> }
> = {
  'a changed text': {
    position: 3,
    reason: /text does not match its hash/,
    does: (tx, org) =>
      tx.run(
        "UPDATE audit_events SET event = replace(event, 'person', 'nobody') WHERE org = ? AND position = 3",
        [org],
      ),
  },
  'a changed text with a matching hash': {
    position: 4,
    reason: /previous hash is not that/,
    does: async (tx, org) => {
      const sql = 'SELECT hash FROM audit_events WHERE org = ? AND position = 5'
      const { hash } = (await tx.get<{ hash: string }>(sql, [org])) ?? { hash: '' }
      await tx.run('UPDATE audit_events SET previous_hash = ? WHERE org = ? AND position = 4', [hash, org])
    },
  },
  'a changed timestamp column': {
    position: 2,
    reason: /columns do not match/,
    does: (tx, org) => tx.run('UPDATE audit_events SET timestamp = 1 WHERE org = ? AND position = 2', [org]),
  },
  'a missing event': {
    position: 2,
    reason: /missing; the next one is 3/,
    does: (tx, org) => tx.run('DELETE FROM audit_events WHERE org = ? AND position = 2', [org]),
  },
  'a missing start': {
    position: 1,
    reason: /missing/,
    does: (tx, org) => tx.run('DELETE FROM audit_events WHERE org = ? AND position < 3', [org]),
  },
  'two swapped events': {
    position: 4,
    reason: /previous hash is not that/,
    does: async (tx, org) => {
      const position =
        tx.dialect.name === 'sqlite' ? 'place = (org << 53) | ?1, position = ?1' : 'position = ?'
      const move = (from: number, to: number) =>
        tx.run(`UPDATE audit_events SET ${position} WHERE org = ? AND position = ?`, [to, org, from])
      await move(4, 40)
      await move(5, 4)
      await move(40, 5)
    },
  },
  'a truncated end': {
    position: 5,
    reason: /missing; the head of the chain is at 6/,
    does: (tx, org) => tx.run('DELETE FROM audit_events WHERE org = ? AND position > 4', [org]),
  },
  'a head that is behind': {
    position: 6,
    reason: /head of the chain is behind, at 4/,
    does: async (tx, org) => {
      const sql = 'SELECT hash FROM audit_events WHERE org = ? AND position = 4'
      const { hash } = (await tx.get<{ hash: string }>(sql, [org])) ?? { hash: '' }
      await tx.run('UPDATE audit_heads SET position = 4, hash = ? WHERE org = ?', [hash, org])
    },
  },
  'a missing head': {
    position: 6,
    reason: /head of the chain is behind, at 0/,
    does: (tx, org) => tx.run('DELETE FROM audit_heads WHERE org = ?', [org]),
  },
  'a head with another hash': {
    position: 6,
    reason: /hash differs from the head of the chain/,
    does: (tx, org) => tx.run('UPDATE audit_heads SET hash = previous_hash WHERE org = ?', [org]),
  },
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const chain = async (): Promise<Caller> => {
      const caller = await h.addCaller()
      for (let at = 0; at < length; at += 1) {
        const body = { email: `person-${at}-${caller.org}@example.com` }
        await h.call(caller, 'POST', '/v1/employees', { body })
      }
      return caller
    }
    const linksOf = async ({ org }: Caller): Promise<AuditLink[]> => {
      const links: AuditLink[] = []
      for await (const some of walkAudit(h.db, org)) links.push(...some)
      return links
    }
    let sound: Caller
    beforeAll(async () => {
      sound = await chain()
    })

    const changes = [
      "UPDATE audit_events SET actor = ''",
      'DELETE FROM audit_events',
      ...(store === 'sqlite'
        ? ['REPLACE INTO audit_events SELECT * FROM audit_events']
        : ['TRUNCATE audit_events']),
    ]
    test.each(changes)('the store rejects %s', async (sql) => {
      await expect(h.db.inTransaction((tx) => tx.run(sql))).rejects.toThrow('append-only')
    })

    test('reports an intact chain with its length and last hash, even while it grows', async () => {
      const links = await linksOf(sound)
      const hash = links.at(-1)?.hash
      expect(await verifyChain(h.db, sound.org)).toEqual({ events: length, hash })
      expect(links.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6])
      const tell = () =>
        h.db.inTransaction((tx) =>
          recordAudit(tx, sound.org, 'LICENSE_REMOVED', {
            actor: null,
            timestamp: 1_800_000_000,
            new: { employeeId: 'x', employeeEmail: 'Å"\u0000@example.com' },
          }),
        )
      const grown = await Promise.all([...Array.from({ length: 20 }, tell), verifyChain(h.db, sound.org)])
      expect(grown.at(-1)).not.toHaveProperty('broken')
      expect(await verifyChain(h.db, sound.org)).toMatchObject({ events: length + 20 })
    })

    test('a failed transaction audits nothing', async () => {
      const before = await linksOf(sound)
      const failing = h.db.inTransaction(async (tx) => {
        const facts = { employeeId: 'x', employeeEmail: 'x@example.com' }
        await recordAudit(tx, sound.org, 'LICENSE_REMOVED', { actor: null, timestamp: 1, new: facts })
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await linksOf(sound)).toEqual(before)
    })

    describe('without the triggers of the store, verification finds', () => {
      const chains = new Map<string, Caller>()
      beforeAll(async () => {
        await h.db.inTransaction(async (tx) => {
          if (store === 'postgres')
            for (const name of ['', '_whole'])
              await tx.run(`ALTER TABLE audit_events DISABLE TRIGGER audit_events_kept${name}`)
          else for (const name of ['unchanged', 'kept']) await tx.run(`DROP TRIGGER audit_events_${name}`)
        })
        for (const name of Object.keys(tamperings)) chains.set(name, await chain())
      })

      test.each(Object.entries(tamperings))('%s', async (name, { does, position, reason }) => {
        const { org } = chains.get(name) ?? sound
        const links = await linksOf({ org } as Caller)
        await h.db.inTransaction((tx) => does(tx, org))
        const { broken, events } = await verifyChain(h.db, org)
        expect(broken).toMatchObject({ position, reason: expect.stringMatching(reason) })
        expect(events).toBeLessThanOrEqual(position)
        expect([...links.map(({ id }) => id), null]).toContain(broken?.id)
      })
    })
  })
}
